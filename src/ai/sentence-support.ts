import type { Check } from './support/check.ts';
import { coverageCheck } from './support/coverage.ts';
import { bestWindows, type EvidenceWindow } from './support/evidence-window.ts';
import { halvesCheck } from './support/halves.ts';
import { identifiersCheck } from './support/identifiers.ts';
import { namesCheck } from './support/names.ts';
import { numbersCheck } from './support/numbers.ts';
import { oppositesCheck } from './support/opposites.ts';
import { polarityCheck } from './support/polarity.ts';
import { quotationCheck } from './support/quotation.ts';
import type { ReadText } from './support/read-text.ts';
import { segmentsOf } from './support/segments.ts';
import type { SourceText } from './support/source-text.ts';

export const SUPPORT_CHECKS = [
  'coverage',
  'halves',
  'numbers',
  'identifiers',
  'names',
  'polarity',
  'opposites',
  'quotation',
] as const;
export type SupportCheck = (typeof SUPPORT_CHECKS)[number];

export type SupportVerdict =
  | { readonly isSupported: true; readonly window: EvidenceWindow }
  | { readonly isSupported: false; readonly failed: SupportCheck };

/** Decides whether a source supports a unit. Another one, of meaning, may stand behind the lexical one. */
export type SentenceVerifier = (unit: ReadText, source: SourceText) => SupportVerdict;

/** Of the weight of the unit's words: where the writer named the source, and where the guard looks for one. */
export const NAMED_COVERAGE = 0.6;
export const FOUND_COVERAGE = 0.7;

/**
 * The lexical verifier: three consecutive sentences of the source, its title and headings have to stand all eight
 * checks (each in its file). Words alone decide: it knows no meaning, so it lets pass what nobody wrote in these words
 * rather than what contradicts them. `minCoverage` is one of the two above. A unit of a sentence costs 0.5 ms a source.
 */
export function lexicalVerifier(minCoverage: number): SentenceVerifier {
  const checks: readonly (readonly [SupportCheck, Check])[] = [
    ['coverage', coverageCheck(minCoverage)],
    ['halves', halvesCheck],
    ['numbers', numbersCheck],
    ['identifiers', identifiersCheck],
    ['names', namesCheck],
    ['polarity', polarityCheck],
    ['opposites', oppositesCheck],
    ['quotation', quotationCheck],
  ];
  return (unit, source) => {
    const quoted = quotedWindow(unit, source);
    if (quoted !== undefined) return { isSupported: true, window: quoted };
    let failed: SupportCheck | undefined;
    for (const window of bestWindows(unit, source)) {
      const comparison = { unit, window, segments: segmentsOf(unit, window), language: source.language };
      const failure = checks.find(([, holds]) => !holds(comparison));
      if (failure === undefined) return { isSupported: true, window };
      failed ??= failure[0];
    }
    return { isSupported: false, failed: failed ?? 'coverage' };
  };
}

/** A sentence of the source as it stands needs no check, however little it says. */
function quotedWindow(unit: ReadText, source: SourceText): EvidenceWindow | undefined {
  const text = bare(unit.plain);
  const sentence = source.sentences.find(({ read }) => bare(read.plain) === text);
  if (text === '' || sentence === undefined) return undefined;
  return { sentences: [sentence], source, coverage: 1, isCovered: () => true };
}

/** Without the mark of an item and the last full stop. */
function bare(plain: string): string {
  return plain
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(/[\s.]+$/, '')
    .trimStart();
}
