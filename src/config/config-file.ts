import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, stringify } from 'yaml';
import { invalidRequest, type Problem } from '../core/errors.ts';

const FILE_NAMES = ['fossick.config.ts', 'fossick.config.yaml', 'fossick.config.json'];

export type MemberPath = readonly (string | number)[];

/** A read provision file. Its content is unchecked: `settings` are read by the configuration, the rest is planned. */
export type ConfigFile = {
  /** Name without folders: what records are managed by, and what messages say. */
  readonly name: string;
  readonly content: unknown;
  /** Line of the member, or of the nearest one around it; undefined for TypeScript, which has no lines by then. */
  lineOf(path: MemberPath): number | undefined;
};

/**
 * Reads the file named, else the one `fossick.config.*` of the folder; undefined when there is none.
 * @throws AppError `request.invalid` with file and line of each mistake, or with the whole path when no file can be
 *   read there
 */
export async function readConfigFile(folder: string, named: string | undefined): Promise<ConfigFile | undefined> {
  const path = named === undefined ? findFile(folder) : resolve(folder, named);
  if (path === undefined) return undefined;
  const read = READERS[extname(path)];
  if (read === undefined) throw unusable(path, 'must end in .ts, .yaml, .yml or .json');
  return read(path);
}

/** `file:line`, or the file alone. */
export function placeOf(file: Pick<ConfigFile, 'name' | 'lineOf'>, path: MemberPath): string {
  const line = file.lineOf(path);
  return line === undefined ? file.name : `${file.name}:${line}`;
}

/** One line per problem of the file's content, each with the file and line of its member. */
export function locateProblems(
  file: Pick<ConfigFile, 'name' | 'lineOf'>,
  problems: readonly Problem[],
): readonly string[] {
  return problems.map(({ path, message }) => `${placeOf(file, stepsOf(path))}: ${message}`);
}

/** `customers[0].keys` → `customers`, 0, `keys`. */
function stepsOf(path: string): MemberPath {
  return (path.match(/[^.[\]]+/g) ?? []).map((step) => (/^[0-9]+$/.test(step) ? Number(step) : step));
}

/** Content as the text of a YAML file. */
export function printConfigFile(content: unknown): string {
  return stringify(content, { lineWidth: 0 });
}

const READERS: Readonly<Record<string, (path: string) => Promise<ConfigFile>>> = {
  '.ts': readTypeScript,
  '.yaml': readYaml,
  '.yml': readYaml,
  '.json': readJson,
};

function findFile(folder: string): string | undefined {
  const [first, second] = FILE_NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (second === undefined) return first;
  throw mistake(second, `is one file too many beside ${basename(first ?? '')}: remove one, or set CONFIG_FILE`);
}

async function readYaml(path: string): Promise<ConfigFile> {
  const { document, lines } = parseWithLines(path, await readText(path));
  return { name: basename(path), content: document.toJS(), lineOf: lineFinder(document, lines) };
}

/** JSON is YAML: the strict parser gives the content, the other one the lines. */
async function readJson(path: string): Promise<ConfigFile> {
  const text = await readText(path);
  const content = parseStrictly(path, text);
  const { document, lines } = parseWithLines(path, text);
  return { name: basename(path), content, lineOf: lineFinder(document, lines) };
}

async function readTypeScript(path: string): Promise<ConfigFile> {
  if (!existsSync(path)) throw unusable(path, 'does not exist');
  const module: { default?: unknown } = await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw mistake(path, `cannot be loaded: ${firstLine(cause)}`);
  });
  if (module.default === undefined) throw mistake(path, 'must have a default export made by defineConfig');
  return { name: basename(path), content: module.default, lineOf: () => undefined };
}

async function readText(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw unusable(path, cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code})`);
  });
  return text.replace(/^\uFEFF/, '');
}

function parseStrictly(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = firstLine(cause);
    const position = /at position ([0-9]+)/.exec(message)?.[1];
    const line = text.slice(0, position === undefined ? undefined : Number(position)).split('\n').length;
    throw mistake(path, `is no JSON: ${message.replace(/ in JSON at position.*$/, '')}`, line);
  }
}

function parseWithLines(path: string, text: string): { readonly document: Document; readonly lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length === 0) return { document, lines };
  throw invalidRequest(
    document.errors.map(({ message, pos: [offset] }) => problemAt(path, message, lines.linePos(offset).line)),
  );
}

/** Looks as far along the path as the document goes. */
function lineFinder(document: Document, lines: LineCounter): ConfigFile['lineOf'] {
  return (path) => {
    let node: unknown = document.contents;
    let offset = startOf(node);
    for (const step of path) {
      const next = memberOf(node, step);
      if (next === undefined) break;
      offset = startOf(next.place) ?? offset;
      node = next.value;
    }
    return offset === undefined ? 1 : lines.linePos(offset).line;
  };
}

function memberOf(
  node: unknown,
  step: string | number,
): { readonly place: unknown; readonly value: unknown } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return item === undefined ? undefined : { place: item, value: item };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  return pair && { place: pair.key, value: pair.value };
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}

/** The whole path: the operator may have meant another folder. */
function unusable(path: string, message: string): Error {
  return invalidRequest([{ path, message }]);
}

function mistake(path: string, message: string, line?: number): Error {
  return invalidRequest([problemAt(path, message, line)]);
}

function problemAt(path: string, message: string, line?: number): Problem {
  return { path: line === undefined ? basename(path) : `${basename(path)}:${line}`, message };
}

function firstLine(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0] ?? '';
}
