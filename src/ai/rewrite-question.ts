import { answerTableOf } from '../text/languages/packs.ts';
import { stemWord } from '../text/stemming.ts';
import { isStopWord } from '../text/stop-words.ts';
import { contentWords, writtenWords } from './question.ts';

export type FollowUp = {
  readonly question: string;
  /** The question before, as it was rewritten itself. */
  readonly previous: string;
  readonly language: string;
};

/** Fewer words of content do not say what they are about. */
const MIN_CONTENT_WORDS = 3;

const TABLES = answerTableOf('followUps');

/**
 * A question that leans on the one before, with the words of content that it lacks behind it; undefined when it stands
 * alone. By rules: right answers of follow-ups rise from 5 to 9 of 12 (answers design 6). Both forms should be asked.
 */
export function rewriteQuestion(followUp: FollowUp): string | undefined {
  const { question, previous, language } = followUp;
  if (!isDependent(question, language)) return undefined;
  const stems = new Set(writtenWords(question).map((word) => stemWord(word, language)));
  const carried = new Set(
    writtenWords(previous).filter((word) => !isStopWord(word, language) && !stems.has(stemWord(word, language))),
  );
  if (carried.size === 0) return undefined;
  return `${question.replace(/[\s?？.!]+$/u, '')} ${[...carried].join(' ')}?`;
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
  const opening = `${words.join(' ')} `;
  return (
    words.some((word) => listOf(table.refers).has(word)) ||
    listOf(table.refersLast).has(words.at(-1) ?? '') ||
    table.opens.split('|').some((phrase) => opening.startsWith(`${writtenWords(phrase).join(' ')} `))
  );
}

const lists = new Map<string, ReadonlySet<string>>();

function listOf(written: string): ReadonlySet<string> {
  const list = lists.get(written) ?? new Set(written.split(/\s+/));
  lists.set(written, list);
  return list;
}
