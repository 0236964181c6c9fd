import type { FollowUpWords } from '../text/languages/language-pack.ts';
import { answerTableOf } from '../text/languages/packs.ts';
import { stemWord } from '../text/stemming.ts';
import { isStopWord } from '../text/stop-words.ts';
import type { Answerability } from './answerability.ts';
import { contentWords, smallWords, type WrittenWord, writtenSpans, writtenWords } from './question.ts';
import { opensLikeQuestion, plainQuestion, questionType } from './question-types.ts';

export type FollowUp = {
  readonly question: string;
  /** The question before, as it was rewritten itself. */
  readonly previous: string;
  readonly language: string;
};

/** Fewer words of content do not say what they are about. */
const MIN_CONTENT_WORDS = 3;
/** More words of content behind `what about` are a question of their own. */
const MAX_CONTRAST_WORDS = 5;

const TABLES = answerTableOf('followUps');

/**
 * What a question that leans on the one before may mean as a question of its own, the likeliest first; none when it
 * stands alone. One that only names something else (`what about drones`) is the one before with its subject replaced,
 * then both together, then what it names alone. One that points back (`where do I buy it`) is about the subject of the
 * one before, not about what was asked of it, and then about all of it.
 */
export function rewriteFollowUp(followUp: FollowUp): readonly string[] {
  const { question, previous, language } = followUp;
  if (!isDependent(question, language)) return [];
  const stems = new Set(writtenWords(question).map((word) => stemWord(word, language)));
  const completedWith = (words: readonly string[]) => {
    const lacking = words.filter((word) => !isStopWord(word, language) && !stems.has(stemWord(word, language)));
    if (lacking.length === 0) return [];
    return [`${question.replace(/[\s?？.!]+$/u, '')} ${[...new Set(lacking)].join(' ')}?`];
  };
  const table = TABLES[language];
  if (table === undefined) return completedWith(writtenWords(previous));
  const before = parseQuestion(previous, table, language);
  const all = completedWith(before.words.flatMap(({ surface, kind }) => (isVerbal(kind) ? [] : [surface])));
  const contrast = contrastOf(question, table, language);
  if (contrast !== undefined) {
    const { start, end } = replacedBy(contrast, before) ?? { start: 0, end: 0 };
    const replaced = start === end ? [] : [substituted(previous, before.words.slice(start, end), contrast)];
    return [...replaced, ...all, question];
  }
  const type = questionType(plainQuestion(question, language), language);
  const asksAnew = pointsBack(question, language) || (type !== 'other' && type !== 'yes-no');
  return [...new Set([...completedWith(asksAnew ? nounsOf(before) : []), ...all])];
}

/** What the first rewrite finds that its passages answer; when they answer none, the one that comes nearest. */
export async function firstAnswered<Found extends { readonly answerability: Answerability }>(
  rewrites: readonly string[],
  find: (rewrite: string) => Promise<Found>,
): Promise<(Found & { readonly rewritten: string }) | undefined> {
  let nearest: (Found & { readonly rewritten: string }) | undefined;
  for (const rewritten of rewrites) {
    const found = { ...(await find(rewritten)), rewritten };
    if (found.answerability.refusal === undefined) return found;
    if (found.answerability.probability > (nearest?.answerability.probability ?? -1)) nearest = found;
  }
  return nearest;
}

/** Whether a question points back, goes on with what was said, or is too short to stand alone. */
export function isDependent(question: string, language: string): boolean {
  return hasLittleContent(question, language) || pointsBack(question, language);
}

/** Whether a question points back and hardly says anything besides (`where do I buy it`): alone it asks nothing. */
export function dependsOnPrevious(question: string, language: string): boolean {
  return hasLittleContent(question, language) && pointsBack(question, language);
}

function hasLittleContent(question: string, language: string): boolean {
  const words = writtenWords(question);
  const content = words.every((word) => isStopWord(word, language)) ? [] : contentWords(words, language);
  return content.length < MIN_CONTENT_WORDS;
}

function pointsBack(question: string, language: string): boolean {
  const table = TABLES[language];
  if (table === undefined) return false;
  const words = writtenWords(question);
  return (
    words.some((word) => listOf(table.refers).has(word)) ||
    listOf(table.refersLast).has(words.at(-1) ?? '') ||
    openerOf(words, table) > 0
  );
}

