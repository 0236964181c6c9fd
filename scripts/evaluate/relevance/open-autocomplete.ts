import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { autocomplete } from '../../../src/search/autocomplete.ts';
import { NO_TOOLS } from '../../../test/helpers/no-tools.ts';
import { openIndexOf } from '../open-index.ts';
import { type Corpus, storedDocuments } from './corpus.ts';

/** What is shown for a typed text: ids of the documents, best first, and the completions. */
export type OfferedDocuments = { readonly ids: readonly string[]; readonly completions: readonly string[] };

export type OfferDocuments = (typed: string, limit: number) => Promise<OfferedDocuments>;

export type OpenAutocomplete = AsyncDisposable & { readonly offer: OfferDocuments };

/** Autocomplete over a corpus in an embedded index that goes when it is disposed; nobody has searched it before. */
export async function openAutocomplete(corpus: Corpus): Promise<OpenAutocomplete> {
  const rows = storedDocuments(corpus.documents);
  const rowsByRid = new Map(rows.map((row) => [row.rid, row]));
  const opened = await openIndexOf(rows, corpus.engineLanguage);
  const engine = {
    id: 1,
    customerId: 1,
    name: corpus.name,
    language: corpus.engineLanguage,
    settings: ENGINE_DEFAULTS,
    publicSettings: PUBLIC_DEFAULTS,
    managedBy: undefined,
    createdAt: 0,
  };
  const deps = {
    searchIndex: opened.searchIndex,
    readDocuments: async (_engineId: number, rids: readonly number[]) => rids.map((rid) => rowsByRid.get(rid)),
    clock: systemClock,
    queryIds: { make: () => '' },
    popularQueries: async () => [],
    tools: NO_TOOLS.tools,
  };
  const signal = new AbortController().signal;
  return {
    async offer(query, limit) {
      const request = { query, limit, filters: [], topHits: [] };
      const { results, suggestions } = await autocomplete(deps, { engine, request, signal });
      return { ids: results.map(({ id }) => id), completions: suggestions };
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
