import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';

export type Answer = {
  /** What was asked for: the same for all requests of one kind. */
  readonly kind: string;
  /** `performance.now()` when the last byte of the request was given to the system. */
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /** Absent when the connection failed before the answer was whole. */
  readonly status?: number;
  readonly fault?: string;
};

export type LoadKind = {
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly unknown[];
  /** Connections, each with one request after the other. */
  readonly atOnce: number;
};

/**
 * Requests on connections that are kept alive, one after the other on each, until the address takes no connection any
 * more; resolves with all of them.
 */
export async function loadUntilGone(address: string, kinds: readonly LoadKind[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const caller = async (kind: LoadKind, first: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = first; ; count++) {
      const answer = await send({ agent, address, kind, body: kind.bodies[count % kind.bodies.length] });
      if (answer === 'refused') break;
      answers.push(answer);
    }
    agent.destroy();
  };
  await Promise.all(kinds.flatMap((kind) => Array.from({ length: kind.atOnce }, (_, index) => caller(kind, index))));
  return answers;
}

type Sending = {
  readonly agent: Agent;
  readonly address: string;
  readonly kind: LoadKind;
  readonly body: unknown;
};

/** `refused` when there was no connection to send it on. */
function send({ agent, address, kind: asked, body }: Sending): Promise<Answer | 'refused'> {
  const { kind, method, path, headers } = asked;
  return new Promise((resolve) => {
    let sentAtMs = Number.POSITIVE_INFINITY;
    const end = (outcome: { readonly status?: number; readonly fault?: string }) =>
      resolve({ kind, sentAtMs, endedAtMs: performance.now(), ...outcome });
    const outgoing = request(`${address}${path}`, { agent, method, headers }, (response) => {
      response.on('error', (error) => end({ fault: error.message }));
      response.on('end', () => end({ status: response.statusCode ?? 0 }));
      response.resume();
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve('refused');
      else end({ fault: error.message });
    });
    outgoing.end(JSON.stringify(body), () => {
      sentAtMs = performance.now();
    });
  });
}

/** Lets a process run for that share of the time only, by stopping it in between, until it is disposed. */
export function throttle(pid: number, ratio: number): Disposable {
  const periodSeconds = 0.2;
  const runs = (periodSeconds * ratio).toFixed(3);
  const rests = (periodSeconds * (1 - ratio)).toFixed(3);
  const script = `while kill -CONT ${pid}; do sleep ${runs}; kill -STOP ${pid}; sleep ${rests}; done`;
  const shell = spawn('sh', ['-c', script], { stdio: 'ignore' });
  return {
    [Symbol.dispose]: () => {
      shell.kill('SIGKILL');
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It has ended.
      }
    },
  };
}
