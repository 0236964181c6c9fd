import { guessLanguage, isDetectable, type LanguageGuess } from '../text/language.ts';
import { languageCode } from '../text/language-code.ts';
import { confusableLanguage } from './confusable-languages.ts';
import type { ExtractedLanguage } from './extraction.ts';
import { hanFormOf, type Script, scriptOf } from './text-script.ts';

/** Letters from which a text tells its language better than the page's own statement. */
const MIN_LETTERS = 60;
/** Letters from which a script tells it. */
const MIN_SCRIPT_LETTERS = 10;
/** Letters from which a text is asked at all: names and labels look like any language. */
const MIN_ASKED_LETTERS = 20;
const SAMPLE_CHARS = 5_000;
const ENOUGH_LETTERS = lettersTest(MIN_LETTERS);
const SOME_LETTERS = lettersTest(MIN_ASKED_LETTERS);
const ENOUGH_OF_SCRIPT = lettersTest(MIN_SCRIPT_LETTERS);
const MIN_CONFIDENCE = 0.5;
/** Of a language that the page declares and the text neither confirms nor contradicts. */
const DECLARED_CONFIDENCE = 0.8;

/**
 * The operator's setting, else the text; for short texts, close calls and languages that the detector does not know what
 * the page declares (first valid one). Undefined when nothing is likely.
 */
export function languageOf(
  text: string,
  { fixed, declared }: { readonly fixed: string | undefined; readonly declared: readonly (string | undefined)[] },
): ExtractedLanguage | undefined {
  if (fixed !== undefined) return { code: fixed, confidence: 1, from: 'settings' };
  const sample = text.slice(0, SAMPLE_CHARS);
  const stated = declared.map((tag) => languageCode(tag?.split(',')[0] ?? '')).find((code) => code !== undefined);
  const script = ENOUGH_OF_SCRIPT.test(sample) ? scriptOf(sample) : undefined;
  const byScript = script && languageOfScript(sample, script, stated);
  if (byScript !== undefined) return byScript;
  const isLong = ENOUGH_LETTERS.test(sample);
  if (stated !== undefined && !isLong) return { code: stated, confidence: DECLARED_CONFIDENCE, from: 'declared' };
  const guess = SOME_LETTERS.test(sample) ? guessOf(sample) : undefined;
  if (stated !== undefined && (guess === undefined || isBelieved(stated, guess))) {
    return { code: stated, confidence: Math.max(guess?.confidence ?? 0, DECLARED_CONFIDENCE), from: 'declared' };
  }
  return guess !== undefined && guess.confidence >= MIN_CONFIDENCE
    ? { code: guess.code, confidence: guess.confidence, from: 'text' }
    : undefined;
}

function lettersTest(letters: number): RegExp {
  return new RegExp(`(?:\\p{L}\\P{L}*){${letters}}`, 'u');
}

/** No template ships with a language that few have; of others the text must look nearly as much like them. */
function isBelieved(stated: string, { code, close, confidence }: LanguageGuess): boolean {
  if (stated === code) return false;
  return close.includes(stated) || !isDetectable(stated) || confidence < MIN_CONFIDENCE;
}

/** Places of a long text that are asked: pages begin with names, dates and menus. */
const WINDOWS = 3;
const WINDOW_CHARS = 400;

/** The surest answer among its beginning and two later places. */
function guessOf(sample: string): LanguageGuess | undefined {
  const step = sample.length > WINDOWS * WINDOW_CHARS ? Math.floor(sample.length / WINDOWS) : sample.length;
  const guesses: LanguageGuess[] = [];
  for (let at = 0; at < sample.length && guesses.length < WINDOWS; at += Math.max(1, step)) {
    const guess = guessLanguage(sample.slice(at === 0 ? 0 : sample.indexOf(' ', at) + 1));
    if (guess !== undefined) guesses.push(guess);
  }
  const votes = Map.groupBy(guesses, ({ code }) => code);
  const [most] = [...votes.values()].sort((a, b) => sumOf(b) - sumOf(a));
  const best = most?.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  return best && { ...best, code: confusableLanguage(sample, best.code) };
}

function sumOf(guesses: readonly LanguageGuess[]): number {
  return guesses.reduce((sum, { confidence }) => sum + confidence, 0);
}

/** Languages of a script, the first where no letter tells. */
const OF_SCRIPT: Readonly<Record<Script, readonly (readonly [string, RegExp?])[]>> = {
  greek: [['el']],
  thai: [['th']],
  hangul: [['ko']],
  kana: [['ja']],
  han: [['zh']],
  hebrew: [['he'], ['yi', /[\u05f0-\u05f2]/g]],
  arabic: [['ar'], ['ur', /[ٹڈڑںےہ]/g], ['ku', /[ڕڵۆێ]/g], ['fa', /[پچژگیک]/g]],
};
/** Share of the letters of a text that are the language's own. */
const MIN_OWN_SHARE = 0.02;

/** The script decides; a declared language of the same script counts where its letters do not contradict. */
function languageOfScript(sample: string, script: Script, stated: string | undefined): ExtractedLanguage {
  const candidates = OF_SCRIPT[script];
  const own = candidates.find(([, letters]) => {
    return letters !== undefined && (sample.match(letters)?.length ?? 0) >= sample.length * MIN_OWN_SHARE;
  });
  const code = own?.[0] ?? candidates[0]?.[0] ?? '';
  const written = script === 'han' ? hanFormOf(sample) : undefined;
  const found = { code, confidence: stated === code ? 1 : 0.98, from: 'script' as const };
  return written === undefined ? found : { ...found, written };
}
