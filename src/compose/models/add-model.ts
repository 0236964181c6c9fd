import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { compileCrawlRules } from '../../crawl/rules/crawl-rules.ts';
import { openZip } from '../../extract/files/zip.ts';
import { DEFAULT_FETCH_LIMITS } from '../../fetch/fetcher.ts';
import { installCommand } from '../../llm/import-package.ts';
import { missingModelPackages } from '../../llm/onnx/embedding-model.ts';
import {
  digestOfFile,
  MAX_TOKENS,
  type ModelUsage,
  type NewModel,
  usageOfKind,
  writeModelFolder,
} from '../../llm/onnx/model-folder.ts';
import { temporaryFolder } from '../extraction.ts';
import { openFetching } from '../fetching.ts';
import { packagesFolder } from '../packages-folder.ts';

export type AddModelInput = {
  readonly config: Config;
  /** Address or path of a zip archive, or path of a folder. */
  readonly source: string;
  /** Of the archive, or of the model file in a folder. */
  readonly sha256: string | undefined;
  /** Undefined: as the model file, or the source, is called. */
  readonly name: string | undefined;
  /** What differs from the usage of its kind. */
  readonly usage: { readonly [Member in keyof ModelUsage]?: ModelUsage[Member] | undefined };
};

export type AddedModel = ModelUsage & {
  readonly name: string;
  readonly folder: string;
  readonly sha256: string;
  /** The command that installs the packages it needs; undefined when they are there. */
  readonly install: string | undefined;
};

/**
 * Puts a model beside the data: fetched through the egress gate, which lets pass the host that the address names;
 * compared with its digest before anything is unpacked; of an archive the two files that are needed, under names of
 * ours.
 *
 * @throws AppError `request.invalid` for a source without one model and tokenizer, another digest, an unknown kind ·
 * `record.not-found` without such a file · those of the fetcher
 */
export async function addModel(input: AddModelInput, signal: AbortSignal): Promise<AddedModel> {
  await using stack = new AsyncDisposableStack();
  const source = await open(stack, input, signal);
  if (input.sha256 !== undefined && input.sha256.toLowerCase() !== source.sha256) {
    throw invalidRequest([
      { path: 'sha256', message: `${input.source} has the sha256 ${source.sha256}, not the one that was given` },
    ]);
  }
  const { model, tokenizer } = await source.read();
  const name = input.name ?? nameOf(input.source, source.modelName);
  const usage = usageOf(name, input.usage);
  const folder = join(resolve(input.config.DATA_DIR), 'models', name);
  await writeModelFolder(folder, { name, ...usage, model, tokenizer });
  return { name, ...usage, folder, sha256: source.sha256, install: installOf(input.config) };
}

type ModelSource = {
  readonly sha256: string;
  readonly modelName: string;
  /** Unpacks what is in an archive. */
  read(): Promise<Pick<NewModel, 'model' | 'tokenizer'>>;
};

