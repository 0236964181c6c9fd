import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { languageCode } from './language-code.ts';
import { readLanguageTables } from './language-tables.ts';
import { createNgramDetector, type NgramDetector } from './ngram-detector.ts';

/** 96 % of texts of this length are told right (search-engine design 5). */
const MIN_CHARS = 60;
const READ_CHARS = 400;

export type LanguageGuess = {
  readonly code: string;
  /** Share of sentences that were told right at this lead over the second best; below .5 no known language fits. */
  readonly confidence: number;
  /** Languages whose scores are hardly lower, best first; `code` is the first. */
  readonly close: readonly string[];
};

const require = createRequire(import.meta.url);
let opened: { readonly detect: NgramDetector; readonly languages: ReadonlySet<string> } | undefined;

/** Language of a text by its first 400 characters; undefined when it has fewer than 60 or fits none. */
export function detectLanguage(text: string): string | undefined {
  if (text.length < MIN_CHARS) return undefined;
  const guess = guessLanguage(text);
  return guess === undefined || guess.confidence < 0.5 ? undefined : guess.code;
}

/** Does the detector know the language? */
export function isDetectable(code: string): boolean {
  opened ??= openDetector();
  return opened.languages.has(code);
}

/** What a text of any length looks like by its first 400 characters; undefined without letters. */
export function guessLanguage(text: string): LanguageGuess | undefined {
  opened ??= openDetector();
  const { scores, ngrams } = opened.detect(text.slice(0, READ_CHARS));
  const [best, second] = scores;
  if (best === undefined) return undefined;
  const close = scores.filter(({ score }) => best.score - score <= CLOSE_LEAD).slice(0, MAX_CLOSE);
  const isReliable = ngrams >= MIN_NGRAMS && best.score >= best.usual * MIN_SCORE_SHARE;
  return {
    code: codeOf(best.language),
    confidence: isReliable ? shareRight(best.score - (second?.score ?? 0)) : UNRELIABLE,
    close: close.map(({ language }) => codeOf(language)),
  };
}

const CLOSE_LEAD = 0.05;
const MAX_CLOSE = 3;
/**
 * Share of the mean score of a language that its texts reach: of pages of four sentences in the detector's languages
 * all do, of those in 19 others a third (`npm run eval:extract -- <data folder> --set language`).
 */
const MIN_SCORE_SHARE = 0.75;
const UNRELIABLE = 0.3;
/** Fewer are a word or two. */
const MIN_NGRAMS = 3;

/** Measured on 21,800 sentences of 57 languages. */
function shareRight(lead: number): number {
  if (lead < 0.02) return 0.92;
  return lead < 0.04 ? 0.97 : lead < 0.1 ? 0.985 : 0.999;
}

function codeOf(code: string): string {
  return languageCode(code) ?? code;
}

/** Parts of eld by their paths: the package names no entry for `require`, nor one without its tables as a module. */
function openDetector(): NonNullable<typeof opened> {
  const part = (path: string) => fileURLToPath(new URL(path, import.meta.resolve('eld/small')));
  const { separators } = require(part('../regexPatterns.js')) as { readonly separators: RegExp };
  const { dictionary } = require(part('../dictionary.js')) as { readonly dictionary: readonly string[] };
  const { avgScore } = require(part('../avgScore.js')) as { readonly avgScore: Readonly<Record<string, number>> };
  const tables = readLanguageTables(readFileSync(part('../ngrams/small.js'), 'utf8'));
  return {
    detect: createNgramDetector({ tables, separators, signs: dictionary, usual: avgScore }),
    languages: new Set(tables.languages.map(codeOf)),
  };
}
