import { type Corpus, type CorpusName, type JudgedQuery, readCorpus } from './corpus.ts';
import { type OfferDocuments, openAutocomplete } from './open-autocomplete.ts';
import { TYPED_LIMIT } from './type-titles.ts';

/** The first screen holds five documents at least. */
const SCREEN = 5;
/** Letters of the last word from which on its beginning is typed. */
const FEWEST_LETTERS = 3;

/** Shares of the texts whose best document is the first, and among the first five. */
export type TypedShares = { readonly texts: number; readonly first: number; readonly firstScreen: number };

export type TypedQueries = {
  /** Judged queries, typed to their end. */
  readonly whole: TypedShares;
  /** The same with the last word not yet typed to its end, letter by letter from the third on. */
  readonly begun: TypedShares;
  /** Whole queries whose best document is not among the first five. */
  readonly misses: readonly string[];
};

/**
 * Types the judged queries of a corpus, and looks where the documents of their best grade stand: in a running
 * installation that `offer` asks, or in an index of its own.
 */
export async function typeQueries(name: CorpusName, offer?: OfferDocuments): Promise<TypedQueries> {
  const corpus = readCorpus(name);
  if (offer !== undefined) return rankTyped(corpus, offer);
  await using autocomplete = await openAutocomplete(corpus);
  // Awaited here: the index is closed when this function ends.
  return await rankTyped(corpus, autocomplete.offer);
}

async function rankTyped({ queries }: Corpus, offer: OfferDocuments): Promise<TypedQueries> {
  const rankOf = async (typed: string, judged: JudgedQuery) => {
    const best = bestOf(judged);
    const { ids } = await offer(typed, TYPED_LIMIT);
    const rank = ids.findIndex((id) => best.has(id));
    return rank < 0 ? Number.POSITIVE_INFINITY : rank;
  };
  const whole: number[] = [];
  const begun: number[] = [];
  const misses: string[] = [];
  for (const judged of queries) {
    const rank = await rankOf(judged.query, judged);
    whole.push(rank);
    if (rank >= SCREEN) misses.push(judged.query);
    for (const typed of beginningsOf(judged.query)) begun.push(await rankOf(typed, judged));
  }
  return { whole: sharesOf(whole), begun: sharesOf(begun), misses };
}

function bestOf({ relevant }: JudgedQuery): ReadonlySet<string> {
  const highest = Math.max(...Object.values(relevant));
  return new Set(Object.entries(relevant).flatMap(([id, grade]) => (grade === highest ? [id] : [])));
}

function beginningsOf(query: string): readonly string[] {
  const at = query.lastIndexOf(' ') + 1;
  const last = query.slice(at);
  const lengths = Array.from({ length: Math.max(0, last.length - FEWEST_LETTERS) }, (_, i) => FEWEST_LETTERS + i);
  return lengths.map((length) => query.slice(0, at + length));
}

function sharesOf(ranks: readonly number[]): TypedShares {
  const share = (limit: number) => ranks.filter((rank) => rank < limit).length / ranks.length;
  return { texts: ranks.length, first: share(1), firstScreen: share(SCREEN) };
}
