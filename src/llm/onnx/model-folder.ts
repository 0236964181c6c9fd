import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';

/** How the vectors of its tokens become the one of a text. */
export const POOLINGS = ['mean', 'cls'] as const;

export const MODEL_FILE = 'model.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';
const DESCRIPTION_FILE = 'fossick-model.json';

/** Longest text of encoders of the BERT family, which learnt no more positions. */
export const MAX_TOKENS = 512;

const USAGE = z.strictObject({
  pooling: z.enum(POOLINGS),
  /** Before every question, and before every passage. */
  queryPrefix: z.string().max(500).default(''),
  passagePrefix: z.string().max(500).default(''),
  /** What a longer text has beyond is left out. */
  maxTokens: z.int().min(8).max(8_192).default(MAX_TOKENS),
});
/** What a model wants to be asked like. */
export type ModelUsage = z.infer<typeof USAGE>;

const DIGEST = z.string().regex(/^[0-9a-f]{64}$/);
const DESCRIPTION = USAGE.extend({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
  sha256: z.strictObject({ model: DIGEST, tokenizer: DIGEST }),
});
type ModelDescription = z.infer<typeof DESCRIPTION>;

/** An encoder with its tokenizer on this machine, and how it is used. */
export type ModelFolder = ModelUsage & {
  readonly path: string;
  /** Its name with a digest of all else: vectors of another file or another use are not comparable. */
  readonly id: string;
};

/**
 * Reads the description and compares both files with its digests: 34 MB in 0.1 s.
 * @throws AppError `request.invalid` naming `setBy` when a part is missing, damaged or another than was added
 */
export async function readModelFolder(path: string, setBy: string): Promise<ModelFolder> {
  const fault = (problem: string, cause?: unknown) => folderFault(setBy, `${path} ${problem}`, cause);
  const text = await readFile(join(path, DESCRIPTION_FILE), 'utf8').catch((cause: unknown) => {
    throw fault(`holds no ${DESCRIPTION_FILE}: "fossick model add ${path}" makes such a folder of a model`, cause);
  });
  const { name, sha256, ...usage } = parseDescription(text, (cause) =>
    fault(`has a ${DESCRIPTION_FILE} that cannot be read: add the model again`, cause),
  );
  for (const [file, digest] of [[MODEL_FILE, sha256.model] as const, [TOKENIZER_FILE, sha256.tokenizer] as const]) {
    const found = await digestOfFile(join(path, file)).catch((cause: unknown) => {
      throw fault(`has no ${file} that can be read: add the model again`, cause);
    });
    if (found !== digest) throw fault(`has another ${file} than was added (sha256 ${found}): add the model again`);
  }
  const form = digestOf(JSON.stringify([usage, sha256])).slice(0, FORM_DIGITS);
  return { ...usage, path, id: `${name}@${form}` };
}

const FORM_DIGITS = 8;

function parseDescription(text: string, fault: (cause: unknown) => AppError): ModelDescription {
  try {
    return DESCRIPTION.parse(JSON.parse(text));
  } catch (cause) {
    throw fault(cause);
  }
}

function folderFault(setBy: string, problem: string, cause: unknown): AppError {
  const message = `${setBy}: ${problem}`;
  return new AppError('request.invalid', message, { problems: [{ path: setBy, message }], cause });
}

export type NewModel = ModelUsage & {
  readonly name: string;
  /** Bytes, or the path of a file. */
  readonly model: Uint8Array | string;
  readonly tokenizer: Uint8Array | string;
};

/** Makes the folder in one step, in place of one that is there; durable enough to be made again. */
export async function writeModelFolder(path: string, { model, tokenizer, name, ...usage }: NewModel): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const made = await mkdtemp(join(dirname(path), `.${basename(path)}-`));
  try {
    const sha256 = {
      model: await place(model, join(made, MODEL_FILE)),
      tokenizer: await place(tokenizer, join(made, TOKENIZER_FILE)),
    };
    const description: ModelDescription = DESCRIPTION.parse({ name, ...usage, sha256 });
    await writeFile(join(made, DESCRIPTION_FILE), `${JSON.stringify(description, null, 2)}\n`);
    await rm(path, { recursive: true, force: true });
    await rename(made, path);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

/** Resolves with the digest of what was written. */
async function place(source: Uint8Array | string, path: string): Promise<string> {
  if (typeof source === 'string') await copyFile(source, path);
  else await writeFile(path, source);
  return digestOfFile(path);
}

export async function digestOfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Kinds whose cards say how they are used; the first that fits the name. */
const KNOWN_KINDS: readonly { readonly names: RegExp; readonly usage: ModelUsage }[] = [
  {
    names: /bge-.*en/i,
    usage: {
      pooling: 'cls',
      queryPrefix: 'Represent this sentence for searching relevant passages: ',
      passagePrefix: '',
      maxTokens: MAX_TOKENS,
    },
  },
  {
    names: /(?:^|[-_.])e5[-_.]/i,
    usage: { pooling: 'mean', queryPrefix: 'query: ', passagePrefix: 'passage: ', maxTokens: MAX_TOKENS },
  },
  { names: /minilm/i, usage: { pooling: 'mean', queryPrefix: '', passagePrefix: '', maxTokens: 256 } },
];

/** How a model of this name is used; undefined for one whose kind is not known here. */
export function usageOfKind(name: string): ModelUsage | undefined {
  return KNOWN_KINDS.find(({ names }) => names.test(name))?.usage;
}
