import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright';
import type { EgressProxy, ProxySession } from '../egress-proxy.ts';
import { type Credentials, credentialHeaders } from '../fetcher.ts';
import type { RenderRequest } from '../renderer.ts';

/** A page with a context, cookies and a way out of its own; used for one document after another of the same access. */
export type OpenPage = AsyncDisposable & {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly session: ProxySession;
  /** Leaves the document and forgets what it kept. */
  clear(): Promise<void>;
};

export type PageDeps = {
  /** A page in a context of its own, which ends with it. */
  readonly newPage: (options: BrowserContextOptions) => Promise<Page>;
  readonly proxy: EgressProxy;
  readonly userAgent: string;
};

const VIEWPORT = { width: 1_280, height: 1_024 };

export async function openPage({ newPage, proxy, userAgent }: PageDeps, request: RenderRequest): Promise<OpenPage> {
  const { access, limits, headers } = request;
  await using stack = new AsyncDisposableStack();
  const session = stack.use(proxy.openSession({ access, limits }));
  const { 'user-agent': agent = userAgent, ...others } = headers;
  const page = await newPage({
    proxy: { server: proxy.server, bypass: '<-loopback>' },
    acceptDownloads: false,
    serviceWorkers: 'block',
    ignoreHTTPSErrors: !access.tls.verify,
    userAgent: agent,
    extraHTTPHeaders: others,
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
  });
  stack.defer(() => page.close());
  const context = page.context();
  const cdp = await context.newCDPSession(page);
  await logIn({ page, cdp, session }, proxy.helloUrl);
  await addCredentials(cdp, access.credentials);
  guard(context, page);
  const owned = stack.move();
  return {
    page,
    cdp,
    session,
    clear: () => clear({ context, page, cdp }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Shows the pass to the proxy once; the context's network keeps it for every later connection. Requests are only
 * held up meanwhile: holding them up for good would switch the browser's cache off.
 */
async function logIn(
  { page, cdp, session }: Pick<OpenPage, 'page' | 'cdp' | 'session'>,
  helloUrl: string,
): Promise<void> {
  const { username, password } = session;
  const authChallengeResponse = { response: 'ProvideCredentials', username, password } as const;
  const answer = ({ requestId }: { readonly requestId: string }) =>
    void cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignoreClosed);
  const goOn = ({ requestId }: { readonly requestId: string }) =>
    void cdp.send('Fetch.continueRequest', { requestId }).catch(ignoreClosed);
  cdp.on('Fetch.authRequired', answer);
  cdp.on('Fetch.requestPaused', goOn);
  await cdp.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: `${helloUrl}*` }] });
  await page.goto(helloUrl, { waitUntil: 'commit' });
  await cdp.send('Fetch.disable');
  cdp.off('Fetch.authRequired', answer);
  cdp.off('Fetch.requestPaused', goOn);
}

/** The page was closed meanwhile: nobody waits for the answer. */
function ignoreClosed(): void {}

/** Windows that the page opens are closed, what it asks is dismissed. */
function guard(context: BrowserContext, page: Page): void {
  context.on('page', (opened) => void opened.close().catch(ignoreClosed));
  page.on('dialog', (dialog) => void dialog.dismiss().catch(ignoreClosed));
}

async function clear({
  context,
  page,
  cdp,
}: Pick<OpenPage, 'page' | 'cdp'> & { readonly context: BrowserContext }): Promise<void> {
  const url = URL.parse(page.url());
  await page.goto('about:blank');
  await context.clearCookies();
  if (url !== null && url.origin !== 'null') {
    const storageTypes = 'local_storage,indexeddb,cache_storage,file_systems,websql,shared_storage';
    await cdp.send('Storage.clearDataForOrigin', { origin: url.origin, storageTypes });
  }
}

type Paused = {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Adds the headers of credentials to requests to their origins and to no other: what is added to a request does not
 * follow it to the target of a redirect, which is asked for anew. Without such headers no request is held up.
 */
async function addCredentials(cdp: CDPSession, credentials: Credentials | undefined): Promise<void> {
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
