import type { QuestionWord } from '../search/passage.ts';
import { analyzeText } from '../text/analyzer.ts';
import { foldWord } from '../text/folding.ts';
import { isKoreanAsking, koreanStem } from '../text/korean-words.ts';
import type { QueryIntent } from '../text/languages/language-pack.ts';
import { isPaired, pairsOf } from '../text/stem-hashes.ts';
import { stemWord } from '../text/stemming.ts';
import { isStopWord } from '../text/stop-words.ts';
import { intentWords, isIntentWord, queryIntent, timeWords } from './query-intents.ts';
import {
  type AnalysedQuestion,
  askedKind,
  definitionSubject,
  plainQuestion,
  QUESTION_TABLES,
  questionType,
} from './question-types.ts';

/** Share of their weight that verbs and nouns of all questions keep (answers design 4). */
const SMALL_WORD_RATIO = 0.35;
/** What is left of words that a question only goes on with. */
const CARRIED_RATIO = 0.7;
/** More words of one question select nothing further. */
const MAX_WORDS = 48;
/** A subject of more words is a description, not a name. */
const MAX_SUBJECT_WORDS = 4;
const HAS_DIGIT = /\p{Nd}/u;

/** What a question was before it was completed with words of the one asked before. */
export type Completed = { readonly own: string; readonly previous: string };

/**
 * What a question in a language asks, by its words alone; pure. Of a completed one its own words count more than those
 * that it goes on with, and it wants what the one before wanted when it does not say.
 */
export function analyseQuestion(text: string, language: string, completed?: Completed): AnalysedQuestion {
  const written = writtenWords(text);
  const wanted = wantedOf(text, language, completed);
  const plain = plainQuestion(text, language);
  const isDefinition = questionType(plain, language) === 'definition';
  const subject = isDefinition ? contentWords(writtenWords(definitionSubject(plain, language)), language) : [];
  const words = needed(questionWords(written, language), wanted.intent, language);
  return {
    text,
    language,
    written,
    ...wanted,
    words: completed === undefined ? words : words.map(lessCarried(writtenWords(completed.own))),
    subject: subject.length > MAX_SUBJECT_WORDS ? [] : subject,
  };
}

/** What an answer has to have. What a question was completed with says nothing of it, unless it says nothing itself. */
function wantedOf(text: string, language: string, completed: Completed | undefined) {
  const own = wantedBy(completed?.own ?? text, language);
  const isSilent = own.type === 'other' && own.asksFor === undefined && own.intent === undefined;
  return isSilent && completed !== undefined ? wantedBy(completed.previous, language) : own;
}

function wantedBy(text: string, language: string) {
  const plain = plainQuestion(text, language);
  return {
    type: questionType(plain, language),
    asksFor: askedKind(plain, language),
    intent: queryIntent(plain, language),
  };
}

/** Words that carry content, each once; all words when none does. Those without blanks as pairs of characters. */
export function contentWords(written: readonly string[], language: string): readonly string[] {
  const content = written.filter((word) => !isStopWord(word, language) && !hasNoContent(word, language));
  const words = (content.length > 0 ? content : written).map((word) => (language === 'ko' ? koreanStem(word) : word));
  return [...new Set(words.flatMap((word) => (isPaired(word) ? pairsOf(word) : [word])))].slice(0, MAX_WORDS);
}

/** Korean texts are compared by pairs of syllables, so that no stop list of whole words is of use for them. */
function hasNoContent(word: string, language: string): boolean {
  return language === 'ko' && isKoreanAsking(word);
}

/** A word of a question as the tokenizer has it, and its place: `[start, end)` of the text. */
export type WrittenWord = { readonly surface: string; readonly start: number; readonly end: number };

/** Words in order. One written in joined parts is its parts, but a version or a number is what its joined form says. */
export function writtenSpans(text: string): readonly WrittenWord[] {
  const words: WrittenWord[] = [];
  for (const { surface, start, end } of analyzeText(text, '').tokens) {
    const isJoined = start < (words.at(-1)?.end ?? 0);
    if (!isJoined) words.push({ surface, start, end });
    else if (HAS_DIGIT.test(surface)) {
      while ((words.at(-1)?.start ?? -1) >= start) words.pop();
      words.push({ surface, start, end });
    }
  }
  return words;
}

export function writtenWords(text: string): readonly string[] {
  return writtenSpans(text).map(({ surface }) => surface);
}

function lessCarried(own: readonly string[]): (word: QuestionWord) => QuestionWord {
  const questionWords = new Set(own.flatMap((word) => (isPaired(word) ? [word, ...pairsOf(word)] : [word])));
  return (word) => (questionWords.has(word.text) ? word : { ...word, factor: CARRIED_RATIO * word.factor });
}

function questionWords(written: readonly string[], language: string): readonly QuestionWord[] {
  const isSmall = smallWords(language);
  return contentWords(written, language).map((text) => ({ text, factor: isSmall(text) ? SMALL_WORD_RATIO : 1 }));
}

/** The word that names the need weighs what it weighs in the engine; without one, a word of those pages is added. */
function needed(
  words: readonly QuestionWord[],
  intent: QueryIntent | undefined,
  language: string,
): readonly QuestionWord[] {
  if (intent === undefined) return words;
  const [first, ...more] = intentWords(intent, language);
  if (first === undefined) return words;
  const others = words.map((word) => {
    const also = timeWords(word.text, intent, language);
    return also === undefined ? word : { ...word, factor: SMALL_WORD_RATIO, also };
  });
  const isNamed = words.some(({ text }) => isIntentWord(text, intent, language));
  if (!isNamed) return [...others, { text: first, factor: 1, also: more }];
  return others.map((word) =>
    isIntentWord(word.text, intent, language) ? { ...word, factor: 1, also: [first, ...more] } : word,
  );
}

const smallStems = new Map<string, ReadonlySet<string>>();

/** Tells verbs and nouns that stand in questions about anything. */
export function smallWords(language: string): (word: string) => boolean {
  const list = QUESTION_TABLES[language]?.small.split(/\s+/) ?? [];
  const stems = smallStems.get(language) ?? new Set(list.flatMap((word) => [word, stemWord(word, language)]));
  smallStems.set(language, stems);
  return (word) => stems.has(foldWord(word)) || stems.has(stemWord(word, language));
}
