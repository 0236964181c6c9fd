import { wordsOf } from '../text/analyzer.ts';
import { guessLanguage } from '../text/language.ts';
import { languageCode } from '../text/language-code.ts';
import { isStopWord, stopWordLanguage } from '../text/stop-words.ts';

export type AnswerLanguageInput = {
  readonly question: string;
  /** As the request says it; a tag that names no language counts as none. */
  readonly requested?: string | undefined;
  readonly engineLanguage: string;
};

/** Letters from which on a question without telling words may be of another language than the engine's. */
const MIN_LETTERS = 20;
const MIN_CONFIDENCE = 0.9;

/** Scripts of one language; the first that occurs decides. Han alone may be Japanese on an engine of that language. */
const SCRIPTS: readonly (readonly [RegExp, string, ...string[]])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, 'ja'],
  [/\p{sc=Hangul}/u, 'ko'],
  [/\p{sc=Han}/u, 'zh', 'ja'],
  [/\p{sc=Thai}/u, 'th'],
  [/\p{sc=Greek}/u, 'el'],
  [/\p{sc=Hebrew}/u, 'he', 'yi'],
  [/\p{sc=Armenian}/u, 'hy'],
  [/\p{sc=Georgian}/u, 'ka'],
  [/\p{sc=Tamil}/u, 'ta'],
  [/\p{sc=Lao}/u, 'lo'],
  [/\p{sc=Khmer}/u, 'km'],
];

/** The language that an answer is given in: that of the request, else of the question. Contract: 4.1. */
export function answerLanguage({ question, requested, engineLanguage }: AnswerLanguageInput): string {
  const asked = requested === undefined ? undefined : languageCode(requested);
  return asked ?? questionLanguage(question, engineLanguage);
}

/**
 * The language that a question is written in: by its script, by its stop words, by its letters when there are 20 of
 * them; else the engine's. Questions are too short for letters alone.
 */
export function questionLanguage(question: string, engineLanguage: string): string {
  const script = SCRIPTS.find(([pattern]) => pattern.test(question));
  if (script !== undefined) {
    const [, usual, ...others] = script;
    return others.includes(engineLanguage) ? engineLanguage : usual;
  }
  const words = wordsOf(question);
  const byWords = languageOf(stopWordLanguage(words, engineLanguage));
  if (byWords !== engineLanguage || words.some((word) => isStopWord(word, engineLanguage))) return byWords;
  if (question.replace(/\P{L}/gu, '').length < MIN_LETTERS) return engineLanguage;
  const guess = guessLanguage(question);
  if (guess === undefined || guess.confidence < MIN_CONFIDENCE || guess.close.includes(engineLanguage))
    return engineLanguage;
  return guess.code;
}

function languageOf(listed: string): string {
  return languageCode(listed) ?? listed;
}
