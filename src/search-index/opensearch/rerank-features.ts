import { stemTerm } from '../../text/term-keys.ts';
import type { NameRange } from '../../text/title-name.ts';
import { MAX_BETWEEN, PROXIMITY_FACTORS, proximityOf, type QueryWord, type RerankFeatures } from '../rerank.ts';
import { type PlacedTerms, positionsIn, type StoredTerms } from './stored-terms.ts';

type Stem = { readonly stem: string; readonly role: QueryWord['role'] };

/** What a document shows of a query's words, from its row. O(positions of the words). */
export function readRerankFeatures(
  stored: StoredTerms,
  words: readonly QueryWord[],
  rest: { readonly language: string; readonly saturation: readonly number[]; readonly ageMs: number | undefined },
): RerankFeatures {
  const { language, saturation, ageMs } = rest;
  const stems = words.map(({ text, role }): Stem => ({ stem: stemTerm(text, language), role }));
  const content = stems.filter(({ role }) => role === 'content');
  const titles = stored.a.filter(({ positions }) => positions > 0);
  const isTitled = titles.some((value) => content.some(({ stem }) => positionsIn(value, stem).length > 0));
  const title = isTitled ? titles[0] : undefined;
  const covered = new Set(title === undefined ? [] : stems.flatMap(({ stem }) => positionsIn(title, stem)));
  return {
    saturation,
    ageMs,
    proximity: stems.map((_, i) => proximityToNext(stored, stems, i)),
    inTitle: stems.map(({ stem }) => (title === undefined ? 0 : positionsIn(title, stem).length)),
    titleLength: title === undefined ? 0 : title.positions,
    titleCovered: covered.size,
    phraseInTitle: title !== undefined && phraseEnds(title, stems, undefined).length > 0,
    phraseInB: stored.b.some((value) => phraseEnds(value, stems, undefined).length > 0),
    titleIsQuery:
      title !== undefined &&
      [stored.titleName, { from: 0, to: title.positions }].some((range) => fills(title, stems, range)),
  };
}

/** The words stand side by side from the first to the last position of a range. */
function fills(title: PlacedTerms, stems: readonly Stem[], range: NameRange | undefined): boolean {
  return range !== undefined && phraseEnds(title, stems, [range.from - 1]).includes(range.to - 1);
}

function proximityToNext(stored: StoredTerms, stems: readonly Stem[], word: number): number {
  const next = stems.findIndex(({ role }, i) => i > word && role === 'content');
  const [left, right] = [stems[word], stems[next]];
  if (left === undefined || left.role === 'stop' || right === undefined) return 0;
  let best = 0;
  for (const [at, values] of [stored.a, stored.b, stored.c].entries()) {
    for (const value of values) {
      const near = nearestIn(value, left.stem, right.stem, PROXIMITY_FACTORS[at] ?? 0);
      best = Math.max(best, near);
    }
  }
  return best;
}

function nearestIn(value: PlacedTerms, left: string, right: string, factor: number): number {
  let best = 0;
  const others = positionsIn(value, right);
  let from = 0;
  for (const p of positionsIn(value, left)) {
    while ((others[from] ?? Number.POSITIVE_INFINITY) < p - (MAX_BETWEEN + 1)) from++;
    for (let at = from; (others[at] ?? Number.POSITIVE_INFINITY) <= p + MAX_BETWEEN + 1; at++) {
      const distance = Math.abs(p - (others[at] ?? 0));
      if (distance > 0) best = Math.max(best, proximityOf(factor, distance, (others[at] ?? 0) < p));
    }
  }
  return best;
}

/**
 * Where the words end when they stand side by side from right after one of `before` on, or from anywhere; stop words
 * may be missing.
 */
function phraseEnds(
  value: PlacedTerms,
  stems: readonly Stem[],
  before: readonly number[] | undefined,
): readonly number[] {
  let ends = before;
  for (const { stem, role } of stems) {
    const positions = positionsIn(value, stem);
    const reached = ends;
    if (role === 'content') {
      // Parts and joined form of one word share a position.
      ends = positions.filter((p) => reached === undefined || reached.includes(p) || reached.includes(p - 1));
    } else if (reached !== undefined) {
      ends = [...reached, ...positions.filter((p) => reached.includes(p - 1))];
    }
  }
  return ends ?? [];
}
