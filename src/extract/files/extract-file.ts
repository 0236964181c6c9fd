import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { ExtractInput, Extraction, FileBlock, FileExtraction, FileProperties, MediaKind } from '../extraction.ts';
import { contentHashOf, similarityHashOf } from '../fingerprints.ts';
import { readDate } from '../html/dates.ts';
import { readDirectives } from '../html/directives.ts';
import type { FieldContext } from '../html/field-sources.ts';
import { ruleDocument } from '../html/ruled-document.ts';
import { openWork, type PageWork } from '../html/work.ts';
import { languageOf } from '../page-language.ts';
import { fileLinks } from './file-links.ts';
import { contentOf, sectionsOf } from './file-sections.ts';
import { extensionOf, fileNameOf, pickFileTitle } from './file-title.ts';

/** The document of a file from what its parser read. */
export function extractFile(input: ExtractInput, file: FileExtraction, media: MediaKind, charset = ''): Extraction {
  const { blocks, notes } = withinContentLimit(file.blocks);
  const content = contentOf(blocks);
  const title = pickFileTitle(input, { properties: file.properties, blocks });
  const detected = languageOf(content, {
    fixed: input.settings.language,
    declared: [file.properties.language, input.headers.contentLanguage],
  });
  const known = fieldsOf(input, { file, media, title: title.text, content, language: detected?.code ?? '' });
  const directives = readDirectives(undefined, input.headers.robots);
  const work = openWork();
  const { fields, sources, sections, language, ruled, ...noted } = ruleDocument(
    {
      fields: known,
      sources: { ...Object.fromEntries([...known.keys()].map((name) => [name, 'file'])), Title: title.source },
      sections: sectionsOf(input.url, { title: title.text, blocks, isQuotable: directives.snippet }),
      language: detected,
    },
    {
      documentId: input.url,
      rules: input.settings.content(input.url).fields,
      context: () => fileContext(input, file.properties, work),
    },
  );
  return {
    status: file.status,
    reason: file.reason,
    kind: 'FileContent',
    fields,
    structure: { version: 1, sections, surroundings: '' },
    language,
    canonicalUrl: undefined,
    alternates: [],
    directives,
    outlinks: fileLinks(input.url, file.links),
    feeds: [],
    refreshUrl: undefined,
    renderWanted: undefined,
    asksPassword: false,
    templateBlocks: [],
    contentHash: contentHashOf(fields, sections),
    similarityHash: similarityHashOf(content),
    trace: {
      media,
      charset,
      sources,
      hiddenChars: blocks.reduce((chars, { grounding, text }) => (grounding ? chars : chars + text.length), 0),
      notes: [...file.notes, ...notes, ...noted.notes, ...work.notes()],
      ...(input.explain === true && { rules: ruled }),
    },
  };
}

/** Rules for fields see the properties of a file as they see the meta elements of a page. */
function fileContext({ url, headers }: ExtractInput, properties: FileProperties, work: PageWork): FieldContext {
  const metas = new Map(
    Object.entries(properties).map(([name, value]) => [name.toLowerCase(), [value ?? '']] as const),
  );
  return {
    kind: 'file',
    url,
    base: url,
    root: undefined,
    page: undefined,
    metas,
    headers: headers.named ?? {},
    items: [],
    work,
  };
}

type FieldSource = {
  readonly file: FileExtraction;
  readonly media: MediaKind;
  readonly title: string;
  readonly content: string;
  readonly language: string;
};

function fieldsOf(input: ExtractInput, { file, media, title, content, language }: FieldSource): Extraction['fields'] {
  const { properties, pageCount } = file;
  const name = fileNameOf(input);
  const created = readDate(properties.created ?? '', input.now);
  const modified = readDate(properties.modified ?? '', input.now) || httpDate(input.headers.lastModified);
  const entries: readonly (readonly [string, string])[] = [
    ['Title', title],
    ['Content', content],
    ['Date', created],
    ['Published_date', created],
    ['Modified_date', modified],
    ['Author', (properties.author ?? '').slice(0, EXTRACT_LIMITS.fieldValueChars)],
    ['Language', language],
    ['File_type', fileTypeOf(media, name)],
    ['File_name', name],
    ['File_size_number', String(input.body.length)],
    ['Page_count_number', pageCount === undefined ? '' : String(pageCount)],
  ];
  return new Map(entries.filter(([, value]) => value !== '').map(([field, value]) => [field, [value]] as const));
}

/** Files of text are told apart by their extension. */
const TEXT_TYPES: Readonly<Partial<Record<MediaKind, string>>> = {
  text: 'txt',
  markdown: 'md',
  delimited: 'csv',
  json: 'json',
};

function fileTypeOf(media: MediaKind, name: string): string {
  const text = TEXT_TYPES[media];
  return text === undefined ? media : extensionOf(name) || text;
}

function httpDate(text: string | undefined): string {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** Blocks until the text is as long as `Content` may be; a block is not cut but left out. */
function withinContentLimit(blocks: readonly FileBlock[]): Pick<FileExtraction, 'blocks' | 'notes'> {
  let chars = 0;
  const end = blocks.findIndex(({ text }) => {
    chars += text.length + 1;
    return chars > EXTRACT_LIMITS.contentChars;
  });
  if (end < 0) return { blocks, notes: [] };
  const first = blocks.slice(0, Math.max(1, end)).map((block) => {
    return { ...block, text: block.text.slice(0, EXTRACT_LIMITS.contentChars) };
  });
  return { blocks: first, notes: ['content limit'] };
}
