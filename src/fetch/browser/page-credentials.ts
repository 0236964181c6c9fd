import type { BrowserContext, CDPSession } from 'playwright';
import { credentialHeaders } from '../credential-headers.ts';
import type { Credentials } from '../fetcher.ts';

type Paused = {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Adds the headers of credentials to requests to their origins and to no other: what is added to a request does not
 * follow it to the target of a redirect, which is asked for anew. Without such headers no request is held up.
 */
export async function addCredentials(cdp: CDPSession, credentials: Credentials | undefined): Promise<void> {
  if (credentials === undefined || Object.keys(credentials.headers).length === 0) return;
  cdp.on('Fetch.requestPaused', ({ requestId, request }: Paused) => {
    const url = URL.parse(request.url);
    const own = url !== null && credentials.goTo(url.origin) ? credentials.headers : {};
    const headers = Object.entries({ ...request.headers, ...own }).map(([name, value]) => ({ name, value }));
    cdp.send('Fetch.continueRequest', { requestId, headers }).catch(() => {
      // The page was closed meanwhile.
    });
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] });
}

/** Gives the browser the cookies that a request of the URL would have, for the URL's host alone. */
export async function addCookies(
  context: BrowserContext,
  url: string,
  credentials: Credentials | undefined,
): Promise<void> {
  const { cookie = '' } = credentialHeaders(url, credentials);
  const pairs = cookie.split('; ').filter((pair) => pair !== '');
  if (pairs.length === 0) return;
  await context.addCookies(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: new URL(url).origin };
    }),
  );
}
