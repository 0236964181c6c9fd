import { z } from 'zod';
import type { FieldType } from '../../core/field-values.ts';
import { typeBySuffix } from '../../core/field-values.ts';
import type { TypeOfField } from '../../core/filters.ts';
import { EMPTY_VOCABULARY } from '../../text/compounds.ts';
import type { FieldStatus } from '../search-index.ts';
import type { WordKnowledge } from '../word-forms.ts';
import type { Connection, Json } from './connection.ts';
import { STATE_ID } from './index-layout.ts';
import { BESIDE } from './index-row.ts';
import { requireWhole } from './whole-answer.ts';

/** What the searches of one published state need to know of its live documents. */
export type KnownGeneration = {
  readonly number: number;
  readonly seq: number;
  readonly documents: number;
  /** Tokens of class C per live document. */
  readonly averageLength: number;
  readonly words: WordKnowledge;
  readonly fields: readonly FieldStatus[];
  readonly typeOf: TypeOfField;
  /** Live documents of words, by what was asked. */
  readonly frequencies: Map<string, number>;
};

export const EMPTY_GENERATION: KnownGeneration = {
  number: 0,
  seq: 0,
  documents: 0,
  averageLength: 0,
  words: { languages: [], vocabulary: EMPTY_VOCABULARY, hasSecondaryText: false, hasLinkTexts: false },
  fields: [],
  typeOf: (field) => typeBySuffix(field) ?? 'text',
  frequencies: new Map(),
};

/** A row of the index that is a document. */
export const IS_DOCUMENT: Json = { exists: { field: 'rid' } };

/** Says which generation a search has seen: part of the aggregations of every search. */
export const SEEN_GENERATION = {
  seen: {
    global: {},
    aggs: { state: { filter: { term: { _id: STATE_ID } }, aggs: { seq: { max: { field: 'seq' } } } } },
  },
} as const satisfies Json;

const SeenSchema = z.object({
  seen: z.object({ state: z.object({ seq: z.object({ value: z.number().nullable() }) }) }),
});

/** The `seq` that is published now; 0 when there is no index. */
export async function readSeenSeq(connection: Connection, alias: string, signal?: AbortSignal): Promise<number> {
  const body = { size: 0, track_total_hits: false, query: { match_none: {} }, aggs: SEEN_GENERATION };
  const answer = await connection.find({ method: 'POST', path: `/${alias}/_search`, body, signal });
  return answer === undefined
    ? 0
    : seenSeq(z.object({ aggregations: z.unknown() }).parse(requireWhole(answer)).aggregations);
}

/** The `seq` of the generation that answered. */
export function seenSeq(aggregations: unknown): number {
  return SeenSchema.parse(aggregations).seen.state.seq.value ?? 0;
}

const Buckets = z.object({ buckets: z.array(z.object({ key: z.string(), doc_count: z.number() })) });
const Count = z.object({ doc_count: z.number() });
const KnowledgeSchema = z.object({
  hits: z.object({ total: z.object({ value: z.number() }) }),
  aggregations: z.object({
    state: z.object({
      state: z.object({
        seq: z.object({ value: z.number().nullable() }),
        generation: z.object({ value: z.number().nullable() }),
      }),
    }),
    languages: Buckets,
    has: Buckets,
    notNumber: Buckets,
    notDate: Buckets,
    tokens: z.object({ value: z.number() }),
    secondary: Count,
    links: Count,
  }),
});

const MAX_LANGUAGES = 200;
const MAX_FIELD_NAMES = 20_000;

/** Reads what is published; `EMPTY_GENERATION` of an engine that nobody wrote to. */
export async function readGeneration(
  connection: Connection,
  alias: string,
  signal?: AbortSignal,
): Promise<KnownGeneration> {
  const names = (field: string) => ({ terms: { field, size: MAX_FIELD_NAMES } });
  const answer = await connection.find({
    method: 'POST',
    path: `/${alias}/_search`,
    signal,
    body: {
      size: 0,
      track_total_hits: true,
      query: { bool: { filter: [IS_DOCUMENT] } },
      aggs: {
        state: {
          global: {},
          aggs: {
            state: {
              filter: { term: { _id: STATE_ID } },
              aggs: { seq: { max: { field: 'seq' } }, generation: { max: { field: 'generation' } } },
            },
          },
        },
        languages: { terms: { field: 'language', size: MAX_LANGUAGES } },
        has: names('has'),
        notNumber: names('notNumber'),
        notDate: names('notDate'),
        tokens: { sum: { field: 'tokens' } },
        secondary: { filter: { term: { beside: BESIDE.secondary } } },
        links: { filter: { term: { beside: BESIDE.links } } },
      },
    },
  });
  return answer === undefined ? EMPTY_GENERATION : knownGeneration(KnowledgeSchema.parse(requireWhole(answer)));
}

function knownGeneration({ hits, aggregations }: z.infer<typeof KnowledgeSchema>): KnownGeneration {
  const documents = hits.total.value;
  const { state, languages, has, tokens, secondary, links } = aggregations;
  const other = (buckets: z.infer<typeof Buckets>) => new Set(buckets.buckets.map(({ key }) => key));
  const notNumber = other(aggregations.notNumber);
  const notDate = other(aggregations.notDate);
  const known = new Set(has.buckets.map(({ key }) => key));
  const typeOf = (field: string): FieldType => {
    const bySuffix = typeBySuffix(field);
    if (bySuffix !== undefined) return bySuffix;
    if (!known.has(field) || field === 'Id' || field === '_type') return 'text';
    if (!notNumber.has(field)) return 'number';
    return notDate.has(field) ? 'text' : 'date';
  };
  return {
    number: state.state.generation.value ?? 0,
    seq: state.state.seq.value ?? 0,
    documents,
    averageLength: documents === 0 ? 0 : tokens.value / documents,
    words: {
      languages: languages.buckets.map(({ key }) => key).sort(),
      vocabulary: EMPTY_VOCABULARY,
      hasSecondaryText: secondary.doc_count > 0,
      hasLinkTexts: links.doc_count > 0,
    },
    fields: has.buckets.map(({ key, doc_count }) => ({ name: key, type: typeOf(key), documents: doc_count })),
    typeOf,
    frequencies: new Map(),
  };
}