/** How many words a question goes on with: `and`, `and what about`. */
function openerOf(words: readonly string[], table: FollowUpWords): number {
  const opening = `${words.join(' ')} `;
  const lengths = table.opens.split('|').flatMap((phrase) => {
    const opener = writtenWords(phrase);
    return opening.startsWith(`${opener.join(' ')} `) ? [opener.length] : [];
  });
  const length = Math.max(0, ...lengths);
  return length === 0 ? 0 : length + openerOf(words.slice(length), table);
}

type WordKind = 'determiner' | 'auxiliary' | 'copula' | 'join' | 'function' | 'content';
type ParsedWord = WrittenWord & { readonly kind: WordKind; readonly isSmall: boolean };
type ParsedQuestion = {
  readonly words: readonly ParsedWord[];
  readonly mainVerb: FollowUpWords['mainVerb'];
  /** What it says of its subject is a place, time, reason or verdict, behind it: (when is the garden) open. */
  readonly hasPredicate: boolean;
  /** It asks for an amount or a degree: (how) heavy. */
  readonly asksDegree: boolean;
};
/** Places of words, without the last. */
type Range = { readonly start: number; readonly end: number };

function parseQuestion(question: string, table: FollowUpWords, language: string): ParsedQuestion {
  const kindOf = (word: string): WordKind => {
    if (listOf(table.determiners).has(word)) return 'determiner';
    if (listOf(table.auxiliaries).has(word)) return 'auxiliary';
    if (listOf(table.copulas).has(word)) return 'copula';
    if (listOf(table.joins).has(word)) return 'join';
    return isStopWord(word, language) ? 'function' : 'content';
  };
  const isSmall = smallWords(language);
  const type = questionType(plainQuestion(question, language), language);
  return {
    words: writtenSpans(question).map((word) => ({
      ...word,
      kind: kindOf(word.surface),
      isSmall: isSmall(word.surface),
    })),
    mainVerb: table.mainVerb,
    hasPredicate: type === 'date' || type === 'place' || type === 'why' || type === 'yes-no',
    asksDegree: type === 'number' || type === 'how-to',
  };
}

const isVerbal = (kind: WordKind | undefined) => kind === 'auxiliary' || kind === 'copula';

/** What a question is about: its subject, the object of what somebody does, or what is counted. */
function topicOf(question: ParsedQuestion): Range | undefined {
  const { words } = question;
  const clause = clauseOf(question);
  const isFirstNoun = ({ kind }: ParsedWord, place: number) => place >= clause.from && isNominal(kind);
  const phrase = clause.from === -1 ? undefined : nounPhraseFrom(question, words.findIndex(isFirstNoun));
  const topic = phrase && withoutVerb(question, phrase, clause);
  return (
    topic ??
    nounPhraseFrom(
      question,
      words.findIndex((word, place) => place < clause.verb && isNoun(word)),
    )
  );
}

type Clause = {
  /** Places of its auxiliary or form of to be, and where behind it nouns may begin; -1 = it has none. */
  readonly verb: number;
  readonly from: number;
  readonly isCopula: boolean;
  /** A pronoun, or nobody, is its subject. */
  readonly isActed: boolean;
};

function clauseOf({ words, mainVerb }: ParsedQuestion): Clause {
  const verb = words.findIndex(({ kind }) => isVerbal(kind));
  if (verb === -1)
    return { verb, from: words.findIndex(({ kind }) => kind === 'determiner'), isActed: false, isCopula: true };
  const isCopula = words[verb]?.kind === 'copula';
  const hasPronoun = words[verb + 1]?.kind === 'function';
  const isActed = hasPronoun || (mainVerb === 'behind-auxiliary' && !isCopula && words[verb + 1]?.kind === 'content');
  const isVerbNext = isActed && !isCopula && mainVerb !== 'last';
  return { verb, from: verb + 1 + (hasPronoun ? 1 : 0) + (isVerbNext ? 1 : 0), isActed, isCopula };
}

