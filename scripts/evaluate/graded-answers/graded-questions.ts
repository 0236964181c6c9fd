import { existsSync, readFileSync } from 'node:fs';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import { type AnswerableQuestion, type AnswerDocument, contentOf, type UnanswerableQuestion } from '../answers/sets.ts';
import { type AskedQuestion, documentKey } from '../answers/suites.ts';
import type { GradedSite, SiteHalf } from './graded-sites.ts';

/** How visitors ask for the same fact: in a plain question, in other words than the page's, and short or sloppy. */
export const WORDINGS = ['plain', 'other words', 'short'] as const;

export type GradedQuestion = Omit<AnswerableQuestion, 'question'> & {
  /** One for each of `WORDINGS`. */
  readonly wordings: readonly [string, string, string];
  /** What a right answer tells, for readers. */
  readonly answer: string;
};

type PlainQuestion = Pick<UnanswerableQuestion, 'id' | 'question'>;

/** `<site>.questions.json`. */
export type GradedQuestions = {
  readonly answerable: readonly GradedQuestion[];
  /** Of the field of the site, and no page of it says the answer. */
  readonly near: readonly PlainQuestion[];
};

/** A question as one engine is asked it. */
export type GradedAsk = AskedQuestion & {
  /** Undefined = nothing of the site answers it. */
  readonly wording: (typeof WORDINGS)[number] | undefined;
  /** What a right answer tells. */
  readonly answer: string;
};

/** Of the documents of a site: each site has an engine of its own. */
export const SITE_CRAWLER = 1;
export const GRADED_FOLDER = new URL('../../../test/golden/graded-answers/', import.meta.url);

/** Undefined when the site has none yet. */
export function readGradedQuestions({ name }: Pick<GradedSite, 'name'>): GradedQuestions | undefined {
  const file = new URL(`${name}.questions.json`, GRADED_FOLDER);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Questions that no site of a half answers; each site of it is asked them all. */
export function readFarQuestions(): Readonly<Record<SiteHalf, readonly PlainQuestion[]>> {
  return JSON.parse(readFileSync(new URL('far.json', GRADED_FOLDER), 'utf8'));
}

/** All that the engine of a site is asked: `12.3` is the third wording of its question 12. */
export function gradedAsks(site: GradedSite, { answerable, near }: GradedQuestions): readonly GradedAsk[] {
  const far = readFarQuestions()[site.half];
  return [
    ...answerable.flatMap((question) => wordingsOf(site, question)),
    ...near.map((question) => unanswerable(site, question, 'near')),
    ...far.map((question) => unanswerable(site, question, 'far')),
  ];
}

/** What the pages of a site do not bear out: gold pages that it lacks, and nuggets that stand in none of them. */
export function unfoundedQuestions(
  { answerable }: GradedQuestions,
  documents: readonly AnswerDocument[],
): readonly string[] {
  const texts = new Map(
    documents.map(({ id, title, description, sections }) => [id, `${title}\n${description}\n${contentOf(sections)}`]),
  );
  return answerable.flatMap(({ id, gold, nuggets }) => [
    ...gold
      .filter((page) => !holdsNugget(texts.get(page) ?? '', nuggets))
      .map((page) => `${id}: ${page} has no nugget`),
    ...nuggets
      .filter((nugget) => !gold.some((page) => holdsNugget(texts.get(page) ?? '', [nugget])))
      .map((nugget) => `${id}: no page has ${nugget}`),
  ]);
}

function wordingsOf({ name: set }: GradedSite, question: GradedQuestion): readonly GradedAsk[] {
  const { id, wordings, gold, nuggets, answer } = question;
  const keys = gold.map((documentId) => documentKey({ crawlerId: SITE_CRAWLER, documentId }));
  return wordings.map((text, index) => ({
    set,
    id: `${id}.${index + 1}`,
    question: text,
    kind: 'answerable',
    previous: [],
    gold: keys,
    nuggets,
    wording: WORDINGS[index],
    answer,
  }));
}

function unanswerable({ name: set }: GradedSite, question: PlainQuestion, kind: 'near' | 'far'): GradedAsk {
  const nothing = { previous: [], gold: [], nuggets: [], wording: undefined, answer: 'a refusal' };
  return { set, ...question, kind, ...nothing };
}
