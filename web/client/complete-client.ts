import type { PageSettings } from './page-settings.ts';

/** Texts that a typed beginning may become, best first. */
export type CompleteClient = (query: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Completions shown at once. */
const RESULTS = '8';

/** Completes over one engine of this host. Without an answer there is nothing to offer. Contract: 3. */
export function createCompleteClient(settings: PageSettings): CompleteClient {
  const address = `/api/v4/${settings.customerId}/${settings.engineId}/autocomplete`;
  const headers = { authorization: `SiteKey ${settings.siteKey}` };
  return async (query, signal) => {
    const parameters = new URLSearchParams({ query, results: RESULTS });
    const response = await fetch(`${address}?${parameters}`, { headers, signal });
    if (!response.ok) return [];
    const { suggestions } = (await response.json()) as { readonly suggestions: readonly string[] };
    return suggestions;
  };
}
