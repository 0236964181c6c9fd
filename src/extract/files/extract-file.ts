import type { Section, SectionBlock, SectionHeading } from '../../core/document.ts';
import { withoutControls } from '../control-characters.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type {
  ExtractInput,
  Extraction,
  FileBlock,
  FileExtraction,
  FileProperties,
  MediaKind,
  Outlink,
} from '../extraction.ts';
import { contentHashOf, similarityHashOf } from '../fingerprints.ts';
import { TEXT_FORMATS, TEXT_KINDS, type TextFormat } from '../formats.ts';
import { readDate } from '../html/dates/dates.ts';
import { readDirectives } from '../html/directives.ts';
import type { FieldContext } from '../html/field-sources.ts';
import { absoluteUrl, namesIn } from '../html/links.ts';
import { ruleDocument } from '../html/ruled-document.ts';
import { sectionIds } from '../html/sections.ts';
import { openWork, type PageWork } from '../html/work.ts';
import { languageOf } from '../page-language.ts';

/**
 * The document of a file from what its parser read. `Content` has no room for all of a long file: what stands behind it
 * is in the sections alone.
 */
export function extractFile(input: ExtractInput, parsed: FileExtraction, media: MediaKind, charset = ''): Extraction {
  const file = withoutControlsOf({ ...parsed, blocks: parsed.blocks.flatMap(withinContentLimit) });
  const { blocks } = file;
  const contentBlocks = countWithinContentLimit(blocks);
  const content = contentOf(blocks.slice(0, contentBlocks));
  const title = pickFileTitle(input, { properties: file.properties, blocks });
  const detected = languageOf(content, {
    fixed: input.settings.language,
    declared: [file.properties.language, input.headers.contentLanguage],
  });
  const known = fieldsOf(input, { file, media, title: title.text, content, language: detected?.code ?? '' });
  const directives = readDirectives(undefined, input.headers.robots);
  const work = openWork();
  const own = sectionsOf(input.url, { title: title.text, blocks, contentBlocks, isQuotable: directives.snippet });
  const { fields, sources, sections, language, ruled, ...noted } = ruleDocument(
    {
      fields: known,
      sources: { ...Object.fromEntries([...known.keys()].map((name) => [name, 'file'])), Title: title.source },
      sections: own.sections,
      language: detected,
    },
    {
      documentId: input.url,
      rules: input.settings.content(input.url).fields,
      context: () => fileContext(input, file.properties, work),
    },
  );
  const cuts = file.status === 'over-limit' ? [...file.cuts, file.reason] : file.cuts;
  // A rule that gives another `Content` has replaced the sections.
  const contentSections = sections[0] === own.sections[0] ? own.contentSections : undefined;
  return {
    status: file.status,
    reason: file.reason,
    kind: 'FileContent',
    fields,
    structure: { version: 1, sections, surroundings: '', ...(contentSections !== undefined && { contentSections }) },
    language,
    cuts,
    canonicalUrl: undefined,
    alternates: [],
    directives,
    outlinks: fileLinks(input.url, file.links),
    feeds: [],
    refreshUrl: undefined,
    renderWanted: undefined,
    asksPassword: false,
    robotWall: undefined,
    templateBlocks: [],
    isTitleSettled: true,
    headTitle: '',
    contentHash: contentHashOf(fields, sections),
    similarityHash: similarityHashOf(content),
    trace: {
      media,
      charset,
      sources,
      hiddenChars: blocks.reduce((chars, { grounding, text }) => (grounding ? chars : chars + text.length), 0),
      notes: [
        ...cuts,
        ...file.notes,
        ...recognized(file),
        ...behindContent(blocks, contentBlocks),
        ...noted.notes,
        ...work.notes(),
      ],
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

/** Formats of programs hold characters that mean something to them alone. */
function withoutControlsOf(file: FileExtraction): FileExtraction {
  const properties = Object.entries(file.properties).map(
    ([name, value]) => [name, withoutControls(value ?? '')] as const,
  );
  return {
    ...file,
    properties: Object.fromEntries(properties.filter(([, value]) => value !== '')),
    blocks: file.blocks
      .map((block) => ({ ...block, text: withoutControls(block.text) }))
      .filter(({ text }) => text.trim() !== ''),
    links: file.links.map(({ url, text }) => ({ url, text: withoutControls(text) })),
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
    ['Ocr_page_count_number', file.recognizedPages ? String(file.recognizedPages) : ''],
  ];
  return new Map(entries.filter(([, value]) => value !== '').map(([field, value]) => [field, [value]] as const));
}

function firstEnding({ endings }: TextFormat): string {
  return endings.split(' ')[0] ?? '';
}

function fileTypeOf(media: MediaKind, name: string): string {
  const format = TEXT_KINDS.find((kind) => kind === media);
  // Files of text are told apart by their extension.
  return format === undefined ? media : extensionOf(name) || firstEnding(TEXT_FORMATS[format]);
}

function httpDate(text: string | undefined): string {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** A block that is longer than `Content` may be, in pieces that are not. */
function withinContentLimit(block: FileBlock): readonly FileBlock[] {
  const most = EXTRACT_LIMITS.contentChars;
  const { text } = block;
  if (text.length <= most) return [block];
  const pieces: FileBlock[] = [];
  for (let from = 0; from < text.length; ) {
    const blank = text.lastIndexOf(' ', from + most - 1);
    const to = from + most >= text.length ? text.length : blank > from ? blank : from + most;
    pieces.push({ ...block, text: text.slice(from, to) });
    from = to;
  }
  return pieces;
}

/** Blocks until the text is as long as `Content` may be. */
function countWithinContentLimit(blocks: readonly FileBlock[]): number {
  let chars = 0;
  const end = blocks.findIndex(({ text }) => {
    chars += text.length + 1;
    return chars > EXTRACT_LIMITS.contentChars + 1;
  });
  return end < 0 ? blocks.length : end;
}

function recognized({ recognizedPages = 0 }: FileExtraction): readonly string[] {
  return recognizedPages === 0 ? [] : [`${recognizedPages} pages were read by OCR`];
}

function behindContent(blocks: readonly FileBlock[], contentBlocks: number): readonly string[] {
  const first = blocks[contentBlocks];
  if (first === undefined) return [];
  const place = first.page === undefined ? '' : ` from page ${first.page} on`;
  return [`Content is full: the text${place} is searched as sections alone`];
}

/** Links of a file: one per URL, with its longest text, absolute, without fragment, `http(s)` only. */
function fileLinks(base: string, links: FileExtraction['links']): readonly Outlink[] {
  const texts = new Map<string, string>();
  for (const { url, text } of links) {
    const target = absoluteUrl(url, base);
    if (target === undefined || (texts.size >= EXTRACT_LIMITS.outlinks && !texts.has(target))) continue;
    const known = texts.get(target) ?? '';
    texts.set(target, text.length > known.length ? text : known);
  }
  return [...texts].map(([url, text]) => ({
    url,
    text: text.slice(0, EXTRACT_LIMITS.linkTextChars),
    texts: namesIn(text),
    region: 'content',
    follow: true,
  }));
}

/** Address of a field of Word that is a link (ECMA-376 part 1, 17.16.5.25); `\\l` before it names a place in the file. */
export function addressOfField(instruction: string): string | undefined {
  return /^\s*HYPERLINK\s+(?:\\[mnot]\s+)*"?([^"\s\\][^"\s]*)/i.exec(instruction)?.[1];
}

/** A line per block and per line within it, a blank line between pages; the same line never twice in a row. */
function contentOf(blocks: readonly FileBlock[]): string {
  const lines: string[] = [];
  let page: number | undefined;
  for (const block of blocks) {
    if (page !== undefined && block.page !== page) lines.push('');
    page = block.page;
    if (lines.at(-1) !== block.text) lines.push(block.text);
  }
  return lines.join('\n');
}

type SectionSource = {
  /** Stands above text that has no heading. */
  readonly title: string;
  readonly blocks: readonly FileBlock[];
  /** How many of them are in `Content`: no section goes on behind them. */
  readonly contentBlocks: number;
  /** False when the site forbids to quote the file. */
  readonly isQuotable: boolean;
};

type FileSections = {
  readonly sections: readonly Section[];
  /** How many of them `Content` has; undefined = all. */
  readonly contentSections: number | undefined;
};

type SectionDraft = {
  readonly path: readonly SectionHeading[];
  readonly page?: number;
  readonly grounding: boolean;
  readonly blocks: SectionBlock[];
};

function isSameSection(a: SectionDraft, b: Omit<SectionDraft, 'blocks'>): boolean {
  return a.path === b.path && a.page === b.page && a.grounding === b.grounding;
}

/** Sections by heading path, page and whether a reader sees them; a heading without text below it has none. */
function sectionsOf(documentId: string, { title, blocks, contentBlocks, isQuotable }: SectionSource): FileSections {
  const root: readonly SectionHeading[] = title === '' ? [] : [{ level: 1, text: title }];
  const drafts: SectionDraft[] = [];
  let path: readonly SectionHeading[] = [];
  let contentSections: number | undefined;
  for (const [at, { kind, level, text, page, grounding: isSeen }] of blocks.entries()) {
    if (at === contentBlocks) contentSections = drafts.length;
    if (kind === 'heading') {
      path = [...path.filter((above) => above.level < level), { level, text }];
      continue;
    }
    const draft = { path, grounding: isSeen && isQuotable, ...(page === undefined ? {} : { page }) };
    const last = drafts.length === contentSections ? undefined : drafts.at(-1);
    if (last !== undefined && isSameSection(last, draft)) last.blocks.push({ kind, text });
    else drafts.push({ ...draft, blocks: [{ kind, text }] });
  }
  const idOf = sectionIds(documentId);
  const sections = drafts.map(({ path: own, ...draft }) => {
    const headings = own.length > 0 ? own : root;
    return { id: idOf(headings), headings, ...draft };
  });
  return { sections, contentSections };
}

/** What programs and scanners write where a title should stand. */
const NO_TITLE =
  /^(?:untitled.*|(?:sheet|slide|table|tabelle|feuil|hoja|foglio|blad|ark|planilha|arkusz|лист|시트|幻灯片)\s?\d+|no slide title|kein folientitel|ingen lysbildetittel|没有幻灯片标题|document\d*|(?:microsoft|powerpoint|word|excel)\b.* - .*|powerpoint[- ]pr(?:e|ä)sentation|.*\.(?:docx?|pdf|indd|qxd|xlsx?|pptx?|odt|rtf|tex|dvi|ps|txt|pmd|p65|fm|cdr))$/i;
const MIN_TITLE_WORDS = 3;
const MAX_TITLE_CHARS = 200;
/** Blocks that are looked at for a first line. */
const FIRST_BLOCKS = 40;

/**
 * The title that the file states, its first outline entry or heading, its first line of three words, the text of the
 * link to it, its name.
 */
function pickFileTitle(
  input: ExtractInput,
  { properties, blocks }: Pick<FileExtraction, 'properties' | 'blocks'>,
): { readonly text: string; readonly source: string } {
  const heading = blocks.slice(0, FIRST_BLOCKS).find(({ kind, grounding }) => kind === 'heading' && grounding);
  const candidates = [
    { text: properties.title ?? '', source: 'property' },
    { text: properties.outline ?? '', source: 'outline' },
    { text: heading?.text ?? '', source: 'heading' },
    { text: firstLine(blocks), source: 'first line' },
    { text: input.linkText ?? '', source: 'link' },
    { text: fileNameOf(input), source: 'name' },
  ].map(({ text, source }) => ({ text: tidyTitle(text), source }));
  const isTitle = ({ text, source }: { readonly text: string; readonly source: string }) =>
    text !== '' && (source === 'name' || !NO_TITLE.test(text));
  return candidates.find(isTitle) ?? { text: '', source: 'none' };
}

function tidyTitle(text: string): string {
  return text
    .replace(/^#+\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_CHARS);
}

function firstLine(blocks: FileExtraction['blocks']): string {
  const seen = blocks.slice(0, FIRST_BLOCKS).filter(({ grounding }) => grounding);
  const lines = seen.flatMap(({ text }) => text.slice(0, 4_000).split('\n'));
  return (
    lines.find((line) => line.length <= MAX_TITLE_CHARS && line.trim().split(/\s+/).length >= MIN_TITLE_WORDS) ?? ''
  );
}

/** Of the header, else the last segment of the URL. */
function fileNameOf({ url, headers }: Pick<ExtractInput, 'url' | 'headers'>): string {
  const inHeader = /filename\*?\s*=\s*(?:utf-8'[^']*')?"?([^";]+)/i.exec(headers.contentDisposition ?? '')?.[1];
  const segment = (URL.parse(url)?.pathname ?? '').split('/').at(-1) ?? '';
  return unescaped(inHeader ?? segment)
    .replace(/^.*[/\\]/, '')
    .trim();
}

/** Lower case, without the dot; `''` when the name has none. */
function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
