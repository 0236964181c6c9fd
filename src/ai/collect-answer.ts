import type { AnswerEvent, AnswerOutcome, AnswerUnit, Citation, ComposerName } from './answer-event.ts';

/** A whole answer. */
export type CollectedAnswer = {
  readonly units: readonly AnswerUnit[];
  readonly outcome: AnswerOutcome;
  readonly composer: ComposerName;
  readonly isFallback: boolean;
};

/** A page that fewer of the cited units name is one of several sources (answers design 10). */
const MAIN_PAGE_SHARE = 0.6;

/** Reads the events of an answer to their end. */
export async function collectAnswer(events: AsyncIterable<AnswerEvent>): Promise<CollectedAnswer> {
  const units: AnswerUnit[] = [];
  let [composer, isFallback]: [ComposerName, boolean] = ['extractive', false];
  let outcome: AnswerOutcome | undefined;
  for await (const event of events) {
    if (event.type === 'start') ({ composer, isFallback } = event);
    else if (event.type === 'unit') units.push({ text: event.text, citations: event.citations });
    else outcome = event.outcome;
  }
  if (outcome === undefined) throw new Error('an answer ended without an outcome');
  return { units, outcome, composer, isFallback };
}

/** The text of all units, each printed by `print`. */
export function printAnswer(units: readonly AnswerUnit[], print: (unit: AnswerUnit) => string): string {
  return units.map(print).join('').trim();
}

/** Each page once, by its number. */
export function citationsOf(units: readonly AnswerUnit[]): readonly Citation[] {
  const byReference = new Map<number, Citation>();
  for (const citation of units.flatMap(({ citations }) => citations)) {
    if (!byReference.has(citation.reference)) byReference.set(citation.reference, citation);
  }
  return [...byReference.values()].sort((a, b) => a.reference - b.reference);
}

/** The page that the answer as a whole leads to, `''` when it has none. */
export function mainUrl(units: readonly AnswerUnit[]): string {
  const cited = units.filter(({ citations }) => citations.length > 0);
  const first = cited[0]?.citations[0];
  if (first === undefined) return '';
  const naming = cited.filter(({ citations }) => citations.some(({ reference }) => reference === first.reference));
  return naming.length >= MAIN_PAGE_SHARE * cited.length ? first.url : '';
}
