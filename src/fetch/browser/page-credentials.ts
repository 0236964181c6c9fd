import type { CDPSession } from 'playwright-core';
import type { FetchAccess } from '../fetcher.ts';

type Paused = {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Adds the headers of an origin to requests to it and to no other: only these are held up, and what is added to a
 * request does not follow it to the target of a redirect. Without credentials nothing is held up.
 */
export async function addCredentials(cdp: CDPSession, credentials: FetchAccess['credentials']): Promise<void> {
  if (credentials.size === 0) return;
  cdp.on('Fetch.requestPaused', ({ requestId, request }: Paused) => {
    const own = credentials.get(URL.parse(request.url)?.origin ?? '') ?? {};
    const headers = Object.entries({ ...request.headers, ...own }).map(([name, value]) => ({ name, value }));
    cdp.send('Fetch.continueRequest', { requestId, headers }).catch(() => {
      // The page was closed meanwhile.
    });
  });
  const patterns = [...credentials.keys()].map((origin) => ({ urlPattern: `${origin}/*` }));
  await cdp.send('Fetch.enable', { patterns });
}
