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
