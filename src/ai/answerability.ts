import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { QueryIntent } from '../text/languages/language-pack.ts';
import { hasStemmer } from '../text/stemming.ts';
import { stopWordsOf } from '../text/stop-words.ts';
import type { RefusalReason } from './answer-event.ts';
import { meetsIntent, namesIntent } from './query-intents.ts';
import type { AnalysedQuestion } from './question-types.ts';
import type { RankedPassage, Ranking } from './ranking.ts';
import { CAPITALISES_NOUNS } from './support/names.ts';

/** How well the languages of questions are analysed: what coverage is worth. */
export const LANGUAGE_CLASSES = ['english', 'stemmed', 'segmented', 'plain'] as const;
export type LanguageClass = (typeof LANGUAGE_CLASSES)[number];

/** What the gate looks at; each is 0 to 1, but for `strength`. */
export const GATE_FEATURES = [
  'coverage',
  'strength',
  'samePage',
  'length',
  'missing',
  'namedMissing',
  'heaviestMissing',
  'heaviestUnseen',
  'shortMissing',
  'typeMissing',
  'needMet',
] as const;
export type GateFeatures = Readonly<Record<(typeof GATE_FEATURES)[number], number>>;

/** `answerability.json`: written by `scripts/train/answerability.ts` alone. */
export const ANSWERABILITY_FILE = z.strictObject({
  version: z.literal(1),
  trainedOn: z.string(),
  bias: z.number(),
  weights: z.record(z.enum(GATE_FEATURES), z.number()),
  thresholds: z.record(z.enum(LANGUAGE_CLASSES), z.number().min(0).max(1)),
});
export type AnswerabilityFile = z.infer<typeof ANSWERABILITY_FILE>;

export type Answerability = {
  /** That the passages answer the question: 0 to 1. */
  readonly probability: number;
  /** Below it passages alone give no answer. */
  readonly threshold: number;
  /** Why an answer made of passages is refused; undefined = it is not. */
  readonly refusal: RefusalReason | undefined;
};

/** Below it not even a model is asked (answers design 5). */
export const MODEL_THRESHOLD = 0.15;

/** Questions of so few content words: one that is missing may be all that they are about. */
const SHORT_QUESTION_WORDS = 4;
/** Content words of a long question: it is never covered as a short one is. */
const LONG_QUESTION_WORDS = 10;
const PAGE_DEPTH = 5;
const KIND_DEPTH = 3;
const NAME = /[\p{Lu}\p{Nd}_]/u;
const CODE_NAME = /[\p{Nd}_]|\p{L}\p{Lu}/u;
const SEGMENTED_LANGUAGES = new Set(['zh', 'ja', 'ko', 'th', 'vi']);

const FILE_URL = new URL('answerability.json', import.meta.url);
let builtIn: AnswerabilityFile | undefined;

/** Whether the ranked passages answer their question; `threshold` takes the place of that of the language. */
export function assessAnswerability(ranking: Ranking, threshold?: number): Answerability {
  const file = defaultGate();
  const features = gateFeatures(ranking);
  return answerabilityOf(ranking, {
    probability: probabilityOf(features, file),
    ofAnyKind: probabilityOf({ ...features, typeMissing: 0 }, file),
    threshold: threshold ?? file.thresholds[languageClass(ranking.question.language)],
  });
}

export type Assessed = Pick<Answerability, 'probability' | 'threshold'> & {
  /** The probability, were it not for the kind of thing that was asked for. */
  readonly ofAnyKind: number;
};

/** Of several reasons for a refusal the one that an editor can do most about. */
export function answerabilityOf(
  { question, passages }: Ranking,
  { probability, threshold, ofAnyKind }: Assessed,
): Answerability {
  const reasonOf = (): RefusalReason | undefined => {
    if (passages.length === 0) return 'no-passages';
    if (probability >= threshold) return undefined;
    if (passages.every(({ passage }) => passage.language !== question.language)) return 'language';
    return ofAnyKind >= threshold ? 'type-missing' : 'below-gate';
  };
  return { probability, threshold, refusal: reasonOf() };
}

