import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { memoryOf } from '../process-costs.ts';
import type { FromPeer, ToPeer } from './peer-messages.ts';

const PROCESS_FILE = fileURLToPath(new URL('./peer-process.ts', import.meta.url));

/** An engine in its own process. */
export type PeerHandle = AsyncDisposable & {
  readonly name: string;
  ask(request: ToPeer): Promise<FromPeer>;
  /** Megabytes of the process now. */
  resident(): number;
};

/** Starts the process of an engine; `heapMb` bounds its JavaScript heap. */
export async function startPeer(name: string, heapMb: number): Promise<PeerHandle> {
  const child = fork(PROCESS_FILE, [name], {
    execArgv: ['--no-warnings', '--expose-gc', `--max-old-space-size=${heapMb}`],
  });
  await nextMessage(child);
  return {
    name,
    ask(request) {
      child.send(request);
      return nextMessage(child);
    },
    resident: () => (child.pid === undefined || child.exitCode !== null ? 0 : memoryOf(child.pid).resident),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The next answer; `failed` when the process ends instead. */
function nextMessage(child: ChildProcess): Promise<FromPeer> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ kind: 'failed', reason: 'its process has ended' });
  }
  return new Promise((resolve) => {
    const finish = (message: FromPeer) => {
      child.off('message', finish);
      child.off('exit', onExit);
      resolve(message);
    };
    const onExit = (code: number | null, signal: string | null) =>
      finish({ kind: 'failed', reason: `its process ended (${signal ?? code})` });
    child.on('message', finish);
    child.on('exit', onExit);
  });
}
