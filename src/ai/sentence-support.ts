import { alignedSpansOf } from './support/aligned-spans.ts';
import type { Check } from './support/check.ts';
import { coverageCheck } from './support/coverage.ts';
import { identifiersCheck } from './support/identifiers.ts';
import { namesCheck } from './support/names.ts';
import { numbersCheck } from './support/numbers.ts';
import { oppositesCheck } from './support/opposites.ts';
import { polarityCheck } from './support/polarity.ts';
import { quotationCheck } from './support/quotation.ts';
import type { ReadText } from './support/read-text.ts';
import { bestWindows, type SentenceWindow } from './support/sentence-window.ts';
import type { SourceText } from './support/source-text.ts';
import { splitClaimCheck } from './support/split-claim.ts';

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
  | { readonly isSupported: true; readonly window: SentenceWindow }
  | { readonly isSupported: false; readonly failed: SupportCheck };

/** Decides whether a source supports a claim. Another one, of meaning, may stand behind the lexical one. */
export type SentenceVerifier = (claim: ReadText, source: SourceText) => SupportVerdict;

/** Of the weight of the claim's words: where the writer named the source, and where the guard looks for one. */
export const NAMED_COVERAGE = 0.6;
export const FOUND_COVERAGE = 0.7;

/**
 * The lexical verifier: three consecutive sentences of the source, its title and headings have to stand all eight
 * checks (each in its file). Words alone decide: it knows no meaning, so it lets pass what nobody wrote in these words
 * rather than what contradicts them. `minCoverage` is one of the two above. A claim of a sentence costs 0.5 ms a source.
 */
export function lexicalVerifier(minCoverage: number): SentenceVerifier {
  const checks: readonly (readonly [SupportCheck, Check])[] = [
    ['coverage', coverageCheck(minCoverage)],
    ['halves', splitClaimCheck],
    ['numbers', numbersCheck],
    ['identifiers', identifiersCheck],
    ['names', namesCheck],
    ['polarity', polarityCheck],
    ['opposites', oppositesCheck],
    ['quotation', quotationCheck],
  ];
  return (claim, source) => {
    const quoted = quotedWindow(claim, source);
    if (quoted !== undefined) return { isSupported: true, window: quoted };
    let failed: SupportCheck | undefined;
    for (const window of bestWindows(claim, source)) {
      const comparison = { claim, window, spans: alignedSpansOf(claim, window), language: source.language };
      const failure = checks.find(([, holds]) => !holds(comparison));
      if (failure === undefined) return { isSupported: true, window };
      failed ??= failure[0];
    }
    return { isSupported: false, failed: failed ?? 'coverage' };
  };
}

/** A sentence of the source as it stands needs no check, however little it says. */
function quotedWindow(claim: ReadText, source: SourceText): SentenceWindow | undefined {
  const text = bare(claim.plain);
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
