import type { Engine } from '../core/records.ts';
import type { FieldStatus, SearchIndex } from '../search-index/search-index.ts';
import type { SynonymGroup } from '../storage/tool-store.ts';
import { type ReadQuery, readQuery } from './read-query.ts';
import { compileSynonyms, type SynonymTable } from './synonyms.ts';

export type QueryReaderDeps = {
  readonly searchIndex: Pick<SearchIndex, 'languages'>;
  /** The same list as long as no group of the customer changes. */
  readonly tools: { of(customerId: number): Promise<{ readonly synonymGroups: readonly SynonymGroup[] }> };
};

type ReaderRequest = {
  readonly engine: Engine;
  readonly fields: readonly FieldStatus[];
};

/** Reads texts as queries of one engine, with what stands between adjacent words. */
export type QueryReader = (text: string, operator: 'AND' | 'OR') => ReadQuery;

/** A reader with the engine's fields, and the customer's synonyms in the languages of engine and documents. */
export async function createQueryReader(
  { searchIndex, tools }: QueryReaderDeps,
  { engine, fields }: ReaderRequest,
): Promise<QueryReader> {
  const synonyms = await customerSynonyms({ searchIndex, tools }, engine);
  return (text, operator) => readQuery(text, { operator, language: engine.language, fields, synonyms });
}

/** The customer's synonyms in the languages of engine and documents. */
export async function customerSynonyms({ searchIndex, tools }: QueryReaderDeps, engine: Engine): Promise<SynonymTable> {
  const { synonymGroups } = await tools.of(engine.customerId);
  const languages = synonymGroups.length === 0 ? [] : [engine.language, ...(await searchIndex.languages(engine.id))];
  return tableOf(synonymGroups, [...new Set(languages)]);
}

/** Tables by the groups and languages they were made from, as long as somebody holds the groups. */
const tables = new WeakMap<readonly SynonymGroup[], Map<string, SynonymTable>>();

function tableOf(groups: readonly SynonymGroup[], languages: readonly string[]): SynonymTable {
  const byLanguages = tables.get(groups) ?? new Map<string, SynonymTable>();
  tables.set(groups, byLanguages);
  const key = languages.join(' ');
  const table = byLanguages.get(key) ?? compileSynonyms(groups, languages);
  byLanguages.set(key, table);
  return table;
}
