import { importPeer } from '../../install-peers.ts';
import { type BenchQuery, FIELD_BOOSTS, type Peer, TOP } from '../peer.ts';

type Database = object;
type Module = {
  create(options: object): Database;
  insert(db: Database, document: object): Promise<unknown> | unknown;
  search(db: Database, query: object): Promise<{ readonly count: number }> | { readonly count: number };
};

/** Orama in memory with stemming, its own facets, filters, orders and geo search. */
export async function createPeer(): Promise<Peer> {
  const { create, insert, search } = await importPeer<Module>('@orama/orama');
  const db = create({
    schema: {
      title: 'string',
      description: 'string',
      content: 'string',
      published: 'number',
      price: 'number',
      category: 'enum',
      language: 'enum',
      author: 'enum',
      place: 'geopoint',
    },
    components: { tokenizer: { language: 'english', stemming: true } },
  });
  return {
    async build(documents) {
      for await (const { latitude, longitude, ...document } of documents) {
        await insert(db, { ...document, place: { lat: latitude, lon: longitude } });
      }
    },
    can: (className) => className !== 'phrase of 2 words',
    search: async (query) => ({ total: (await search(db, parametersOf(query))).count }),
  };
}

function parametersOf(query: BenchQuery): object {
  const { words, operator, prefix, typo, sort } = query;
  const facet = { size: 20, limit: 20 };
  const where = filterOf(query);
  return {
    term: prefix ?? typo?.written ?? words.join(' '),
    properties: ['title', 'description', 'content'],
    boost: FIELD_BOOSTS,
    limit: TOP,
    // 0 = documents with every word, 1 = with any.
    threshold: operator === 'AND' ? 0 : 1,
    exact: prefix === undefined && typo === undefined,
    facets: { category: facet, language: facet, author: facet },
    ...(typo === undefined ? {} : { tolerance: 1 }),
    ...(where === undefined ? {} : { where }),
    ...(sort === undefined ? {} : { sortBy: { property: sort, order: 'DESC' } }),
  };
}

function filterOf({ categories, publishedFrom, near }: BenchQuery): object | undefined {
  const where = {
    ...(categories === undefined ? {} : { category: { in: categories } }),
    ...(publishedFrom === undefined ? {} : { published: { gte: publishedFrom } }),
    ...(near === undefined ? {} : { place: { radius: radiusOf(near) } }),
  };
  return Object.keys(where).length === 0 ? undefined : where;
}

function radiusOf({ latitude, longitude, metres }: NonNullable<BenchQuery['near']>): object {
  return { coordinates: { lat: latitude, lon: longitude }, value: metres, unit: 'm', inside: true };
}
