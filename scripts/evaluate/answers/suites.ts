import type { NewDocument, StoredDocument } from '../../../src/core/document.ts';
import {
  type AnswerSetName,
  DOCS_SETS,
  type Half,
  LANGUAGE_SETS,
  newDocument,
  readAnswerDocuments,
  readQuestions,
} from './sets.ts';

/** What one engine is asked: a set, or the manuals and the garden together. */
export type AnswerSuite = { readonly name: string; readonly language: string; readonly sets: readonly AnswerSetName[] };

export const SUITES: readonly AnswerSuite[] = [
  { name: 'docs', language: 'en', sets: DOCS_SETS },
  ...LANGUAGE_SETS.map((name) => ({ name, language: name, sets: [name] })),
];

/** Figures of the tuning halves, one entry per suite. */
export const BASELINE_FILE = new URL('../../../test/golden/answers/baseline.json', import.meta.url);

/** A question of a set or site, whether it has an answer or not. */
export type AskedQuestion = {
  /** Name of the set or site. */
  readonly set: string;
  readonly id: string;
  readonly question: string;
  readonly kind: 'answerable' | 'far' | 'near';
  /** Earlier questions of the conversation, oldest first. */
  readonly previous: readonly string[];
  /** Keys (`documentKey`) of the documents that answer it; empty when none does. */
  readonly gold: readonly string[];
  readonly nuggets: readonly string[];
};

/** Documents of a suite; the crawler of a set is its place in the suite, from 1. */
export function suiteDocuments({ sets }: AnswerSuite): readonly StoredDocument[] {
  const documents = sets.flatMap((set, index) =>
    readAnswerDocuments(set).map((document) => ({ ...newDocument(document), crawlerId: index + 1 })),
  );
  return storedDocuments(documents);
}

/** As one engine would hold them, written one after the other. */
export function storedDocuments(
  documents: readonly (NewDocument & Pick<StoredDocument, 'crawlerId'>)[],
): readonly StoredDocument[] {
  return documents.map(({ structure, ...document }, index) => ({
    rid: index + 1,
    seq: index + 1,
    writeSeq: index + 1,
    deleted: false,
    createdAt: 0,
    updatedAt: 0,
    ...document,
    structure,
  }));
}

export function suiteQuestions({ sets }: AnswerSuite, half: Half): readonly AskedQuestion[] {
  return sets.flatMap((set, index) => {
    const { answerable, unanswerable, followUps = [] } = readQuestions(set, half);
    const asked = [...answerable.map((each) => ({ ...each, previous: [] })), ...followUps];
    return [
      ...asked.map(({ id, question, previous, gold, nuggets }): AskedQuestion => {
        const keys = gold.map((documentId) => documentKey({ crawlerId: index + 1, documentId }));
        return { set, id, question, kind: 'answerable', previous, gold: keys, nuggets };
      }),
      ...unanswerable.map((each): AskedQuestion => ({ set, ...each, previous: [], gold: [], nuggets: [] })),
    ];
  });
}

export function documentKey({ crawlerId, documentId }: { crawlerId: number; documentId: string }): string {
  return `${crawlerId}/${documentId}`;
}
