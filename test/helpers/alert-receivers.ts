import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

type ReceivedCall = { readonly headers: IncomingMessage['headers']; readonly body: string; readonly url: string };

/** Receives webhook calls and answers as `respond` does, with the number of the call. */
export async function startWebhookReceiver(respond: (response: ServerResponse, count: number) => void) {
  const received: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    received.push({ headers: request.headers, body: Buffer.concat(pieces).toString(), url: request.url ?? '' });
    respond(response, received.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook?to=ops`,
    received,
    messages: () => received.map(({ body }) => JSON.parse(body)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly text: string };

/** What the receiver answers to a command; undefined: as a server that takes everything. */
type SmtpAnswers = (command: string) => string | undefined;

/** A mail server that keeps what it is sent (RFC 5321), without TLS. `commands` is what the clients said. */
export async function startMailReceiver({ answer = () => undefined }: { readonly answer?: SmtpAnswers } = {}) {
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    void converse(socket, { mails, commands, answer }).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    commands,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Conversation = {
  readonly mails: ReceivedMail[];
  readonly commands: string[];
  readonly answer: SmtpAnswers;
};

const GREETING = '220 receiver.test ESMTP';
const USUAL: Readonly<Record<string, string>> = {
  EHLO: '250-receiver.test\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 accepted',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  END: '250 2.0.0 Ok: queued as 4F2A',
  QUIT: '221 2.0.0 bye',
};

async function converse(socket: Socket, { mails, commands, answer }: Conversation): Promise<void> {
  const say = (command: string, line: string) =>
    socket.write(`${answer(line) ?? USUAL[command] ?? '502 5.5.1 unknown'}\r\n`);
  socket.write(`${answer('connect') ?? GREETING}\r\n`);
  let envelope: { from: string; to: string[]; lines: string[] | undefined } = { from: '', to: [], lines: undefined };
  for await (const line of linesOf(socket)) {
    if (envelope.lines !== undefined && line !== '.') {
      envelope.lines.push(line.replace(/^\./, ''));
      continue;
    }
    if (line === '.') {
      mails.push({ from: envelope.from, to: envelope.to, text: (envelope.lines ?? []).join('\n') });
      envelope = { from: '', to: [], lines: undefined };
      say('END', 'END');
      continue;
    }
    commands.push(line);
    const command = line.slice(0, 4).toUpperCase();
    const address = /<(?<address>[^>]*)>/.exec(line)?.groups?.['address'] ?? '';
    if (command === 'MAIL') envelope.from = address;
    if (command === 'RCPT') envelope.to.push(address);
    if (command === 'DATA') envelope.lines = [];
    say(command, line);
  }
}

async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of socket.setEncoding('utf8')) {
    const lines = `${rest}${piece}`.split('\r\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
