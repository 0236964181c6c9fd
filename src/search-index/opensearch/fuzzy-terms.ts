import { z } from 'zod';
import { compareCodePoints, editDistance } from '../../core/compare-text.ts';
import { foldWord } from '../../text/folding.ts';
import { bestFuzzyTerms } from '../relevance.ts';
import type { FuzzyOptions, FuzzyTerm } from '../search-index.ts';
import type { Json } from './connection.ts';
import { escapeRegex } from './edit-patterns.ts';
import { type Engine, searchEngine } from './engine.ts';
import { IS_DOCUMENT } from './generation.ts';
import { OF_FIELD, PART } from './index-layout.ts';

/** Forms near a word that are looked at. */
const MAX_CANDIDATES = 1_000;
const MAX_FORMS = 10_000;
const ANY_FREQUENCY = 1e9;

const SuggestionsSchema = z.object({
  suggest: z.object({ near: z.array(z.object({ options: z.array(z.object({ text: z.string() })) })) }),
});
const BucketsSchema = z.object({
  aggregations: z.object({
    forms: z.object({ buckets: z.array(z.object({ key: z.string(), doc_count: z.number() })) }),
  }),
});

/** A field of folded words, and what stands before the word in each of its values. */
export type SurfaceField = { readonly name: string; readonly prefix: string };

export const SEARCHED_TEXT: SurfaceField = { name: 'surfaces', prefix: OF_FIELD };

/** Words of searched text near a word, as live documents have them. */
export async function findFuzzyTerms(
  engine: Engine,
  word: string,
  { minDistance = 1, maxDistance, limit }: FuzzyOptions,
): Promise<readonly FuzzyTerm[]> {
  const asked = foldWord(word);
  const near = await fuzzySurfaces(engine, SEARCHED_TEXT, asked, maxDistance);
  const texts = near.filter((text) => !/\d/.test(text) && editDistance(asked, text) >= minDistance);
  const counts = await countSurfaces(engine, SEARCHED_TEXT, texts);
  const found = [...counts].map(([text, documents]) => {
    return { text, display: text, documents, distance: editDistance(asked, text) };
  });
  const best = bestFuzzyTerms(found, limit);
  const displays = await displayForms(engine, best);
  return best.map((term) => ({ ...term, display: displays.get(term.text) ?? term.text }));
}

/** Folded words within some edits of one, itself too; some of them may be those of deleted documents only. */
export async function fuzzySurfaces(
  engine: Engine,
  { name, prefix }: SurfaceField,
  asked: string,
  maxDistance: number,
): Promise<readonly string[]> {
  if (maxDistance === 0) return [asked];
  const term = {
    field: name,
    analyzer: 'keyword',
    suggest_mode: 'always',
    sort: 'frequency',
    size: MAX_CANDIDATES,
    max_edits: maxDistance,
    prefix_length: prefix.length,
    min_word_length: 1,
    accuracy: 0,
    max_term_freq: ANY_FREQUENCY,
  };
  const answer = await searchEngine(engine, { size: 0, suggest: { near: { text: prefix + asked, term } } });
  const options = SuggestionsSchema.parse(answer).suggest.near.flatMap(({ options: own }) => own);
  const texts = options.map(({ text }) => text.slice(prefix.length));
  return [...new Set([asked, ...texts])].filter((text) => editDistance(asked, text) <= maxDistance);
}

/** Those of the folded words that live documents have, with how many. */
export async function countSurfaces(
  engine: Engine,
  { name, prefix }: SurfaceField,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (words.length === 0) return new Map();
  const values = words.map((word) => prefix + word);
  const buckets = await surfaceBuckets(engine, surfacesQuery({ name, prefix }, words), {
    field: name,
    include: values,
  });
  return new Map(buckets.map(({ key, doc_count }) => [key.slice(prefix.length), doc_count]));
}

/** Documents that have any of the folded words. */
export function surfacesQuery({ name, prefix }: SurfaceField, words: readonly string[]): Json {
  return { terms: { [name]: words.map((word) => prefix + word) } };
}

/** Values of a field of words in live documents that match, those of most documents first, then by code point. */
export async function surfaceBuckets(
  engine: Engine,
  matching: Json,
  terms: { readonly field: string; readonly include?: string | readonly string[]; readonly size?: number },
): Promise<readonly { readonly key: string; readonly doc_count: number }[]> {
  const answer = await searchEngine(engine, {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [IS_DOCUMENT, matching] } },
    aggs: { forms: { terms: { size: MAX_FORMS, ...terms } } },
  });
  return BucketsSchema.parse(answer).aggregations.forms.buckets;
}

/** By folded word the form that is written most; what has no accents is written as it is where no other form is. */
async function displayForms(engine: Engine, terms: readonly FuzzyTerm[]): Promise<ReadonlyMap<string, string>> {
  const texts = terms.map(({ text }) => text);
  if (texts.length === 0) return new Map();
  const include = `(${texts.map(escapeRegex).join('|')})${escapeRegex(PART)}.*`;
  const buckets = await surfaceBuckets(engine, surfacesQuery(SEARCHED_TEXT, texts), { field: 'written', include });
  const times = new Map<string, Map<string, number>>();
  for (const { key, doc_count } of buckets) {
    const [folded = '', form = ''] = key.split(PART);
    const own = times.get(folded) ?? new Map<string, number>();
    own.set(form, (own.get(form) ?? 0) + doc_count);
    times.set(folded, own);
  }
  return new Map(
    terms.map(({ text, documents }) => {
      const forms = [...(times.get(text) ?? [])];
      const accented = forms.reduce((sum, [, count]) => sum + count, 0);
      const all = [...forms, [text, documents - accented] as const];
      const [best] = all.toSorted(([a, x], [b, y]) => y - x || compareCodePoints(a, b));
      return [text, best?.[0] ?? text] as const;
    }),
  );
}
