import type { AnswerEvent, AnswerOutcome, AnswerSegment, Citation, ComposerName } from './answer-event.ts';

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
