import { parseDate } from '../../../src/core/field-values.ts';
import { type TypeOfField, valuesOf } from '../../../src/core/filters.ts';
import type { RecencyRule } from '../../../src/search-index/query-plan.ts';
import {
  MAX_BETWEEN,
  PROXIMITY_FACTORS,
  proximityOf,
  type QueryWord,
  type RerankFeatures,
} from '../../../src/search-index/rerank.ts';
import { stemWord } from '../../../src/text/stemming.ts';
import type { NameRange } from '../../../src/text/title-name.ts';
import type { IndexedDocument, Run } from './indexed-document.ts';

type Stem = { readonly stem: string; readonly role: QueryWord['role'] };

/** What a document shows of a query's words, by looking at all of its tokens. */
export function readRerankFeatures(
  indexed: IndexedDocument,
  words: readonly QueryWord[],
  rest: { readonly saturation: readonly number[]; readonly ageMs: number | undefined },
): RerankFeatures {
  const stems = words.map(({ text, role }): Stem => ({ stem: stemWord(text, indexed.document.language), role }));
  const inA = indexed.runs.filter(({ textClass, positions }) => textClass === 'a' && positions > 0);
  const content = stems.filter(({ role }) => role === 'content');
  const isTitled = inA.some((run) => content.some(({ stem }) => positionsIn(run, stem).length > 0));
  const title = isTitled ? inA[0] : undefined;
  const covered = new Set(title === undefined ? [] : stems.flatMap(({ stem }) => positionsIn(title, stem)));
  const inB = indexed.runs.filter(({ textClass }) => textClass === 'b');
  return {
    ...rest,
    proximity: stems.map((_, i) => proximityToNext(indexed.runs, stems, i)),
    inTitle: stems.map(({ stem }) => (title === undefined ? 0 : positionsIn(title, stem).length)),
    titleLength: title === undefined ? 0 : title.positions,
    titleCovered: covered.size,
    phraseInTitle: title !== undefined && phraseEnds(title, stems, undefined).length > 0,
    phraseInB: inB.some((run) => phraseEnds(run, stems, undefined).length > 0),
    titleIsQuery:
      title !== undefined && [title.name, { from: 0, to: title.positions }].some((range) => fills(title, stems, range)),
  };
}

/** Milliseconds since the latest instant of the rule's field that is not after its `now`. */
export function ageOf({ document }: IndexedDocument, rule: RecencyRule, typeOf: TypeOfField): number | undefined {
  if (typeOf(rule.field) !== 'date') return undefined;
  const instants = valuesOf(document, rule.field).map((value) => parseDate(value)?.from ?? Number.NaN);
  const past = instants.filter((instant) => instant <= rule.now);
  return past.length === 0 ? undefined : rule.now - Math.max(...past);
}

/** The words stand side by side from the first to the last position of a range. */
function fills(title: Run, stems: readonly Stem[], range: NameRange | undefined): boolean {
  return range !== undefined && phraseEnds(title, stems, [range.from - 1]).includes(range.to - 1);
}

function proximityToNext(runs: readonly Run[], stems: readonly Stem[], word: number): number {
  const next = stems.findIndex(({ role }, i) => i > word && role === 'content');
  const [a, b] = [stems[word], stems[next]];
  if (a === undefined || a.role === 'stop' || b === undefined) return 0;
  let best = 0;
  for (const run of runs) {
    const factor = factorOf(run);
    for (const p of positionsIn(run, a.stem)) {
      for (const q of positionsIn(run, b.stem)) {
        const distance = Math.abs(p - q);
        if (distance === 0 || distance > MAX_BETWEEN + 1) continue;
        best = Math.max(best, proximityOf(factor, distance, q < p));
      }
    }
  }
  return best;
}

function factorOf({ textClass }: Run): number {
  const [a, b, c] = PROXIMITY_FACTORS;
  return { a, b, c, none: 0 }[textClass];
}

/**
 * Where the words end when they stand side by side from right after one of `before` on, or from anywhere; stop words
 * may be missing.
 */
function phraseEnds(run: Run, stems: readonly Stem[], before: readonly number[] | undefined): readonly number[] {
  let ends = before;
  for (const { stem, role } of stems) {
    const positions = positionsIn(run, stem);
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

function positionsIn({ terms }: Run, stem: string): readonly number[] {
  return terms.filter((token) => token.stem === stem).map(({ position }) => position);
}
