import type { Section } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { ExtractInput, Extraction, FileExtraction, MediaKind } from '../extraction.ts';
import { contentHashOf, similarityHashOf } from '../fingerprints.ts';
import { readDate } from '../html/dates.ts';
import { readDirectives } from '../html/directives.ts';
import { sectionIds } from '../html/sections.ts';
import { languageOf } from '../page-language.ts';

/** The document of a file from what its parser read. */
export function extractFile(input: ExtractInput, file: FileExtraction, media: MediaKind, charset = ''): Extraction {
  const pages = file.pages.map((page) => page.trim());
  const content = pages
    .filter((page) => page !== '')
    .join('\n\n')
    .slice(0, EXTRACT_LIMITS.contentChars);
  const title = titleOf(input, file, content);
  const language = languageOf(content, { fixed: input.settings.language, declared: [input.headers.contentLanguage] });
  const created = readDate(file.properties.created ?? '', input.now);
  const name = fileNameOf(input);
  const entries: readonly (readonly [string, string])[] = [
    ['Title', title.text],
    ['Content', content],
    ['Date', created],
    ['Published_date', created],
    ['Modified_date', readDate(file.properties.modified ?? '', input.now) || httpDate(input.headers.lastModified)],
    ['Author', (file.properties.author ?? '').slice(0, EXTRACT_LIMITS.fieldValueChars)],
    ['Language', language?.code ?? ''],
    ['File_type', media === 'text' ? extensionOf(name) || 'txt' : media],
    ['File_name', name],
    ['File_size_number', String(input.body.length)],
    ['Page_count_number', file.paged ? String(pages.length) : ''],
  ];
  const fields = new Map(
    entries.filter(([, value]) => value !== '').map(([field, value]) => [field, [value]] as const),
  );
  const sections = sectionsOf(input.url, title.text, { ...file, pages });
  return {
    status: file.status,
    reason: file.reason,
    kind: 'FileContent',
    fields,
    structure: { version: 1, sections, surroundings: '' },
    language,
    canonicalUrl: undefined,
    alternates: [],
    directives: readDirectives(undefined, input.headers.robots),
    outlinks: [],
    feeds: [],
    refreshUrl: undefined,
    renderWanted: undefined,
    asksPassword: false,
    contentHash: contentHashOf(fields, sections),
    similarityHash: similarityHashOf(content),
    trace: { media, charset, sources: { Title: title.source }, hiddenChars: 0, notes: [] },
  };
}

const NO_TITLE =
  /^(?:untitled|document\d*|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pdf|indd|qxd|xlsx?|pptx?|tex|dvi))$/i;
const MIN_TITLE_WORDS = 3;
const MAX_TITLE_CHARS = 200;

/** The file's own title, its first line of three words, the text of the link to it, its name. */
function titleOf(input: ExtractInput, file: FileExtraction, content: string): { text: string; source: string } {
  const own = file.properties.title ?? '';
  const lines = content.slice(0, 4_000).split('\n');
  const line = lines.find(
    (text) => text.length <= MAX_TITLE_CHARS && text.trim().split(/\s+/).length >= MIN_TITLE_WORDS,
  );
  const candidates = [
    { text: NO_TITLE.test(own) ? '' : own, source: 'property' },
    { text: line ?? '', source: 'first line' },
    { text: input.linkText ?? '', source: 'link' },
    { text: fileNameOf(input), source: 'name' },
  ];
  const found = candidates.map(({ text, source }) => ({
    text: text
      .replace(/^#+\s+/, '')
      .trim()
      .slice(0, MAX_TITLE_CHARS),
    source,
  }));
  return found.find(({ text }) => text !== '') ?? { text: '', source: 'none' };
}

/** Of the header, else the last segment of the URL. */
function fileNameOf({ url, headers }: ExtractInput): string {
  const inHeader = /filename\*?\s*=\s*(?:utf-8'[^']*')?"?([^";]+)/i.exec(headers.contentDisposition ?? '')?.[1];
  const segment = (URL.parse(url)?.pathname ?? '').split('/').at(-1) ?? '';
  return unescaped(inHeader ?? segment)
    .replace(/^.*[/\\]/, '')
    .trim();
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function httpDate(text: string | undefined): string {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** One section per page, one block per paragraph: lines of a paged file, runs of lines of any other. */
function sectionsOf(url: string, title: string, { pages, paged }: FileExtraction): readonly Section[] {
  const idOf = sectionIds(url);
  const headings = title === '' ? [] : [{ level: 1, text: title }];
  return pages.flatMap((page, index) => {
    const blocks = page
      .split(paged ? '\n' : /\n\s*\n/)
      .map((text) => ({ kind: 'paragraph' as const, text: text.trim() }))
      .filter(({ text }) => text !== '');
    if (blocks.length === 0) return [];
    const section = { id: idOf(headings), headings, grounding: true, blocks };
    return [paged ? { ...section, page: index + 1 } : section];
  });
}
