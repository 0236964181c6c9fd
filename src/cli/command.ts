import { isDeepStrictEqual, type ParseArgsOptionsConfig } from 'node:util';
import { AppError } from '../core/errors.ts';
import type { Client } from './client.ts';

export type Input = {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
};

/** A screen that can be drawn again; undefined where the output goes into a file or a pipe. */
export type Terminal = { readonly columns: () => number };

/** What a command works with. */
export type Context = {
  readonly print: Printer;
  /** Connects at first use: commands on files need no server. */
  readonly client: () => Promise<Client>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly folder: string;
  readonly dataDir: () => Promise<string>;
  /** The same, with the stores in it. @throws AppError `feature.disabled` when they are in a database */
  readonly storeFolder: () => Promise<string>;
  readonly terminal: Terminal | undefined;
  /** What is written to the command. */
  readonly input: () => AsyncIterable<Uint8Array | string>;
  /** Aborted by Ctrl-C, which does not end the process once this was asked for. */
  readonly interruption: () => AbortSignal;
  /** The command did its work and what it shows is bad: exit code 1. */
  readonly endBadly: () => void;
};

export type Command = {
  /** `customer add` */
  readonly name: string;
  /** What follows the name: `<id> <member=value…>`. */
  readonly usage: string;
  /** One line of the overview. */
  readonly summary: string;
  /** What may follow the name, such as `6 perPage=20`. */
  readonly example?: string;
  /** What its help says behind the example: the forms of what it takes. */
  readonly forms?: string;
  /** Number of words after the name, least and most. */
  readonly words: readonly [number, number];
  readonly options?: ParseArgsOptionsConfig;
  /** Routes of the admin API that it calls: `POST /customers`. */
  readonly routes: readonly string[];
  readonly run: (context: Context, input: Input) => Promise<void>;
};

/** A mistake on the command line: exit code 2. */
export function wrongUsage(message: string): AppError {
  return new AppError('request.invalid', message);
}

/** What has an id, and the command that shows it. */
const LISTS = {
  change: 'crawler history',
  banner: 'banner list',
  'alert target': 'alert list',
  crawler: 'crawler list',
  customer: 'customer list',
  document: 'documents list',
  engine: 'engine list',
  'hidden page': 'hide list',
  key: 'key list',
  pattern: 'crawler patterns',
  question: 'golden list',
  quicklink: 'quicklink list',
  ranking: 'ranking list',
  run: 'run list',
  synonym: 'synonym list',
} as const;

/** An id among the words. @throws AppError `request.invalid` */
export function idWord(input: Input, position: number, noun: keyof typeof LISTS): number {
  const word = input.positionals[position] ?? '';
  if (/^[1-9][0-9]{0,15}$/.test(word)) return Number(word);
  throw wrongUsage(`${JSON.stringify(word)} is no id of a ${noun}: use the number that "fossick ${LISTS[noun]}" shows`);
}

/** @throws AppError `request.invalid` when it is not given */
export function requiredOption(input: Input, name: string): string {
  const value = textOption(input, name);
  if (value === undefined) throw wrongUsage(`--${name} is missing`);
  return value;
}

