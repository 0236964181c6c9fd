/** A whole answer. */
export type CollectedAnswer = {
  readonly segments: readonly AnswerSegment[];
  readonly outcome: AnswerOutcome;
  readonly composer: ComposerName;
  readonly isFallback: boolean;
};

/** A page that fewer of the cited segments name is one of several sources (answers design 10). */
const MAIN_PAGE_SHARE = 0.6;

/** Reads the events of an answer to their end. */
export async function collectAnswer(events: AsyncIterable<AnswerEvent>): Promise<CollectedAnswer> {
  const segments: AnswerSegment[] = [];
  let [composer, isFallback]: [ComposerName, boolean] = ['extractive', false];
  let outcome: AnswerOutcome | undefined;
  for await (const event of events) {
    if (event.type === 'start') ({ composer, isFallback } = event);
    else if (event.type === 'segment') segments.push({ text: event.text, citations: event.citations });
    else outcome = event.outcome;
  }
  if (outcome === undefined) throw new Error('an answer ended without an outcome');
  return { segments, outcome, composer, isFallback };
}

/** The text of all segments, each printed by `print`. */
export function printAnswer(segments: readonly AnswerSegment[], print: (segment: AnswerSegment) => string): string {
  return segments.map(print).join('').trim();
}

/** Each page once, by its number. */
export function citationsOf(segments: readonly AnswerSegment[]): readonly Citation[] {
  const byReference = new Map<number, Citation>();
  for (const citation of segments.flatMap(({ citations }) => citations)) {
    if (!byReference.has(citation.reference)) byReference.set(citation.reference, citation);
  }
  return [...byReference.values()].sort((a, b) => a.reference - b.reference);
}

/** The page that the answer as a whole leads to, `''` when it has none. */
export function mainUrl(segments: readonly AnswerSegment[]): string {
  const cited = segments.filter(({ citations }) => citations.length > 0);
  const first = cited[0]?.citations[0];
  if (first === undefined) return '';
  const citing = cited.filter(({ citations }) => citations.some(({ reference }) => reference === first.reference));
  return citing.length >= MAIN_PAGE_SHARE * cited.length ? first.url : '';
}

/** What supports a segment of an answer. URL and title are those of the index record, never generated text. */
export type Citation = {
  /** From 1, by first appearance; of a summary, the 1-based position in its sources. */
  readonly reference: number;
  readonly url: string;
  readonly pageTitle: string;
  /** The supporting sentences, plain text, at most 300 characters. */
  readonly snippet: string;
  readonly crawlerId: number;
  readonly documentId: string;
  readonly ordinal: number;
  readonly hash: string;
};

export const REFUSAL_REASONS = [
  'no-passages',
  'below-gate',
  'type-missing',
  'no-sentence',
  'model-refused',
  'no-valid-citation',
  'filtered',
  'language',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export type ComposerName = 'extractive' | 'model' | 'cache';

export type AnswerOutcome = {
  /** Undefined = at least one verified claim was sent. */
  readonly refusal: RefusalReason | undefined;
  /** The answer ends before what it had to say. */
  readonly isIncomplete: boolean;
  /** Half of its claims or more were dropped. */
  readonly isDegraded: boolean;
};

/** A piece of an answer that stands by itself: a sentence, an item of a list, a block of code. */
export type AnswerSegment = {
  /** Verified Markdown without markers; begins with the blank or line feeds before it. */
  readonly text: string;
  /** What it stands on, in order of their markers; empty for what claims nothing. */
  readonly citations: readonly Citation[];
};

/** What an answer service yields, in this order: one `start`, segments, one `end`. */
export type AnswerEvent =
  | { readonly type: 'start'; readonly composer: ComposerName; readonly isFallback: boolean }
  | ({ readonly type: 'segment' } & AnswerSegment)
  | { readonly type: 'end'; readonly outcome: AnswerOutcome };

/** A fence ends a block of code only when nothing follows it on its line. */
const ENDS_IN_FENCE = /(^|\n)\s*(`{3,}|~{3,})\s*$/;
/** What stands behind the last cell of a row is not shown. */
const ENDS_IN_CELL = /\|\s*$/;

/** The segment with `[n]` behind it. Contract: 4.2. */
export function printNumbered(segment: AnswerSegment): string {
  return printMarked(segment, ({ reference }) => `[${reference}]`);
}

/** The segment with `[n](url)` behind it; a page without an address has no marker. Contract: 4.3. */
export function printLinked(segment: AnswerSegment): string {
  return printMarked(segment, ({ reference, url }) =>
    /^https?:\/\//i.test(url) ? `[${reference}](${linkTarget(url)})` : '',
  );
}

export function printPlain({ text }: AnswerSegment): string {
  return text;
}

function printMarked({ text, citations }: AnswerSegment, print: (citation: Citation) => string): string {
  const markers = citations.map(print).join('');
  if (markers === '') return text;
  if (ENDS_IN_FENCE.test(text)) return `${text.trimEnd()}\n${markers}`;
  if (ENDS_IN_CELL.test(text)) return text.replace(ENDS_IN_CELL, `${markers} |`);
  return `${text} ${markers}`;
}

/** What would end a Markdown link is percent-encoded. */
function linkTarget(url: string): string {
  return url.replace(/[\s()<>\\]/gu, (char) =>
    char === '(' ? '%28' : char === ')' ? '%29' : encodeURIComponent(char),
  );
}
