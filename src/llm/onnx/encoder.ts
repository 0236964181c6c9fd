import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstLine, importFile } from '../import-package.ts';
import { unitVector } from '../unit-vector.ts';
import { MODEL_FILE, type ModelUsage, TOKENIZER_FILE } from './model-folder.ts';

/** Where the parts of a model lie. */
export type EncoderFiles = Pick<ModelUsage, 'pooling' | 'maxTokens'> & {
  /** Of the model. */
  readonly folder: string;
  /** Files of installed packages: an ONNX runtime, and what reads `tokenizer.json`. */
  readonly runtime: string;
  readonly tokenizers: string;
};

export type Encoder = {
  readonly dimensions: number;
  /** Of length 1. Rejects when the model does not take the text. */
  encode(text: string): Promise<Float32Array>;
};

/** What is wrong with a model or a package, in words for the operator. */
export class EncoderFault extends Error {}

/**
 * Loads a model: 0.7 s of a core and 220 MB with the native runtime, 2.5 s and 420 MB with that of WebAssembly, for 34 MB
 * of int8 weights (decision 0153).
 * One text at a time and one thread: what a text gives depends on no other (int8 is scaled by batch), and no padding is
 * computed; of eight texts at once none takes less processor time.
 *
 * @throws EncoderFault
 */
export async function loadEncoder({ folder, runtime, tokenizers, ...usage }: EncoderFiles): Promise<Encoder> {
  const ort = await loadPackage<Runtime>(runtime, 'InferenceSession');
  const { Tokenizer } = await loadPackage<Tokenizers>(tokenizers, 'Tokenizer');
  const tokenizer = await orFault(`${TOKENIZER_FILE} cannot be read`, async () => {
    const parsed: unknown = JSON.parse(await readFile(join(folder, TOKENIZER_FILE), 'utf8'));
    return new Tokenizer(parsed, {});
  });
  // A thread of the runtime's own would compete with those of searches.
  if (ort.env?.wasm !== undefined) ort.env.wasm.numThreads = 1;
  const session = await orFault(`${MODEL_FILE} cannot be loaded`, async () =>
    ort.InferenceSession.create(await readFile(join(folder, MODEL_FILE)), ONE_THREAD),
  );
  const output = outputOf(session);
  const encode = async (text: string) => {
    const ids = cutTo(usage.maxTokens, tokenizer.encode(text).ids);
    const found = (await session.run(inputsOf(ort, session, ids)))[output];
    if (found === undefined || found.dims.length !== 3 || !(found.data instanceof Float32Array)) {
      throw new EncoderFault(`${MODEL_FILE} gives no vector of floats per token`);
    }
    return pooled(found.data, ids.length, usage.pooling);
  };
  const { length: dimensions } = await orFault(`${MODEL_FILE} does not take a text`, () => encode('text'));
  return { dimensions, encode };
}

/** What is called of the packages. */
type Runtime = {
  readonly env?: { readonly wasm?: { numThreads: number } };
  readonly InferenceSession: {
    create(model: Uint8Array, options: typeof ONE_THREAD): Promise<Session>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
};
type Session = {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor | undefined>>>;
};
type Tensor = { readonly dims: readonly number[]; readonly data: unknown };
type Tokenizers = {
  readonly Tokenizer: new (
    parsed: unknown,
    options: object,
  ) => { encode(text: string): { readonly ids: readonly number[] } };
};

const ONE_THREAD = { intraOpNumThreads: 1, interOpNumThreads: 1 } as const;

async function loadPackage<T>(path: string, member: keyof T & string): Promise<T> {
  const loaded = await orFault('a package cannot be loaded', () => importFile(path));
  // Packages of the older form have all they export below `default`.
  const found = [loaded, loaded['default']].find((each) => typeof each === 'object' && each !== null && member in each);
  if (found === undefined) throw new EncoderFault(`a package has no ${member}: is it of another version?`);
  return found as T;
}

async function orFault<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof EncoderFault) throw cause;
    throw new EncoderFault(`${what}: ${firstLine(cause)}`, { cause });
  }
}

/** Each has one number per token. */
const VALUES_OF_INPUTS = new Map<string, (id: number) => bigint>([
  ['input_ids', BigInt],
  ['attention_mask', () => 1n],
  ['token_type_ids', () => 0n],
]);
const OUTPUTS = ['last_hidden_state', 'token_embeddings'];

function outputOf({ inputNames, outputNames }: Session): string {
  const output = OUTPUTS.find((name) => outputNames.includes(name));
  const isKnown = inputNames.includes('input_ids') && inputNames.every((name) => VALUES_OF_INPUTS.has(name));
  if (output !== undefined && isKnown) return output;
  const taken = `it takes ${inputNames.join(', ')} and gives ${outputNames.join(', ')}`;
  throw new EncoderFault(`${MODEL_FILE} is no encoder of the BERT family: ${taken}`);
}

function inputsOf({ Tensor }: Runtime, { inputNames }: Session, ids: readonly number[]) {
  const dims = [1, ids.length];
  const inputs = inputNames.map((name) => {
    const valueOfId = VALUES_OF_INPUTS.get(name) ?? (() => 0n);
    return [name, new Tensor('int64', BigInt64Array.from(ids, valueOfId), dims)] as const;
  });
  return Object.fromEntries(inputs);
}

/** The mark of the end stays. */
function cutTo(maxTokens: number, ids: readonly number[]): readonly number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
}

/** `values`: of one token after the other. */
function pooled(values: Float32Array, tokens: number, pooling: ModelUsage['pooling']): Float32Array {
  const dimensions = values.length / tokens;
  const sums = values.slice(0, dimensions);
  if (pooling === 'cls') return unitVector(sums);
  for (let at = dimensions; at < values.length; at++) {
    const dimension = at % dimensions;
    sums[dimension] = (sums[dimension] ?? 0) + (values[at] ?? 0);
  }
  return unitVector(sums);
}