export function textOption(input: Input, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws AppError `request.invalid` for anything but a whole number */
export function numberOption(input: Input, name: string): number | undefined {
  const value = textOption(input, name);
  if (value === undefined) return undefined;
  if (/^[0-9]{1,15}$/.test(value)) return Number(value);
  throw wrongUsage(`--${name} must be a whole number`);
}

/**
 * The members that words change of a record below the admin API, which is asked only where it has to be known: then
 * `tag` is the state that they are meant for.
 */
export async function changesOfRecord(
  client: Pick<Client, 'tagged'>,
  path: string,
  words: readonly string[],
): Promise<{ readonly members: Row; readonly tag: string | undefined }> {
  if (!hasListChange(words)) return { members: membersOf(words), tag: undefined };
  const { record, tag } = await client.tagged(path);
  return { members: changesOf(words, record), tag };
}

/** A removal cannot be taken back. @throws AppError `request.invalid` without --yes */
export function requireYes(input: Input, what: string): void {
  if (input.options['yes'] !== true) throw wrongUsage(`This removes ${what} for good: say it again with --yes`);
}

export type Row = Readonly<Record<string, unknown>>;

export type Printer = {
  readonly isJson: boolean;
  /** One sentence for people; nothing with `--json`. */
  note(text: string): void;
  /** What is no part of the result: warnings. Always on the error output. */
  warn(text: string): void;
  /** The same under a title of its own, `error: ...`. */
  problem(title: string, text: string): void;
  /** A line of stored text. */
  text(line: string): void;
  /** Text as it is. */
  raw(text: string): void;
  /** A list: as a table of the columns, or as JSON whole. `whenEmpty` says what to do next. */
  rows(rows: readonly Row[], columns: readonly string[], whenEmpty?: string): void;
  /** One record: a line per member, or as JSON. */
  record(record: Row): void;
};

const MAX_CELL_CHARS = 80;

export function createPrinter(
  out: (text: string) => void,
  err: (text: string) => void,
  { isJson }: { readonly isJson: boolean },
): Printer {
  const json = (value: unknown) => out(`${JSON.stringify(value, null, 2)}\n`);
  return {
    isJson,
    note: (text) => {
      if (!isJson) out(`${text}\n`);
    },
    warn: (text) => err(`warning: ${text}\n`),
    problem: (title, text) => err(`${title}: ${textOf(text)}\n`),
    text: (line) => out(`${textOf(line)}\n`),
    raw: out,
    rows: (rows, columns, whenEmpty = 'nothing') => {
      if (isJson) json(rows);
      else if (rows.length === 0) out(`${whenEmpty}\n`);
      else out(table(rows, columns));
    },
    record: (record) => {
      if (isJson) json(record);
      else out(lines(record));
    },
  };
}

function table(rows: readonly Row[], columns: readonly string[]): string {
  const cells = [columns, ...rows.map((row) => columns.map((column) => shortened(textOf(row[column]))))];
  const widths = columns.map((_, position) => Math.max(...cells.map((line) => line[position]?.length ?? 0)));
  const printed = cells.map((line) => line.map((cell, position) => cell.padEnd(widths[position] ?? 0)).join('  '));
  return `${printed.map((line) => line.trimEnd()).join('\n')}\n`;
}

function lines(record: Row): string {
  const width = Math.max(0, ...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}\n`)
    .join('');
}

/** One line of text for a value. Control characters would let stored text drive the terminal. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

function shortened(text: string): string {
  return text.length <= MAX_CELL_CHARS ? text : `${text.slice(0, MAX_CELL_CHARS - 1)}…`;
}

type Members = { [name: string]: unknown };

/**
 * Words `name=value` as members of a body: a value is JSON when it is valid JSON, else text; nothing after `=` is
 * null, which brings back a default; dots lead into objects (`limits.depth=3`).
 * @throws AppError `request.invalid`
 */
export function membersOf(words: readonly string[]): Readonly<Record<string, unknown>> {
  const members: Members = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw wrongUsage(`${JSON.stringify(word)} must have the form member=value`);
    place(members, word.slice(0, at).split('.'), readValue(word.slice(at + 1)));
  }
  return members;
}

/** `exclude+=/old/**` */
const LIST_CHANGE = /^([\w.]+)([+-])=(.*)$/s;

/**
 * The same for a record that is there: `member+=value` adds a value to a list, unless it is there, and `member-=value`
 * takes it away.
 * @throws AppError `request.invalid`, also for a member that is no list and for a value that is not there
 */
export function changesOf(words: readonly string[], present: Row): Readonly<Record<string, unknown>> {
  const changed = words.flatMap((word) => {
    const [, name = '', sign, value = ''] = LIST_CHANGE.exec(word) ?? [];
    return sign === undefined ? [] : [{ path: name.split('.'), sign, value: readValue(value) }];
  });
  const members: Members = { ...membersOf(words.filter((word) => !LIST_CHANGE.test(word))) };
  for (const { path, sign, value } of changed) {
    const list = memberAt(members, path) ?? memberAt(present, path) ?? [];
    const name = path.join('.');
    if (!Array.isArray(list)) throw wrongUsage(`${name} is no list: set it by ${name}=…`);
    place(members, path, sign === '+' ? withValue(list, value) : withoutValue(list, { name, value }));
  }
  return members;
}

/** Whether words change lists of a record, which has to be known for it. */
function hasListChange(words: readonly string[]): boolean {
  return words.some((word) => LIST_CHANGE.test(word));
}

function memberAt(members: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Members)[name] : undefined),
    members,
  );
}

function withValue(list: readonly unknown[], value: unknown): readonly unknown[] {
  return list.some((known) => isDeepStrictEqual(known, value)) ? list : [...list, value];
}

function withoutValue(
  list: readonly unknown[],
  { name, value }: { readonly name: string; readonly value: unknown },
): readonly unknown[] {
  const rest = list.filter((known) => !isDeepStrictEqual(known, value));
  if (rest.length < list.length) return rest;
  throw wrongUsage(`${name} does not hold ${JSON.stringify(value)}: it is ${JSON.stringify(list)}`);
}

function place(members: Members, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    define(members, first, value);
    return;
  }
  const present = Object.hasOwn(members, first) ? members[first] : undefined;
  const inner: Members = typeof present === 'object' && present !== null ? (present as Members) : {};
  place(inner, rest, value);
  define(members, first, inner);
}

/** Also for names such as `__proto__`, which an assignment would not make a member. */
function define(members: Members, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

function readValue(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
