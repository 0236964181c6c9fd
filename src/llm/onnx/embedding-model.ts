import { createSemaphore, unlessAborted } from '../../core/concurrency.ts';
import { invalidRequest } from '../../core/errors.ts';
import type { EmbeddingModel } from '../embedding-model.ts';
import { installCommand, installedEntry } from '../import-package.ts';
import { callAborted, modelFaultOf, modelUnavailable } from '../model-fault.ts';
import { type EmbeddingProcess, startEmbeddingProcess } from './embedding-process.ts';
import type { EncoderFiles } from './encoder.ts';
import type { ModelFolder } from './model-folder.ts';

/** The first that is installed: three times as fast or more, or for every machine. */
const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web'] as const;
const TOKENIZERS = '@huggingface/tokenizers';

/** A model that cannot be loaded is loaded by nobody else either until somebody mends it. */
const LOAD_AGAIN_AFTER_MS = 30_000;

export type ModelPackages = Pick<EncoderFiles, 'runtime' | 'tokenizers'>;

/**
 * The files of the packages that a model in a folder needs.
 * @throws AppError `request.invalid` with the command that installs them
 */
export function findModelPackages(folder: string, setBy: string): ModelPackages {
  const { runtime, tokenizers } = lookForPackages(folder);
  if (runtime !== undefined && tokenizers !== undefined) return { runtime, tokenizers };
  const missing = missingModelPackages(folder);
  const verb = missing.length === 1 ? 'is' : 'are';
  const message = `${setBy} needs ${missing.join(' and ')}, which ${verb} not installed: ${installCommand(folder, missing)}`;
  throw invalidRequest([{ path: setBy, message }]);
}

/** The names of those that are not installed. */
export function missingModelPackages(folder: string): readonly string[] {
  const { runtime, tokenizers } = lookForPackages(folder);
  return [...(runtime === undefined ? [RUNTIMES[0]] : []), ...(tokenizers === undefined ? [TOKENIZERS] : [])];
}

function lookForPackages(folder: string) {
  return {
    runtime: RUNTIMES.map((name) => installedEntry(folder, name)).find((entry) => entry !== undefined),
    tokenizers: installedEntry(folder, TOKENIZERS),
  };
}

export type FolderModelOptions = {
  readonly folder: ModelFolder;
  readonly packages: ModelPackages;
  /** How long its process stays without work; undefined: it is there from the start, and stays. */
  readonly restAfterMs: number | undefined;
};

/**
 * A model of this machine, in a process of its own that starts with the first text, or again when it has ended. Texts
 * are embedded one after the other, those of calls at the same time in turns.
 */
export function createFolderModel(options: FolderModelOptions): EmbeddingModel & AsyncDisposable {
  const { folder } = options;
  const semaphore = createSemaphore(1, { refusal: () => modelUnavailable('queue-full') });
  const kept = keepProcess(options);

  /** The permit is held until the process is free again, also when nobody waits any more. */
  async function embedWith(permit: Disposable, text: string): Promise<Float32Array> {
    using _permit = permit;
    const { embed } = await kept.take();
    const vector = await embed(text);
    kept.leave();
    return vector;
  }

  async function embedAll(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const embedding = embedWith(await semaphore.acquire(signal), text);
      embedding.catch(() => undefined);
      vectors.push(await unlessAborted(embedding, signal));
    }
    return vectors;
  }

  return {
    id: folder.id,
    get dimensions() {
      return kept.dimensions();
    },
    async embed(texts, kind, signal) {
      const prefix = kind === 'query' ? folder.queryPrefix : folder.passagePrefix;
      const prefixed = texts.map((text) => prefix + text);
      return embedAll(prefixed, signal).catch((error: unknown) => {
        throw signal.aborted ? callAborted() : error;
      });
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

type KeptProcess = AsyncDisposable & {
  /** Starts it when there is none. */
  take(): Promise<EmbeddingProcess>;
  /** It has no work for now. */
  leave(): void;
  dimensions(): number | undefined;
};

function keepProcess({ folder, packages, restAfterMs }: FolderModelOptions): KeptProcess {
  const { path, pooling, maxTokens } = folder;
  const stop = new AbortController();
  let running: Promise<EmbeddingProcess> | undefined;
  let dimensions: number | undefined;
  let rest: NodeJS.Timeout | undefined;

  async function start(): Promise<EmbeddingProcess> {
    stop.signal.throwIfAborted();
    const opened = await startEmbeddingProcess({ folder: path, pooling, maxTokens, ...packages }, stop.signal);
    dimensions = opened.dimensions;
    return opened;
  }

  function take(): Promise<EmbeddingProcess> {
    clearTimeout(rest);
    if (running !== undefined) return running;
    const starting = start();
    running = starting;
    const forget = () => {
      if (running === starting) running = undefined;
    };
    starting.then(
      ({ ended }) => ended.then(forget),
      (error: unknown) => {
        // Whoever asks meanwhile is told at once what is wrong, within whatever time it has.
        if (modelFaultOf(error)?.reason !== 'settings') forget();
        else setTimeout(forget, LOAD_AGAIN_AFTER_MS).unref();
      },
    );
    return starting;
  }

  // What is wrong with it is told to the first who asks.
  if (restAfterMs === undefined) take().catch(() => undefined);
  return {
    take,
    leave() {
      if (restAfterMs === undefined) return;
      rest = setTimeout(() => running?.then(({ kill }) => kill()), restAfterMs).unref();
    },
    dimensions: () => dimensions,
    async [Symbol.asyncDispose]() {
      const opened = running;
      stop.abort();
      clearTimeout(rest);
      await opened?.then(
        ({ ended }) => ended,
        () => undefined,
      );
    },
  };
}
