import { join } from 'node:path';
import { createFolderModel, findModelPackages } from '../../src/llm/onnx/embedding-model.ts';
import { type ModelUsage, readModelFolder, writeModelFolder } from '../../src/llm/onnx/model-folder.ts';
import { installPackage } from './provider-packages.ts';

/** Ids of the words that the double of the runtime knows; it has one dimension per further word, by its length. */
const WORDS = { hangs: 3, ends: 4, refused: 5, empty: 6 };
const FIRST_FREE = 8;
export const DOUBLE_DIMENSIONS = 64;

const USAGE: ModelUsage = { pooling: 'mean', queryPrefix: '', passagePrefix: '', maxTokens: 512 };

/** What the double reads in place of an ONNX file. */
const DOUBLE_MODEL = {
  inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
  outputs: ['last_hidden_state'],
};

/**
 * In place of the runtime: what a token gives is a vector of its own, the first token (that of the start) gives that of
 * the first word. Some words make it fail.
 */
const RUNTIME_DOUBLE = `
  const WORDS = ${JSON.stringify(WORDS)};
  const DIMENSIONS = ${DOUBLE_DIMENSIONS};
  export class Tensor {
    constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
  }
  export const InferenceSession = {
    async create(bytes, { intraOpNumThreads }) {
      const { inputs, outputs } = JSON.parse(new TextDecoder().decode(bytes));
      if (inputs === undefined) throw new Error('no model can be read\\nfrom these bytes');
      return { inputNames: inputs, outputNames: outputs, run: (given) => run(given, outputs, intraOpNumThreads) };
    },
  };
  async function run(given, [output], threads) {
    const { data, dims } = given.input_ids;
    const ids = [...data].map(Number);
    if (threads !== 1 || Object.values(given).some((each) => each.type !== 'int64' || each.dims.join() !== dims.join()))
      throw new Error('other inputs than the model takes');
    if (ids.includes(WORDS.hangs)) await new Promise((resolve) => setTimeout(resolve, 600_000));
    if (ids.includes(WORDS.ends)) process.exit(3);
    if (ids.includes(WORDS.refused)) throw new Error('a text that is not taken');
    const values = new Float32Array(ids.length * DIMENSIONS);
    if (!ids.includes(WORDS.empty))
      ids.forEach((id, at) => { values[at * DIMENSIONS + (at === 0 ? ids[1] : id) % DIMENSIONS] = 1; });
    return { [output]: { dims: [1, ids.length, DIMENSIONS], data: values } };
  }
`;

/** In place of the tokenizer: words apart by blanks between the marks of start and end. */
const TOKENIZER_DOUBLE = `
  export class Tokenizer {
    constructor({ words, firstFree }) { this.words = words; this.firstFree = firstFree; }
    encode(text) {
      const ids = text.split(/\\s+/).filter(Boolean).map((word) => this.words[word] ?? this.idOf(word));
      return { ids: [1, ...ids, 2] };
    }
    idOf(word) {
      let sum = 0;
      for (const character of word) sum = (sum * 31 + character.codePointAt(0)) % 56;
      return this.firstFree + sum;
    }
  }
`;

/** Doubles of the packages that a model in a folder needs, as an operator installs them. */
export async function installModelPackages(dataDir: string, runtime = RUNTIME_DOUBLE): Promise<void> {
  await installPackage(dataDir, { name: 'onnxruntime-node', code: runtime, exports: null });
  await installPackage(dataDir, { name: '@huggingface/tokenizers', code: TOKENIZER_DOUBLE });
}

/** Files of a model for the doubles. */
export function doubleFiles(model: object = DOUBLE_MODEL): { readonly model: Buffer; readonly tokenizer: Buffer } {
  return {
    model: Buffer.from(JSON.stringify(model)),
    tokenizer: Buffer.from(JSON.stringify({ words: WORDS, firstFree: FIRST_FREE })),
  };
}

export type FolderModelChoice = Partial<ModelUsage> & {
  readonly name?: string;
  readonly model?: object;
  readonly restAfterMs?: number;
};

/** A model of the doubles in `DATA_DIR/models`; resolves with its folder. */
export async function addDoubleModel(dataDir: string, choice: FolderModelChoice = {}): Promise<string> {
  const { name = 'double', model, restAfterMs: _, ...usage } = choice;
  const path = join(dataDir, 'models', name);
  await writeModelFolder(path, { name, ...USAGE, ...usage, ...doubleFiles(model) });
  return path;
}

/** The adapter on a model of the doubles; their packages are installed. */
export async function openDoubleModel(dataDir: string, choice: FolderModelChoice = {}) {
  const folder = await readModelFolder(await addDoubleModel(dataDir, choice), 'EMBEDDING_MODEL_FOLDER');
  const packages = findModelPackages(join(dataDir, 'packages'), 'EMBEDDING_MODEL_FOLDER');
  return createFolderModel({ folder, packages, restAfterMs: choice.restAfterMs });
}