async function open(stack: AsyncDisposableStack, input: AddModelInput, signal: AbortSignal): Promise<ModelSource> {
  const { source } = input;
  if (/^https?:\/\//i.test(source)) return archiveSource(source, await fetched(stack, input, signal));
  const found = await stat(source).catch((cause: unknown) => {
    throw new AppError('record.not-found', `There is no file or folder ${source}, and it is no address`, { cause });
  });
  if (!found.isDirectory()) return archiveSource(source, source);
  const names = await namesBelow(source);
  const parts = partsOf(source, names);
  return {
    sha256: await digestOfFile(join(source, parts.model)),
    modelName: parts.model,
    read: async () => ({ model: join(source, parts.model), tokenizer: join(source, parts.tokenizer) }),
  };
}

/** Of the folder itself, and of `onnx` in it, as models are published. */
async function namesBelow(folder: string): Promise<readonly string[]> {
  const listed = (below: string) => readdir(join(folder, below)).catch((): string[] => []);
  return [...(await listed('')), ...(await listed('onnx')).map((name) => join('onnx', name))];
}

async function archiveSource(source: string, path: string): Promise<ModelSource> {
  const { size } = await stat(path);
  if (size > MAX_ARCHIVE_BYTES) throw sourceFault(source, `has more than ${MAX_ARCHIVE_BYTES} bytes`);
  const sha256 = await digestOfFile(path);
  const archive = openZip(await readFile(path));
  if (archive.status !== 'ok') throw sourceFault(source, `is no zip archive that is read here: ${archive.reason}`);
  const parts = partsOf(source, [...archive.names]);
  const unpacked = (name: string) => {
    const bytes = archive.bytesOf(name);
    if (bytes === undefined) throw sourceFault(source, `has a damaged ${name}`);
    return bytes;
  };
  return {
    sha256,
    modelName: parts.model,
    read: async () => ({ model: unpacked(parts.model), tokenizer: unpacked(parts.tokenizer) }),
  };
}

/** An archive is read into memory. */
const MAX_ARCHIVE_BYTES = 512 * 2 ** 20;
const FETCH_LIMITS = { ...DEFAULT_FETCH_LIMITS, fileBytes: MAX_ARCHIVE_BYTES, fileMs: 3_600_000 };

/** The path of what is behind the address; gone with the stack. */
async function fetched(
  stack: AsyncDisposableStack,
  { config, source: url, sha256 }: AddModelInput,
  signal: AbortSignal,
): Promise<string> {
  const isSafe = (each: string) => sha256 !== undefined || new URL(each).protocol === 'https:';
  if (!isSafe(url))
    throw sourceFault(url, 'is no https address: give its --sha256, which shows that it is the right one');
  const folder = stack.use(await temporaryFolder());
  const { fetcher } = openFetching(stack, { ...config, DATA_DIR: folder.path });
  const { access } = compileCrawlRules({ config: { seeds: [url] }, configVersion: 0 });
  const { body, status } = await fetcher.fetch(
    {
      url,
      purpose: 'file',
      headers: {},
      validators: undefined,
      limits: FETCH_LIMITS,
      access,
      mayFollow: async (_from, to) => (isSafe(to) ? { follow: true } : { follow: false, reason: 'not-https' }),
    },
    signal,
  );
  if (body === undefined) throw sourceFault(url, `answered ${status}, without a file`);
  if (body instanceof Uint8Array) throw sourceFault(url, 'is no zip archive');
  return body.path;
}

/** One of each, wherever it lies. */
function partsOf(source: string, names: readonly string[]): { readonly model: string; readonly tokenizer: string } {
  const theOnly = (what: string, found: readonly string[]) => {
    const [first, ...more] = found;
    if (first !== undefined && more.length === 0) return first;
    throw sourceFault(source, first === undefined ? `has no ${what}` : `has several: ${found.join(', ')}`);
  };
  return {
    model: theOnly(
      'model: a file that ends with .onnx',
      names.filter((name) => name.endsWith('.onnx')),
    ),
    tokenizer: theOnly(
      'tokenizer.json',
      names.filter((name) => name.endsWith('tokenizer.json')),
    ),
  };
}

/** Says itself what it is, unless it is called as all are. */
function nameOf(source: string, modelName: string): string {
  const stem = basename(modelName, '.onnx');
  const told = /^model/i.test(stem) ? basename(resolve(source)).replace(/\.(?:zip|jar)$/i, '') : stem;
  return told.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'model';
}

function usageOf(name: string, { pooling, ...told }: AddModelInput['usage']): ModelUsage {
  const known = usageOfKind(name);
  const how = pooling ?? known?.pooling;
  if (how === undefined) {
    const message = `How ${name} makes one vector of a text is not known here: say --pooling mean or cls, and --query-prefix and --passage-prefix where it wants them, as its documentation does; or --name, when it is a bge, e5 or MiniLM`;
    throw invalidRequest([{ path: 'pooling', message }]);
  }
  return {
    pooling: how,
    queryPrefix: told.queryPrefix ?? known?.queryPrefix ?? '',
    passagePrefix: told.passagePrefix ?? known?.passagePrefix ?? '',
    maxTokens: told.maxTokens ?? known?.maxTokens ?? MAX_TOKENS,
  };
}

/** The command that installs what it needs; undefined when all is there. */
function installOf({ DATA_DIR }: Config): string | undefined {
  const folder = packagesFolder(DATA_DIR);
  const missing = missingModelPackages(folder);
  return missing.length === 0 ? undefined : installCommand(folder, missing);
}

function sourceFault(source: string, problem: string): AppError {
  return invalidRequest([{ path: 'source', message: `${source} ${problem}` }]);
}
