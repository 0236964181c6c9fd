import { readFileSync } from 'node:fs';
import type { Fields, NewDocument, Section } from '../../../src/core/document.ts';

/** Manuals of PostgreSQL, Python and Apache HTTPD, and the sample site of a garden in English and German. */
export const DOCS_SETS = ['postgresql', 'python', 'apache', 'garden'] as const;

/** One language each: pages of public services, shops and museums. */
export const LANGUAGE_SETS = [
  'ar',
  'da',
  'de',
  'es',
  'fi',
  'fr',
  'it',
  'ja',
  'ko',
  'nb',
  'nl',
  'pl',
  'pt',
  'ru',
  'sv',
  'th',
  'zh',
] as const;

export type AnswerSetName = (typeof DOCS_SETS)[number] | (typeof LANGUAGE_SETS)[number];

/** Rules, weights and thresholds are chosen on `tuning` alone; `blind` tells whether they hold elsewhere. */
export const HALVES = ['tuning', 'blind'] as const;
export type Half = (typeof HALVES)[number];

/** One line of `<set>.documents.jsonl`: a page with all its text, or with its first sections when it is long. */
export type AnswerDocument = {
  /** Path of the page without its extension. */
  readonly id: string;
  readonly url: string;
  readonly language: string;
  readonly title: string;
  /** `''` = the page has none. */
  readonly description: string;
  readonly sections: readonly Omit<Section, 'id'>[];
};

export const QUESTION_KINDS = [
  'definition',
  'how-to',
  'number',
  'date',
  'person',
  'place',
  'why',
  'yes-no',
  'choice',
  'fact',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export type AnswerableQuestion = {
  /** Unique in its set: `t12` of the tuning half, `b12` of the blind one. */
  readonly id: string;
  readonly question: string;
  readonly kind: QuestionKind;
  /** Ids of all pages that answer it. */
  readonly gold: readonly string[];
  /** A correct answer holds at least one of them (`holdsNugget`). */
  readonly nuggets: readonly string[];
};

export type UnanswerableQuestion = {
  /** Unique in its set: `tn3`, `bn3`. */
  readonly id: string;
  readonly question: string;
  /** `far`: of another field than the set. `near`: of its field, and no page of the set says it. */
  readonly kind: 'far' | 'near';
};

/** A question that is understood only after those before it, in a conversation with the assistant. */
export type FollowUp = AnswerableQuestion & { readonly previous: readonly string[] };

/** `<set>.<half>.json`. */
export type QuestionSet = {
  readonly answerable: readonly AnswerableQuestion[];
  readonly unanswerable: readonly UnanswerableQuestion[];
  /** Absent in small sets. */
  readonly followUps?: readonly FollowUp[];
};

const FOLDER = new URL('../../../test/golden/answers/', import.meta.url);

export function documentsFile(name: AnswerSetName): URL {
  return new URL(`${name}.documents.jsonl`, FOLDER);
}

export function readAnswerDocuments(name: AnswerSetName): readonly AnswerDocument[] {
  const lines = readFileSync(documentsFile(name), 'utf8').trimEnd().split('\n');
  return lines.map((line): AnswerDocument => JSON.parse(line));
}

export function readQuestions(name: AnswerSetName, half: Half): QuestionSet {
  return JSON.parse(readFileSync(new URL(`${name}.${half}.json`, FOLDER), 'utf8'));
}

/** The document as the product stores what it reads from such a page. */
export function newDocument({ id, url, language, title, description, sections }: AnswerDocument): NewDocument {
  const fields: Fields = new Map([
    ['Url', [url]],
    ['Title', [title]],
    ...(description === '' ? [] : ([['Description', [description]]] as const)),
    ['Content', [contentOf(sections)]],
  ]);
  const numbered = sections.map((section, index) => ({ ...section, id: `${id}#${index}` }));
  return {
    id,
    kind: 'PageContent',
    origin: 'crawled',
    language,
    fields,
    structure: { version: 1, sections: numbered, surroundings: '' },
  };
}

/** Headings and blocks in the order of the page, a line each. */
export function contentOf(sections: AnswerDocument['sections']): string {
  const lines: string[] = [];
  let open: Section['headings'] = [];
  for (const { headings, blocks } of sections) {
    const known = headings.findIndex((heading, at) => heading.text !== open[at]?.text);
    if (known !== -1) lines.push(...headings.slice(known).map(({ text }) => text));
    lines.push(...blocks.map(({ text }) => text));
    open = headings;
  }
  return lines.join('\n');
}
