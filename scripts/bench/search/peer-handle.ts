import { once } from 'node:events';
import { memoryOf } from '../process-costs.ts';
import { type EngineProcess, startEngineProcess } from './engine-process.ts';
import type { FromPeer, ToPeer } from './peer-messages.ts';

/** An engine in its own process. */
export type PeerHandle = AsyncDisposable & {
  readonly name: string;
  ask(request: ToPeer): Promise<FromPeer>;
  /** Megabytes of the process now. */
  resident(): number;
};

/** Starts the process of an engine; `heapMb` bounds its heap. */
export async function startPeer(name: string, heapMb: number): Promise<PeerHandle> {
  const engine = startEngineProcess(name, heapMb);
  const { child } = engine;
  await nextMessage(engine);
  return {
    name,
    ask(request) {
      engine.send(request);
      return nextMessage(engine);
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
function nextMessage({ child, listen }: EngineProcess): Promise<FromPeer> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ kind: 'failed', reason: 'its process has ended' });
  }
  return new Promise((resolve) => {
    const finish = (message: FromPeer) => {
      stopListening();
      child.off('exit', onExit);
      resolve(message);
    };
    const onExit = (code: number | null, signal: string | null) =>
      finish({ kind: 'failed', reason: `its process ended (${signal ?? code})` });
    const stopListening = listen(finish);
    child.on('exit', onExit);
  });
}
