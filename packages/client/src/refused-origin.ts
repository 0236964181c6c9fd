import { FossickError } from './fossick-error.ts';
import type { SearchClient } from './search-client.ts';
import type { Connection } from './transport.ts';

type Search = SearchClient['search'];

/**
 * For pages of other origins. A browser tells a script nothing about an answer that its origin may not read: it looks
 * like a service that is not there. When the service is there all the same, the engine does not allow the origin, and
 * the search rejects with 403 and `origin.refused`. Contract: 1.5.
 */
export function tellRefusedOrigin(search: Search, connection: Connection): Search {
  return async (query, options = {}) => {
    try {
      return await search(query, options);
    } catch (error) {
      const isSilent = error instanceof FossickError && error.status === 0;
      if (!isSilent || !(await isThere(connection, options.signal))) throw error;
      const details = { status: 403, errorCode: 'origin.refused', cause: error };
      throw new FossickError('The engine does not allow this origin', details);
    }
  };
}

/** Also when its answer cannot be read. */
async function isThere({ baseUrl = '', fetch = globalThis.fetch }: Connection, signal: AbortSignal | undefined) {
  const request = { mode: 'no-cors', cache: 'no-store', signal: signal ?? null } as const;
  return fetch(`${baseUrl.replace(/\/+$/, '')}/health/live`, request).then(
    () => true,
    () => false,
  );
}
