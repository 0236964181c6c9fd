import { z } from 'zod';
import type { QueryPlan, ValueBoost } from '../query-plan.ts';
import type { IndexHit } from '../search-index.ts';
import { type Engine, searchEngine } from './engine.ts';
import { encodeName } from './index-layout.ts';
import { exactValue } from './index-row.ts';
import { valueField } from './plan/counts.ts';
import { type Scope, scoredQuery } from './plan/match.ts';
import { readStoredTerms, type StoredTerms } from './stored-terms.ts';

/** A document whose score is looked at closely. */
export type Candidate = {
  /** The score of its words alone, before boosts; 0 = they do not match. */
  readonly first: number;
  readonly stored: StoredTerms;
  readonly language: string;
  /** As `lengthOfCode` gives it. */
  readonly length: number;
  /** Milliseconds since the latest instant of the recency field; undefined = it has none. */
  readonly ageMs: number | undefined;
  /** Those that fit. */
  readonly boosts: readonly ValueBoost[];
};

const FieldsSchema = z.record(z.string(), z.array(z.unknown()));
const CandidatesSchema = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        _score: z.number().nullable(),
        _source: z.unknown(),
        fields: FieldsSchema.optional(),
      }),
    ),
  }),
});

/** By row id. One request; O(words of their texts) where the query has several content words. */
export async function readCandidates(
  engine: Engine,
  plan: QueryPlan,
  scope: Scope,
  hits: readonly Pick<IndexHit, 'rid'>[],
): Promise<ReadonlyMap<number, Candidate>> {
  if (hits.length === 0) return new Map();
  const { recency } = plan;
  const dateField =
    recency && scope.generation.typeOf(recency.field) === 'date' ? `date.${encodeName(recency.field)}` : undefined;
  // Only closeness is read from the text itself, which takes two words.
  const isClose = scope.words.filter(({ role }) => role === 'content').length > 1;
  const answer = await searchEngine(engine, {
    size: hits.length,
    track_total_hits: false,
    query: {
      bool: {
        filter: [{ terms: { rid: hits.map(({ rid }) => rid) } }],
        should: [scoredQuery(scope)],
        minimum_should_match: 0,
      },
    },
    _source: ['terms', 'a', 'b', 'titleName', ...(isClose ? ['c'] : [])],
    docvalue_fields: [
      'language',
      'length',
      ...(dateField === undefined ? [] : [dateField]),
      ...plan.boosts.map(({ field }) => valueField(field)),
    ],
  });
  return new Map(
    CandidatesSchema.parse(answer).hits.hits.map(({ _id, _score, _source, fields = {} }) => {
      const instants = (dateField === undefined ? [] : (fields[dateField] ?? [])).map(Number);
      return [
        Number(_id),
        {
          first: Math.fround(_score ?? 0),
          stored: readStoredTerms(_source),
          language: String(fields['language']?.[0] ?? ''),
          length: Number(fields['length']?.[0] ?? 0),
          ageMs: recency === undefined ? undefined : ageOf(instants, recency.now),
          boosts: plan.boosts.filter(({ field, values }) => {
            const own = fields[valueField(field)] ?? [];
            return values.some((value) => own.includes(exactValue(value)));
          }),
        },
      ];
    }),
  );
}

function ageOf(instants: readonly number[], now: number): number | undefined {
  const past = instants.filter((instant) => instant <= now);
  return past.length === 0 ? undefined : now - Math.max(...past);
}