/** Weights and thresholds of the product, read once. */
export function defaultGate(): AnswerabilityFile {
  builtIn ??= ANSWERABILITY_FILE.parse(JSON.parse(readFileSync(FILE_URL, 'utf8')));
  return builtIn;
}

export function gateFeatures({ question, terms, passages }: Ranking): GateFeatures {
  const [top] = passages;
  // What other pages have of the kind is of other things.
  const onItsPage = passages.slice(0, PAGE_DEPTH).filter(({ passage }) => passage.rid === top?.passage.rid);
  const isKindMissing = question.asksFor !== undefined && !onItsPage.some(({ hasAskedKind }) => hasAskedKind);
  const typeMissing = isKindMissing ? 1 : 0;
  const needMet =
    question.intent !== undefined && passages.slice(0, KIND_DEPTH).some(isMeeting(question.intent)) ? 1 : 0;
  const length = Math.min(1, terms.length / LONG_QUESTION_WORDS);
  if (top === undefined) {
    return {
      coverage: 0,
      strength: 0,
      samePage: 0,
      length,
      typeMissing,
      needMet,
      missing: 1,
      namedMissing: 1,
      heaviestMissing: 1,
      heaviestUnseen: 1,
      shortMissing: 1,
    };
  }
  return {
    coverage: top.coverage,
    strength: top.strength,
    samePage: onItsPage.length / PAGE_DEPTH,
    length,
    missing: top.missingTerms.length / Math.max(1, terms.length),
    namedMissing: namedMissing(question, top.missingTerms, terms),
    heaviestMissing: top.heaviestMissing,
    heaviestUnseen: heaviestUnseen(terms),
    typeMissing,
    needMet,
    shortMissing: terms.length <= SHORT_QUESTION_WORDS ? top.heaviestMissing : 0,
  };
}

/** Has what newcomers ask for, on a page whose title names it. */
function isMeeting(intent: QueryIntent): (ranked: RankedPassage) => boolean {
  return ({ passage: { text, title, language } }) =>
    meetsIntent(text, intent, language) > 0 && namesIntent(title, intent, language);
}

/** Share of names and numbers of the question, its first word aside, that the best passage lacks. */
function namedMissing(
  { text, language }: AnalysedQuestion,
  missing: Ranking['terms'],
  terms: Ranking['terms'],
): number {
  const name = CAPITALISES_NOUNS.has(language) ? CODE_NAME : NAME;
  const words = text.split(/[^\p{L}\p{N}_]+/u).slice(1);
  const names = new Set(words.filter((word) => name.test(word)).map((word) => word.toLowerCase()));
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return missing.reduce((sum, term) => sum + (names.has(term.text) ? term.weight / total : 0), 0);
}

/** Share of the heaviest word that no document has, nor anything that may stand for it. */
function heaviestUnseen(terms: Ranking['terms']): number {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const unseen = terms.filter(({ isUnseen, alternatives }) => isUnseen && alternatives.length === 0);
  return unseen.reduce((most, { weight }) => Math.max(most, weight / total), 0);
}

export function probabilityOf(
  features: GateFeatures,
  { bias, weights }: Pick<AnswerabilityFile, 'bias' | 'weights'>,
): number {
  const sum = GATE_FEATURES.reduce((total, name) => total + weights[name] * features[name], bias);
  return 1 / (1 + Math.exp(-sum));
}

export function languageClass(language: string): LanguageClass {
  if (language === 'en') return 'english';
  if (SEGMENTED_LANGUAGES.has(language)) return 'segmented';
  const [stopWord] = stopWordsOf(language);
  return hasStemmer(language) && stopWord !== undefined ? 'stemmed' : 'plain';
}