/** Words of content but the verb, and what asks for an amount or a degree. */
function nounsOf(question: ParsedQuestion): readonly string[] {
  const topic = topicOf(question);
  const { verb, from } = clauseOf(question);
  if (topic === undefined) return [];
  return question.words.flatMap((word, place) => {
    const isVerb = (place >= Math.max(0, verb) && place < from) || place === topic.end;
    // `How heavy is it`: one word between the first one and the verb.
    const isDegree = question.asksDegree && place === 1 && verb === 2;
    return isNoun(word) && !isVerb && !isDegree ? [word.surface] : [];
  });
}

const isNoun = ({ kind, isSmall }: ParsedWord) => kind === 'content' && !isSmall;
const isNominal = (kind: WordKind | undefined) => kind === 'determiner' || kind === 'content';

function nounPhraseFrom({ words }: ParsedQuestion, start: number): Range | undefined {
  if (start === -1) return undefined;
  let end = start;
  while (words[end]?.kind === 'determiner') end++;
  const first = end;
  while (words[end]?.kind === 'content' || isJoined(words, end)) end++;
  return end === first ? undefined : { start, end };
}

/** `of` between two nouns, and the article behind it. */
function isJoined(words: readonly ParsedWord[], place: number): boolean {
  const [before, here, next] = [words[place - 1]?.kind, words[place]?.kind, words[place + 1]?.kind];
  if (here === 'join') return before === 'content' && isNominal(next);
  return here === 'determiner' && before === 'join' && next === 'content';
}

/** Undefined when nothing but the verb is left. */
function withoutVerb(
  { words, mainVerb, hasPredicate }: ParsedQuestion,
  { start, end }: Range,
  { isActed, isCopula }: Clause,
): Range | undefined {
  const content = words.slice(start, end).filter(({ kind }) => kind === 'content').length;
  const isLast = end === words.length;
  const isVerbLast = mainVerb === 'last' ? isLast : !isActed && !isVerbal(words[end]?.kind);
  if (content > 1) return (isCopula ? hasPredicate : isVerbLast) ? { start, end: end - 1 } : { start, end };
  return isActed && !isCopula && mainVerb === 'last' && isLast ? undefined : { start, end };
}

type Contrast = {
  readonly text: string;
  /** Its first word, when that is a preposition or the like. */
  readonly first: string;
  /** Where in it a word stands for a noun that was said: (the harmonic) one. */
  readonly standIn: number | undefined;
};

/** What a question names in place of something in the one before, when it does nothing else. */
function contrastOf(question: string, table: FollowUpWords, language: string): Contrast | undefined {
  const { words } = parseQuestion(question, table, language);
  const opener = openerOf(
    words.map(({ surface }) => surface),
    table,
  );
  const rest = words.slice(opener);
  const [first, last] = [rest[0], rest.at(-1)];
  if (opener === 0 || first === undefined || last === undefined) return undefined;
  const content = rest.filter(({ kind }) => kind === 'content').length;
  const isNamed = content > 0 && content <= MAX_CONTRAST_WORDS;
  const isClause = rest.some(({ kind, surface }) => isVerbal(kind) || listOf(table.refers).has(surface));
  const text = question.slice(first.start, last.end);
  if (!isNamed || isClause || opensLikeQuestion(text, language)) return undefined;
  return {
    text,
    first: first.kind === 'function' ? first.surface : '',
    standIn: listOf(table.nounStandIns).has(last.surface) ? last.start - first.start : undefined,
  };
}

/** What stands behind the same preposition, else what the question before is about. */
function replacedBy({ first }: Contrast, before: ParsedQuestion): Range | undefined {
  if (first === '') return topicOf(before);
  const place = before.words.findIndex(({ surface }) => surface === first);
  const phrase = place === -1 ? undefined : nounPhraseFrom(before, place + 1);
  return phrase && { start: place, end: phrase.end };
}

/** `The harmonic one` keeps the noun of what it replaces. */
function substituted(previous: string, replaced: readonly ParsedWord[], { text, standIn }: Contrast): string {
  const noun = replaced.findLast(({ kind }) => kind === 'content')?.surface ?? '';
  const named = standIn === undefined ? text : `${text.slice(0, standIn)}${noun}`;
  return `${previous.slice(0, replaced[0]?.start)}${named}${previous.slice(replaced.at(-1)?.end)}`;
}

const lists = new Map<string, ReadonlySet<string>>();

function listOf(written: string): ReadonlySet<string> {
  const list = lists.get(written) ?? new Set(written.split(/\s+/));
  lists.set(written, list);
  return list;
}
