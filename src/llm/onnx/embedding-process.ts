import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ModelFault, modelUnavailable } from '../model-fault.ts';
import type { EncoderFiles } from './encoder.ts';

/** Messages of one program to itself: both sides are of one version. */
export type ParentMessage = { readonly text: string };
export type ChildMessage =
  | { readonly type: 'ready'; readonly dimensions: number }
  /** It will embed nothing. */
  | { readonly type: 'failed'; readonly problem: string }
  | { readonly type: 'vector'; readonly vector: Float32Array }
  /** The model does not take the text. */
  | { readonly type: 'refused' };

export type EmbeddingProcess = {
  readonly dimensions: number;
  /**
   * The vector of a text, of length 1; the caller waits for it before it asks for the next.
   * @throws AppError `llm.unavailable`
   */
  embed(text: string): Promise<Float32Array>;
  /** Its end, also an early one. */
  readonly ended: Promise<void>;
  kill(): void;
};

/** WebAssembly takes 2.5 s of a core to load 34 MB, and a slow disk is slower. */
const LOADED_WITHIN_MS = 120_000;
/**
 * A passage takes some 0.1 s of a core, with WebAssembly 0.3 s, and took over 30 s where others had all cores. Callers
 * wait less: this only ends what hangs.
 */
const EMBEDDED_WITHIN_MS = 120_000;

/**
 * Starts a process with the model: no environment, nothing to read or write but its channel. A thread of this process
 * would not do: the native runtime ends the whole process when its thread is stopped at work (decision 0153).
 *
 * @param stop ends it, whatever it does
 * @throws AppError `llm.unavailable` `settings` with what is wrong with model or packages · `reset` when it dies
 */
export async function startEmbeddingProcess(files: EncoderFiles, stop: AbortSignal): Promise<EmbeddingProcess> {
  const entry = fileURLToPath(new URL('./embedding-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', entry, JSON.stringify(files)], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    signal: stop,
    killSignal: 'SIGKILL',
  });
  const answers = answersOf(child);
  const first = await answers.next(LOADED_WITHIN_MS).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  if (first.type !== 'ready') {
    child.kill('SIGKILL');
    throw modelUnavailable('settings', first.type === 'failed' ? { problem: first.problem } : {});
  }
  return {
    dimensions: first.dimensions,
    ended: answers.ended,
    kill: () => child.kill('SIGKILL'),
    async embed(text) {
      child.send({ text } satisfies ParentMessage);
      const answer = await answers.next(EMBEDDED_WITHIN_MS);
      if (answer.type === 'vector' && !answer.vector.some(Number.isNaN)) return answer.vector;
      throw modelUnavailable('bad-vectors');
    },
  };
}

/** What a child says, one message after the other. */
function answersOf(child: ChildProcess) {
  let waiting: PromiseWithResolvers<ChildMessage> | undefined;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const fail = (reason: ModelFault, code: string | undefined) => {
    child.kill('SIGKILL');
    waiting?.reject(modelUnavailable(reason, code === undefined ? {} : { code }));
    end();
  };
  child.on('message', (message: ChildMessage) => waiting?.resolve(message));
  child.once('error', (error: NodeJS.ErrnoException) => fail('reset', error.code));
  child.once('exit', (code, signal) => fail('reset', signal ?? String(code)));
  return {
    ended,
    async next(withinMs: number): Promise<ChildMessage> {
      if (child.exitCode !== null || child.signalCode !== null) throw modelUnavailable('reset');
      waiting = Promise.withResolvers();
      const late = setTimeout(() => fail('stalled', undefined), withinMs);
      try {
        return await waiting.promise;
      } finally {
        clearTimeout(late);
      }
    },
  };
}
