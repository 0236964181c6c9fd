import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A fault of the next connection whose client sends `text`. */
export type PlannedFault = {
  readonly text: string;
  /**
   * `unsent`: the server never sees it, both ends are told that the connection is gone · `unanswered`: the server does
   * it, and the client sees the connection go in place of the answer, which holds the text, too · `silent`: the server
   * does it, and the client hears nothing any more · `vanished`: the server never sees it, and neither end hears anything
   * any more.
   */
  readonly kind: 'unsent' | 'unanswered' | 'silent' | 'vanished';
};

export type TcpProxy = AsyncDisposable & {
  readonly port: number;
  /** Ends all connections now, in the middle of whatever they carry; new ones work. */
  cut(): void;
  /** Present and new connections stay open, and nothing comes through them any more, as behind a dead switch. */
  silence(): void;
  /** New connections work. Those that fell silent stay so, and are told nothing. */
  heal(): void;
  /** What comes from the server comes that much later, on present and new connections. */
  delay(milliseconds: number): void;
  /** The next connection ends when so many bytes have come from the server. */
  cutAfter(bytes: number): void;
  /** Waits for a text of a client, once. Resolves when it has come. */
  plan(fault: PlannedFault): Promise<void>;
  /** Connections of clients that are open. */
  count(): number;
};

type Line = { readonly near: Socket; readonly far: Socket; isSilent: boolean };

/** A way to a server on loopback that fails as networks do. */
export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  const lines = new Set<Line>();
  const ends = new Set<Socket>();
  let isSilent = false;
  let delayMs = 0;
  let bytesToCut: number | undefined;
  let planned: (PlannedFault & { readonly done: () => void }) | undefined;

  const toServer = (line: Line, bytes: Buffer) => {
    if (line.isSilent) return;
    if (planned === undefined || !bytes.includes(planned.text)) {
      line.far.write(bytes);
      return;
    }
    const { kind, text, done } = planned;
    planned = undefined;
    if (kind === 'vanished' || kind === 'silent') line.isSilent = true;
    if (kind === 'unsent') end(line);
    if (kind === 'silent') line.far.write(bytes);
    if (kind === 'unanswered') {
      line.near.pause();
      // What was sent before it may be answered first.
      line.far.removeAllListeners('data').on('data', (answer) => answer.includes(text) && end(line));
      line.far.write(bytes);
    }
    done();
  };
  const server = createServer((near) => {
    const line: Line = { near, far: connect(serverPort, '127.0.0.1'), isSilent };
    let left = bytesToCut ?? Number.POSITIVE_INFINITY;
    bytesToCut = undefined;
    lines.add(line);
    ends.add(line.far);
    near.on('data', (bytes) => toServer(line, bytes));
    const toClient = (bytes: Buffer) => {
      if (line.isSilent) return;
      near.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) end(line);
    };
    line.far.on('data', (bytes) => {
      if (delayMs === 0) toClient(bytes);
      else setTimeout(toClient, delayMs, bytes);
    });
    for (const [from, to] of [
      [near, line.far],
      [line.far, near],
    ] as const) {
      from.on('error', () => {});
      // Whoever leaves a silent line: the other one does not hear of it.
      from.on('close', () => line.isSilent || to.destroy());
    }
    near.on('close', () => lines.delete(line));
    line.far.on('close', () => ends.delete(line.far));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => lines.forEach(end),
    silence: () => {
      isSilent = true;
      for (const line of lines) line.isSilent = true;
    },
    heal: () => {
      isSilent = false;
    },
    delay: (milliseconds) => {
      delayMs = milliseconds;
    },
    cutAfter: (bytes) => {
      bytesToCut = bytes;
    },
    plan: (fault) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      planned = { ...fault, done: resolve };
      return promise;
    },
    count: () => lines.size,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const { near } of lines) near.destroy();
      for (const far of ends) far.destroy();
    },
  };
}

function end({ near, far }: Line): void {
  near.resetAndDestroy();
  far.resetAndDestroy();
}
