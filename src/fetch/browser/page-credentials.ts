import type { CDPSession } from 'playwright-core';
import { credentialHeaders } from '../credential-headers.ts';
import type { Credentials } from '../fetcher.ts';

type Paused = {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Adds a crawler's credentials to the requests of a page that go to the origins they belong to. Each hop of a redirect
 * is asked anew. Without credentials nothing is held up.
 */
export async function addCredentials(cdp: CDPSession, credentials: Credentials | undefined): Promise<void> {
  if (credentials === undefined) return;
  cdp.on('Fetch.requestPaused', ({ requestId, request }: Paused) => {
    const own = /^https?:/.test(request.url) ? credentialHeaders(request.url, credentials) : {};
    const headers = Object.entries({ ...request.headers, ...own }).map(([name, value]) => ({ name, value }));
    cdp.send('Fetch.continueRequest', { requestId, headers }).catch(() => {
      // The page was closed meanwhile.
    });
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}
