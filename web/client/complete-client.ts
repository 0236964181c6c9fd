import type { PageSettings } from './page-settings.ts';

/** A document whose words begin with what was typed; plain values, without marks. */
export type CompletedDocument = { readonly id: string; readonly fields: Readonly<Record<string, string>> };

export type Completions = {
  /** What was typed when they were asked for. */
  readonly query: string;
  /** Texts that it may become, best first. */
  readonly texts: readonly string[];
  /** Best first. */
  readonly documents: readonly CompletedDocument[];
  /** Names the list in click tracking. */
  readonly queryId: string;
};

/** Rejects with the signal's reason on an abort; whatever else fails gives nothing to offer. */
export type CompleteClient = (query: string, signal: AbortSignal) => Promise<Completions>;

/** Completions and documents shown at once, each. */
const RESULTS = '8';

type Answer = {
  readonly queryId: string;
  readonly suggestions: readonly string[];
  readonly results: readonly CompletedDocument[];
};

/** Completes over one engine of this host. Contract: 3. */
export function createCompleteClient(settings: PageSettings): CompleteClient {
  const address = `/api/v4/${settings.customerId}/${settings.engineId}/autocomplete`;
  const headers = { authorization: `SiteKey ${settings.siteKey}` };
  return async (query, signal) => {
    const parameters = new URLSearchParams({ query, results: RESULTS });
    const response = await fetch(`${address}?${parameters}`, { headers, signal });
    if (!response.ok) return { query, texts: [], documents: [], queryId: '' };
    const { suggestions, results, queryId } = (await response.json()) as Answer;
    return { query, texts: suggestions, documents: results, queryId };
  };
}
