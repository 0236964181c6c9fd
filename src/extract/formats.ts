/**
 * The formats of files that the product knows, a row each: what their names end in and by what they are told. What depends
 * on a format is derived from here; `files/readers.ts` has the reader of each.
 */

/** Formats that are read in a parser child: their files are untrusted programs' work. */
export const FILE_KINDS = [
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'odt',
  'ods',
  'odp',
  'epub',
  'rtf',
  'doc',
  'xls',
  'ppt',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export type FileFormat = {
  /** In lower case, parted by blanks: documents, templates, files with macros. */
  readonly endings: string;
  /** Beginning of the `mimetype` entry of a zip file. */
  readonly zipType?: string;
  /** Beginning of a name in a zip file without that entry. */
  readonly zipName?: string;
  /** Names of streams in a compound file. */
  readonly streams?: readonly string[];
};

/** The first row that a file fits counts. */
export const FILE_FORMATS: Readonly<Record<FileKind, FileFormat>> = {
  pdf: {
    endings: 'pdf',
  },
  docx: {
    endings: 'docx docm dotx dotm',
    zipName: 'word/',
  },
  xlsx: {
    endings: 'xlsx xlsm xltx xltm',
    zipName: 'xl/',
  },
  pptx: {
    endings: 'pptx pptm ppsx ppsm potx potm',
    zipName: 'ppt/',
  },
  odt: {
    endings: 'odt ott',
    zipType: 'application/vnd.oasis.opendocument.text',
  },
  ods: {
    endings: 'ods ots',
    zipType: 'application/vnd.oasis.opendocument.spreadsheet',
  },
  odp: {
    endings: 'odp otp',
    zipType: 'application/vnd.oasis.opendocument.presentation',
  },
  epub: {
    endings: 'epub',
    zipType: 'application/epub+zip',
    zipName: 'meta-inf/container.xml',
  },
  rtf: {
    endings: 'rtf',
  },
  doc: {
    endings: 'doc dot',
    streams: ['WordDocument'],
  },
  xls: {
    endings: 'xls xlt',
    streams: ['Workbook', 'WORKBOOK', 'Book', 'BOOK'],
  },
  ppt: {
    endings: 'ppt pps',
    streams: ['PowerPoint Document'],
  },
};

/** Formats of plain text, read where they are decoded. */
export const TEXT_KINDS = ['text', 'markdown', 'asciidoc', 'org', 'delimited', 'json'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

export type TextFormat = {
  /** In lower case, parted by blanks. */
  readonly endings: string;
  /** Of responses, parted by blanks. */
  readonly mediaTypes: string;
};

export const TEXT_FORMATS: Readonly<Record<TextKind, TextFormat>> = {
  text: {
    endings: 'txt log',
    mediaTypes: 'text/plain',
  },
  markdown: {
    endings: 'md markdown',
    mediaTypes: 'text/markdown text/x-markdown',
  },
  asciidoc: {
    endings: 'adoc asciidoc',
    mediaTypes: 'text/asciidoc text/x-asciidoc',
  },
  org: {
    endings: 'org',
    mediaTypes: 'text/org text/x-org',
  },
  delimited: {
    endings: 'csv tsv',
    mediaTypes: 'text/csv text/tab-separated-values application/csv',
  },
  json: {
    endings: 'json geojson jsonl ndjson',
    mediaTypes: 'application/json application/geo+json application/x-ndjson',
  },
};

/** Formats that are known and have no reader, with what the log says about them. */
export const UNREAD_FORMATS = {
  xlsb: {
    endings: 'xlsb',
    zipName: 'xl/workbook.bin',
    reason: 'Binary workbooks (xlsb) are not supported: save the file as xlsx',
  },
  sitemap: { endings: '', reason: 'A sitemap is a list of pages, no document' },
  feed: { endings: '', reason: 'A feed is a list of pages, no document' },
  unsupported: { endings: '', reason: 'The format is not supported' },
} as const satisfies Readonly<
  Record<string, { readonly endings: string; readonly zipName?: string; readonly reason: string }>
>;
export type UnreadKind = keyof typeof UNREAD_FORMATS;

const fileEndings = new Set(Object.values(FILE_FORMATS).flatMap(({ endings }) => wordsOf(endings)));
const textKindByEnding = kindsBy(({ endings }) => endings);
const textKindByType = kindsBy(({ mediaTypes }) => mediaTypes);
const knownEndings: ReadonlySet<string> = new Set([
  ...fileEndings,
  ...textKindByEnding.keys(),
  ...Object.values(UNREAD_FORMATS).flatMap(({ endings }) => wordsOf(endings)),
]);

/** Whether files whose names end so are of a known format. */
export function isFileEnding(ending: string): boolean {
  return knownEndings.has(ending.toLowerCase());
}

/** Whether the name of a path says that a parser child will read what is behind it. */
export function isFileName(path: string): boolean {
  return fileEndings.has(endingOf(path));
}

/** The format of text that a path names. */
export function textKindOfName(path: string): TextKind | undefined {
  return textKindByEnding.get(endingOf(path));
}

/** The format of text that a media type names, its parameters left out. */
export function textKindOfType(type: string): TextKind | undefined {
  return textKindByType.get(type);
}

function endingOf(path: string): string {
  return /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}

function kindsBy(list: (format: TextFormat) => string): ReadonlyMap<string, TextKind> {
  return new Map(TEXT_KINDS.flatMap((kind) => wordsOf(list(TEXT_FORMATS[kind])).map((word) => [word, kind] as const)));
}

function wordsOf(list: string): readonly string[] {
  return list.split(' ').filter((word) => word !== '');
}
