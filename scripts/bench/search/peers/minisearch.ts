import { stemWord } from '../../../../src/text/stemming.ts';
import { importPeer } from '../../install-peers.ts';
import { Columns } from '../columns.ts';
import { type BenchAnswer, type BenchQuery, FIELD_BOOSTS, type Peer } from '../peer.ts';

type Found = { readonly id: number; readonly score: number };
type SearchOptions = {
  readonly combineWith: 'AND' | 'OR';
  readonly boost: Readonly<Record<string, number>>;
  readonly prefix?: boolean;
  readonly fuzzy?: number;
  readonly processTerm?: (term: string) => string;
};
type Index = {
  add(document: { id: number; title: string; description: string; content: string }): void;
  search(text: string, options: SearchOptions): readonly Found[];
};
type Module = {
  readonly default: {
    new (options: { fields: readonly string[]; processTerm: (term: string) => string }): Index;
    /** What `*` means to it. */
    readonly wildcard: string;
  };
};

/** MiniSearch in memory, with the stemmer of this project; filters, facets and orders in JavaScript columns. */
export async function createPeer(): Promise<Peer> {
  const { default: MiniSearch } = await importPeer<Module>('minisearch');
  const columns = new Columns();
  const index = new MiniSearch({
    fields: ['title', 'description', 'content'],
    processTerm: (term) => stemWord(term.toLowerCase(), 'en'),
  });
  return {
    async build(documents) {
      for await (const document of documents) {
        const { title, description, content } = document;
        index.add({ id: columns.rows, title, description, content });
        columns.add(document);
      }
    },
    can: (className) => className !== 'phrase of 2 words',
    search: (query) => search(index, columns, { query, everything: MiniSearch.wildcard }),
  };
}

function search(
  index: Index,
  columns: Columns,
  { query, everything }: { query: BenchQuery; everything: string },
): BenchAnswer {
  const passes = columns.filterOf(query);
  const rows: number[] = [];
  const scores: number[] = [];
  for (const { id, score } of index.search(textOf(query, everything), optionsOf(query))) {
    if (passes !== undefined && !passes(id)) continue;
    rows.push(id);
    scores.push(score);
  }
  columns.finish(rows, scores, query);
  return { total: rows.length };
}

function textOf({ words, prefix, typo }: BenchQuery, everything: string): string {
  if (prefix !== undefined) return prefix;
  if (typo !== undefined) return typo.written;
  return words.length === 0 ? everything : words.join(' ');
}

function optionsOf({ operator, prefix, typo }: BenchQuery): SearchOptions {
  const options = { combineWith: operator, boost: FIELD_BOOSTS };
  if (prefix !== undefined) return { ...options, prefix: true, processTerm: (term) => term.toLowerCase() };
  return typo === undefined ? options : { ...options, fuzzy: 1 };
}
