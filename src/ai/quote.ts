import type { Passage, PassageSentence } from '../search/passage.ts';
import { foldWord } from '../text/folding.ts';
import { answerTableOf } from '../text/languages/packs.ts';
import { endsSentence } from '../text/sentences.ts';
import { mayNameColumn } from './blocks/answer-blocks.ts';

/** A sentence of a source that is said as it stands. */
export type Quote = {
  readonly reference: number;
  readonly passage: Passage;
  /** Index of the sentence in its passage. */
  readonly at: number;
};

/** A piece of Markdown: one sentence, item, row or block of code with its marker. */
type Piece = { readonly text: string; readonly isInline: boolean; readonly last: Quote };

/** A longer line says something of its own. */
const LABEL_CHARS = 100;
/** A row of so many reads as a name and its value. */
const PLAIN_CELLS = 2;
/** Of a heading or term, to itself. */
const HEADER_LINK = /\s*[¶§]$/u;
/** A footnote of the page would look like a marker of the answer. */
const FOOTNOTE = /\s?\[\d{1,4}\]/g;
/** Words that Markdown would read as markup: tags, and runs of its marks of emphasis and code. */
const MARKUP = /<[^<>]{1,200}>|[^\s`]*(?:\*|__|~~)[^\s`]*/gu;
const OPENS_BLOCK = /^(?=[#>])/;
/** At the beginning and at the end of a row. */
const EMPTY_CELLS = /^\s*(?:\|\s+)+|(?:\s+\|)+\s*$/g;

/**
 * The quotes as Markdown, `[n]` behind each; lists and code as such, a blank line where another source begins, or what
 * stands further up on the page.
 */
export function* quoteSentences(quotes: readonly Quote[]): Generator<string> {
  let before: Piece | undefined;
  for (const piece of piecesOf(quotes)) {
    yield between(before, piece) + piece.text;
    before = piece;
  }
}

function between(before: Piece | undefined, { isInline, last }: Piece): string {
  if (before === undefined) return '';
  if (before.last.reference !== last.reference || isAbove(last, before.last)) return '\n\n';
  return before.isInline && isInline ? ' ' : '\n';
}

function* piecesOf(quotes: readonly Quote[]): Generator<Piece> {
  for (let index = 0; index < quotes.length; ) {
    const code = codeRun(quotes, index);
    const rows = tableRun(quotes, index);
    const quote = quotes[index];
    if (quote === undefined) return;
    if (code.length > 0) yield codePiece(code);
    else if (rows.length > 0) yield tablePiece(rows);
    else yield textPiece(quote, { before: quotes[index - 1], after: quotes[index + 1] });
    index += Math.max(1, code.length, rows.length);
  }
}

/** Lines of code that stand one below the other, from the index on. */
function codeRun(quotes: readonly Quote[], from: number): readonly Quote[] {
  const run: Quote[] = [];
  for (const quote of quotes.slice(from)) {
    const above = run.at(-1);
    if (sentenceOf(quote).kind !== 'code' || (above !== undefined && !follows(above, quote))) break;
    run.push(quote);
  }
  return run;
}

/** Rows of one table with more than two columns, from the index on: first the names of the columns, or nothing. */
function tableRun(quotes: readonly Quote[], from: number): readonly Quote[] {
  const names = quotes[from];
  if (names === undefined) return [];
  const [{ kind, block, text }, before] = [sentenceOf(names), names.passage.sentences[names.at - 1]];
  const columns = cellsOf(text);
  const { length: cells } = columns;
  const isFirst = before === undefined || before.block !== block;
  if (kind !== 'table' || cells <= PLAIN_CELLS || !isFirst || !columns.every(mayNameColumn)) return [];
  const rest = quotes.slice(from + 1);
  const end = rest.findIndex((quote) => {
    const row = sentenceOf(quote);
    return quote.passage !== names.passage || row.block !== block || cellsOf(row.text).length !== cells;
  });
  const rows = end === -1 ? rest : rest.slice(0, end);
  return rows.length === 0 ? [] : [names, ...rows];
}

function tablePiece(run: readonly Quote[]): Piece {
  const last = run[run.length - 1] as Quote;
  const lines = run.map((quote) => `${marked(sentenceOf(quote).text)} [${quote.reference}]`);
  const [names = '', ...rows] = lines;
  const rule = cellsOf(names).map(() => '---');
  return { text: [names, rule.join(' | '), ...rows].join('\n'), isInline: false, last };
}

function cellsOf(text: string): readonly string[] {
  return text.split(' | ');
}

function codePiece(run: readonly Quote[]): Piece {
  const lines = run.map((quote) => sentenceOf(quote).text.trimEnd());
  const last = run[run.length - 1] as Quote;
  const text = lines.join('\n');
  if (run.length === 1) return { text: `${inlineCode(text.trim())} [${last.reference}]`, isInline: false, last };
  const fence = text.includes('```') ? '````' : '```';
  return { text: `\n${fence}\n${text}\n${fence}\n[${last.reference}]\n`, isInline: false, last };
}

function textPiece(
  quote: Quote,
  beside: { readonly before: Quote | undefined; readonly after: Quote | undefined },
): Piece {
  const isNamed = beside.before !== undefined && follows(beside.before, quote);
  const label = isNamed ? undefined : labelOf(quote);
  const own = sentenceOf(quote).text;
  const text = plainMarkdown(label === undefined ? own : `${label}: ${own}`);
  const marked = `${text} [${quote.reference}]`;
  if (isItem(quote, beside)) return { text: `- ${marked.replace(/^[-*•]\s+/, '')}`, isInline: false, last: quote };
  return { text: marked.replace(OPENS_BLOCK, '\\'), isInline: endsSentence(text), last: quote };
}

/**
 * A line behind another or what introduces it; or one without a full stop that is an item on its page, or stands beside
 * another of its passage.
 */
function isItem(quote: Quote, { before, after }: { before: Quote | undefined; after: Quote | undefined }): boolean {
  if (!isLine(quote)) return false;
  if (before !== undefined && follows(before, quote) && (isIntro(before) || isLine(before))) return true;
  const isEntry = (other: Quote | undefined) =>
    other?.passage === quote.passage && isLine(other) && !endsSentence(sentenceOf(other).text);
  const isListed = sentenceOf(quote).kind === 'list';
  return isEntry(quote) && (isListed || isEntry(before) || isEntry(after));
}

/** A row outside of its table: of two cells it reads as name and value. */
function plainMarkdown(text: string): string {
  const row = text.replace(EMPTY_CELLS, '');
  const cells = cellsOf(row);
  const [name, value] = cells;
  return marked(cells.length === PLAIN_CELLS && name !== undefined && value !== undefined ? `${name}: ${value}` : row);
}

function marked(text: string): string {
  return text.replaceAll(FOOTNOTE, '').replaceAll(MARKUP, inlineCode);
}

function inlineCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

const NO_SENTENCE: PassageSentence = {
  text: '',
  kind: 'paragraph',
  block: 0,
  startsLine: true,
  isSuspicious: true,
};

function sentenceOf({ passage, at }: Pick<Quote, 'passage' | 'at'>): PassageSentence {
  return passage.sentences[at] ?? NO_SENTENCE;
}

function follows(above: Quote, below: Quote): boolean {
  return above.passage === below.passage && above.at + 1 === below.at;
}

/** Stands before the other on the page. */
function isAbove(quote: Quote, other: Quote): boolean {
  const [own, its] = [quote.passage, other.passage];
  return own.ordinal < its.ordinal || (own.ordinal === its.ordinal && quote.at < other.at);
}

/** What a list, or code, follows behind. */
function isIntro(quote: Pick<Quote, 'passage' | 'at'>): boolean {
  return /[:：]$/.test(sentenceOf(quote).text);
}

/** Stands on a line of its own: an item, a row, or a short paragraph. */
function isLine(quote: Pick<Quote, 'passage' | 'at'>): boolean {
  const { kind, startsLine } = sentenceOf(quote);
  const next = quote.passage.sentences[quote.at + 1];
  return kind !== 'code' && !isIntro(quote) && startsLine && next?.startsLine !== false;
}

/** The line that names what the paragraph of a sentence is about: a term, a function, an option; undefined = none. */
function labelOf({ passage, at }: Quote): string | undefined {
  const [label, own] = [passage.sentences[at - 1], passage.sentences[at]];
  const opensParagraph = own?.startsLine === true && endsSentence(own.text);
  if (label === undefined || !opensParagraph || !isLine({ passage, at: at - 1 })) return undefined;
  const isName = label.text.length <= LABEL_CHARS && !endsSentence(label.text) && !isByline(label.text);
  const isSafe = !label.isSuspicious && !mayBePlanted(label.text) && !isImperative(label.text, passage.language);
  return isName && isSafe ? label.text.replace(EMPTY_CELLS, '').replace(HEADER_LINK, '') : undefined;
}

/** `by Ann Lee · updated 4 March 2026` */
const BYLINE = /^(?:by|von|par|por|di|da|door|av|af|autor:?|author:?) [^.!?]{2,60} [·|–—] [^.!?]{0,40}(?:19|20)\d\d$/iu;

/** Whether a text only tells who wrote the page, and when. */
export function isByline(text: string): boolean {
  return BYLINE.test(text);
}

/** Lower case, without accents (`text/folding`). */
const TABLES = answerTableOf('imperatives');

const WORDS = new Map(
  Object.entries(TABLES).map(([language, { verbs, openers, forms }]) => {
    return [language, { verbs: new Set(verbs.split(/\s+/)), openers: new Set(openers.split(' ')), forms }] as const;
  }),
);
/** An item of a list, or its number. */
const MARKS = /^[\s\-*•·"'“”„«»()[\]]*(?:\p{N}{1,3}[.)]\s+)?/u;
const MAX_OPENERS = 3;

/** Whether a sentence begins by telling its reader to do something; false in languages without a table. */
export function isImperative(sentence: string, language: string): boolean {
  const table = WORDS.get(language);
  if (table === undefined || sentence.trimEnd().endsWith('?')) return false;
  const words = sentence
    .replace(MARKS, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}'-]+/u)
    .map(foldWord);
  let first = 0;
  while (first < MAX_OPENERS && table.openers.has(words[first] ?? '')) first++;
  return table.verbs.has(words[first] ?? '') || table.forms?.test(words.slice(first).join(' ')) === true;
}

/** Places on the web, addresses, and words such as `KX-4711` that somebody is to type or pass on. */
const PLANTED =
  /\bhttps?:|\bwww\.|@[\w-]+\.\w|\b[\w-]+\.(?:com|net|org|io|info|biz|xyz)\b|\b(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z\d_-]{5,}\b/;

/** Whether a text holds what instructions are planted in pages for. */
export function mayBePlanted(text: string): boolean {
  return PLANTED.test(text);
}
