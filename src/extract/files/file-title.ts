import type { ExtractInput, FileExtraction } from '../extraction.ts';

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
export function pickFileTitle(
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
export function fileNameOf({ url, headers }: Pick<ExtractInput, 'url' | 'headers'>): string {
  const inHeader = /filename\*?\s*=\s*(?:utf-8'[^']*')?"?([^";]+)/i.exec(headers.contentDisposition ?? '')?.[1];
  const segment = (URL.parse(url)?.pathname ?? '').split('/').at(-1) ?? '';
  return unescaped(inHeader ?? segment)
    .replace(/^.*[/\\]/, '')
    .trim();
}

/** Lower case, without the dot; `''` when the name has none. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
