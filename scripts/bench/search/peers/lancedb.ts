import type { GeneratedDocument } from '../../generate-corpus.ts';
import { importPeer } from '../../install-peers.ts';
import { Columns } from '../columns.ts';
import type { BenchQuery, Peer } from '../peer.ts';

type TextQuery = object;
type Query = {
  fullTextSearch(query: TextQuery): Query;
  where(filter: string): Query;
  select(columns: readonly string[]): Query;
  limit(rows: number): Query;
  toArrow(): Promise<{ getChild(name: string): { toArray(): ArrayLike<number> } | null }>;
};
type Table = {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: object): Promise<void>;
  query(): Query;
};
type Module = {
  connect(directory: string): Promise<{ createTable(name: string, rows: readonly object[]): Promise<Table> }>;
  readonly Index: { fts(options: object): object; btree(): object; bitmap(): object };
  readonly MatchQuery: new (text: string, column: string, options?: object) => TextQuery;
  readonly PhraseQuery: new (text: string, column: string) => TextQuery;
  readonly Operator: { readonly And: unknown; readonly Or: unknown };
};

const ROWS_PER_WRITE = 20_000;

/**
 * LanceDB with stemming over one column that holds all texts, its fastest form; value and date filters are its own,
 * radius, facets and orders in JavaScript columns.
 */
export async function createPeer(): Promise<Peer> {
  const lance = await importPeer<Module>('@lancedb/lancedb');
  const columns = new Columns();
  let table: Table;
  return {
    async build(documents, directory) {
      table = await fill(lance, directory, documents, columns);
      const texts = { withPosition: true, stem: true, removeStopWords: false, asciiFolding: true, language: 'English' };
      await table.createIndex('text', { config: lance.Index.fts(texts) });
      await table.createIndex('category', { config: lance.Index.bitmap() });
      await table.createIndex('published', { config: lance.Index.btree() });
    },
    can: (className) => className !== 'prefix',
    async search(query) {
      const { near, sort } = query;
      const found = await rowsOf(lance, table, query, columns.rows);
      const passes = columns.filterOf(
        near === undefined ? { words: [], operator: 'OR' } : { words: [], operator: 'OR', near },
      );
      const rows = passes === undefined ? found : found.filter(passes);
      // Rows of a text search come by score.
      columns.finish(rows, undefined, sort === undefined ? { words: [], operator: 'OR' } : query);
      return { total: rows.length };
    },
  };
}

async function fill(
  lance: Module,
  directory: string,
  documents: AsyncIterable<GeneratedDocument>,
  columns: Columns,
): Promise<Table> {
  const db = await lance.connect(directory);
  let table: Table | undefined;
  let rows: object[] = [];
  const flush = async () => {
    if (table === undefined) table = await db.createTable('documents', rows);
    else if (rows.length > 0) await table.add(rows);
    rows = [];
    return table;
  };
  for await (const document of documents) {
    const { title, description, content, category, published } = document;
    rows.push({ row: columns.rows, text: `${title} ${description} ${content}`, category, published });
    columns.add(document);
    if (rows.length === ROWS_PER_WRITE) await flush();
  }
  return flush();
}

async function rowsOf(lance: Module, table: Table, query: BenchQuery, most: number): Promise<number[]> {
  const text = textQueryOf(lance, query);
  let search = table.query();
  if (text !== undefined) search = search.fullTextSearch(text);
  const filter = filterOf(query);
  if (filter !== undefined) search = search.where(filter);
  const found = await search
    .select(text === undefined ? ['row'] : ['row', '_score'])
    .limit(most)
    .toArrow();
  return Array.from(found.getChild('row')?.toArray() ?? [], Number);
}

function textQueryOf(
  { MatchQuery, PhraseQuery, Operator }: Module,
  { words, operator, phrase, typo }: BenchQuery,
): TextQuery | undefined {
  if (typo !== undefined) return new MatchQuery(typo.written, 'text', { fuzziness: 1 });
  if (words.length === 0) return undefined;
  if (phrase) return new PhraseQuery(words.join(' '), 'text');
  return new MatchQuery(words.join(' '), 'text', { operator: operator === 'AND' ? Operator.And : Operator.Or });
}

function filterOf({ categories, publishedFrom }: BenchQuery): string | undefined {
  const parts = [
    ...(categories === undefined ? [] : [`category IN (${categories.map((value) => `'${value}'`).join(', ')})`]),
    ...(publishedFrom === undefined ? [] : [`published >= ${publishedFrom}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' AND ');
}
