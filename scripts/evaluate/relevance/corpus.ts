import { readFileSync } from 'node:fs';
import type { StoredDocument } from '../../../src/core/document.ts';

/** Texts that rankings are judged on: manuals of PostgreSQL and Python, a garden in English and German, a town in Danish. */
export const CORPORA = ['postgresql', 'python', 'garden', 'municipality'] as const;
export type CorpusName = (typeof CORPORA)[number];

/** Judged queries: those of each corpus, and questions of fifteen words and more about the manuals. */
export const QUERY_SETS = [...CORPORA, 'postgresql-long', 'python-long'] as const;
export type QuerySetName = (typeof QUERY_SETS)[number];

/** Language of the engine that a corpus is searched with. */
const ENGINE_LANGUAGES = { postgresql: 'en', python: 'en', garden: 'en', municipality: 'da' } as const;

/** Places of a ranking that count. */
export const JUDGED_DEPTH = 10;

/** One line of `<corpus>.documents.jsonl`. `id` is the path of the page without its extension. */
export type CorpusDocument = {
  readonly id: string;
  readonly language: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
};

/** 3 = what was looked for, 2 = answers a good part of it, 1 = helps. */
export type Grade = 1 | 2 | 3;

export const HALVES = ['tuning', 'held-out'] as const;
export type Half = (typeof HALVES)[number];

export type JudgedQuery = {
  readonly query: string;
  /** Defaults are chosen on `tuning` alone; `held-out` tells whether they hold elsewhere. */
  readonly half: Half;
  /** Document id → grade; documents that are not named are no answer. */
  readonly relevant: Readonly<Record<string, Grade>>;
  /** The best document must not come after this place, 1-based. */
  readonly highestRank?: number;
};

export type Corpus = {
  readonly name: QuerySetName;
  readonly engineLanguage: string;
  readonly documents: readonly CorpusDocument[];
  readonly queries: readonly JudgedQuery[];
};

const FOLDER = new URL('../../../test/golden/relevance/', import.meta.url);

export function documentsFile(name: CorpusName): URL {
  return new URL(`${name}.documents.jsonl`, FOLDER);
}

export function summaryFile(): URL {
  return new URL('summary.json', FOLDER);
}

export function readCorpus(name: QuerySetName): Corpus {
  const corpus = name.replace(/-long$/, '') as CorpusName;
  const lines = readFileSync(documentsFile(corpus), 'utf8').trimEnd().split('\n');
  const documents = lines.map((line): CorpusDocument => JSON.parse(line));
  const queries: readonly JudgedQuery[] = JSON.parse(readFileSync(new URL(`${name}.queries.json`, FOLDER), 'utf8'));
  return { name, engineLanguage: ENGINE_LANGUAGES[corpus], documents, queries };
}

/** Documents as rows of one crawler, in their order. */
export function storedDocuments(documents: readonly CorpusDocument[]): readonly StoredDocument[] {
  return documents.map(({ id, language, fields }, index) => ({
    rid: index + 1,
    seq: index + 1,
    writeSeq: index + 1,
    crawlerId: 1,
    id,
    language,
    kind: 'PageContent',
    origin: 'crawled',
    deleted: false,
    createdAt: 0,
    updatedAt: 0,
    fields: new Map(Object.entries(fields)),
    structure: undefined,
  }));
}
