import type { IncomingMessage, ServerResponse } from 'node:http';
import { openCrawl } from './crawl.ts';
import { eventually } from './eventually.ts';
import { type FakeNames, markedNames } from './fetching.ts';
import {
  brokenHttp,
  dropped,
  halfBody,
  type Page,
  redirectTo,
  sendPage,
  silent,
  startSiteServer,
} from './site-server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const NAME = 'site.example';

const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tu', 'sal', 'ver', 'don', 'pe', 'gri', 'han', 'zu', 'bel', 'or', 'fin'];

/** 150 words that no other page has in this order. */
function textOf(seed: number): string {
  let state = (seed + 1) * 2_654_435_761;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return SYLLABLES[state % SYLLABLES.length] ?? '';
  };
  return Array.from({ length: 150 }, () => next() + next() + next()).join(' ');
}

/** The home page links to the others, `/page/0`, `/page/1`, … */
export function goodPage(path: string, { pages = 0, head = '' } = {}): Page {
  const others = path === '/' ? Array.from({ length: pages - 1 }, (_, i) => `/page/${i}`) : [];
  const links = others.map((link) => `<li><a href="${link}">${link}</a></li>`).join('');
  const text = textOf(path === '/' ? -1 : Number(path.split('/').at(-1)));
  const body = `<!doctype html><html lang="en"><head><title>Page ${path}</title>${head}</head>
<body><main><h1>Page ${path}</h1><p>${text}</p></main><nav><ul>${links}</ul></nav></body></html>`;
  return { body };
}

export function otherPage(title: string, text: string, more = ''): Page {
  return {
    body: `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p>${more}</main></body></html>`,
  };
}

const LOGIN = otherPage('Log in', 'Please say who you are before you go on.', '<form><input type="password"></form>');
const MAINTENANCE = otherPage(
  'Back soon',
  'We are working on our systems and will be back in a few hours. Thank you for waiting.',
);
const CONSENT = otherPage(
  'Your privacy',
  'We and 812 partners store cookies on your device. Accept all of them to go on reading.',
);
const ROBOT_WALL = otherPage(
  'Entry refused',
  'Please prove that you are a person. Press and hold the bar below until it is full.',
);
const PARKED = otherPage('site.example is for sale', textOf(777_777));
const ROBOTS = '/robots.txt';
const isPage = (path: string) => path === '/' || path.startsWith('/page/');

/** What the broken site answers; undefined: as ever. */
export type Way = (path: string, request: IncomingMessage, response: ServerResponse) => Page | 'done' | undefined;
const all =
  (page: Page): Way =>
  (path) =>
    isPage(path) ? page : undefined;
const raw =
  (behaviour: (request: IncomingMessage, response: ServerResponse, visit: number) => unknown): Way =>
  (path, request, response) => {
    if (!isPage(path)) return undefined;
    behaviour(request, response, 1);
    return 'done';
  };

const cut = (share: number) => (path: string, request: IncomingMessage) => {
  if (!isPage(path)) return undefined;
  const body = String(goodPage(path).body);
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n';
  request.socket.end(head + body.slice(0, body.length * share));
  return 'done' as const;
};

/** What goes wrong, what the site answers then, and the reason that an operator is told; null: there is nothing to tell. */
export const OUTAGES: readonly (readonly [string, Way, string | null])[] = [
  ['503', all({ status: 503, body: 'busy' }), 'rate-limited'],
  ['500', all({ status: 500, body: 'oops' }), 'server-error'],
  ['resets', raw(dropped), 'reset'],
  ['what is no HTTP', raw(brokenHttp), 'protocol'],
  ['timeouts', raw(silent), 'timeout'],
  ['429 without end', all({ status: 429, headers: { 'retry-after': '1' } }), 'rate-limited'],
  ['403 of a firewall', all({ status: 403, body: 'denied' }), 'forbidden'],
  ['401', all({ status: 401, body: 'who are you' }), 'forbidden'],
  ['robots.txt with 500', (path) => (path === ROBOTS ? { status: 500 } : undefined), 'robots-unreachable'],
  [
    'robots.txt with Disallow',
    (path) => (path === ROBOTS ? { body: 'User-agent: *\nDisallow: /' } : undefined),
    'robots',
  ],
  [
    'noindex',
    (path) => (isPage(path) ? goodPage(path, { head: '<meta name="robots" content="noindex">' }) : undefined),
    'noindex',
  ],
  ['empty pages', all({ body: '' }), 'empty'],
  ['one maintenance page', all(MAINTENANCE), 'identical-pages'],
  ['a parked page', all(PARKED), 'identical-pages'],
  ['a consent wall', all(CONSENT), 'identical-pages'],
  ['a sign-in form', all(LOGIN), 'login-wall'],
  ['a page that keeps robots out', all(ROBOT_WALL), 'robot-wall'],
  [
    'a redirect to a login',
    (path) => (isPage(path) ? redirectTo('/login') : path === '/login' ? LOGIN : undefined),
    'login-wall',
  ],
  [
    'a redirect to the home page',
    (path) => (path.startsWith('/page/') ? redirectTo('/', 301) : undefined),
    'identical-pages',
  ],
  [
    'pages of another site',
    (path) =>
      isPage(path) ? otherPage(`Shop ${path}`, textOf(100_000 + path.length + Number(path.at(-1)))) : undefined,
    'start-probe',
  ],
  ['an empty sitemap', (path) => (path === '/sitemap.xml' ? sitemapOf([]) : undefined), null],
  [
    'the sitemap of another site',
    (path) => (path === '/sitemap.xml' ? sitemapOf(['http://other.example/a']) : undefined),
    null,
  ],
  [
    'text/plain',
    (path) =>
      isPage(path) ? { body: textOf(1_000 + path.length), headers: { 'content-type': 'text/plain' } } : undefined,
    'type-changed',
  ],
  [
    'JSON',
    (path) =>
      isPage(path) ? { body: '{"error":"no such view"}', headers: { 'content-type': 'application/json' } } : undefined,
    'type-changed',
  ],
  ['cut bodies', raw(halfBody), 'truncated'],
  ['bodies cut at a third, without a length', cut(1 / 3), 'truncated'],
  ['404', all({ status: 404 }), 'not-found'],
];

function sitemapOf(urls: readonly string[]): Page {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('');
  const body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
  return { headers: { 'content-type': 'application/xml' }, body };
}

/** A site under a name, crawled once, that can be broken and mended. */
export async function openBrokenSite(pages: number) {
  await using stack = new AsyncDisposableStack();
  let way: Way | undefined;
  const site = stack.use(
    await startSiteServer({
      '*': (request, response) => {
        const path = request.url ?? '/';
        const answer = way?.(path, request, response);
        if (answer === 'done') return;
        sendPage(response, answer ?? (isPage(path) ? goodPage(path, { pages }) : { status: 404 }));
      },
    }),
  );
  const names: FakeNames = { [NAME]: ['127.0.0.1'] };
  const seed = `http://${NAME}:${site.port}/`;
  const crawl = stack.use(
    await openCrawl(
      {
        seeds: [seed],
        ...markedNames(NAME),
        sitemaps: 'auto',
        schedule: { full: 'manual', incremental: 'manual' },
        timeouts: { connectMs: 200, firstByteMs: 200, pageMs: 500 },
        politeness: { pace: 'fixed', delayMs: 0, ratePerSecond: 1_000, slots: 8 },
      },
      { names },
    ),
  );
  const round = async () => {
    await crawl.run();
    await crawl.crawl();
  };
  const texts = async () => {
    const found = await crawl.store.listDocuments({ crawlerId: crawl.crawlerId, after: 0, limit: 10_000 });
    return new Map(found.map(({ id, kind, fields }) => [id, JSON.stringify([kind, ...fields])]));
  };
  /** Holds of hosts end in Redis by its own clock. */
  const skip = async (ms: number) => {
    await crawl.redis.control.flushall();
    crawl.clock.skip(ms);
  };
  // The time that a page has is so short that a busy machine may miss it.
  await eventually(async () => {
    await crawl.crawl();
    if ((await texts()).size === pages) return true;
    await skip(HOUR);
    return false;
  }, 60_000);
  const owned = stack.move();
  return {
    ...{ site, seed, crawl, names, round, texts },
    break: (broken: Way | undefined) => {
      way = broken;
    },
    /** A run that meets the broken site. */
    meet: async () => {
      await skip(2 * HOUR);
      await round();
    },
    /** A run that meets the broken site, second looks at what it saw, and the next run. */
    suffer: async () => {
      await skip(2 * HOUR);
      await round();
      await skip(2 * HOUR + 60_000);
      await crawl.crawl();
      await skip(2 * HOUR);
      await round();
    },
    /** Holds end, here and in Redis; everything is visited again. */
    recover: async () => {
      way = undefined;
      await skip(DAY + HOUR);
      // What a run left waits for its end: it goes on, or a new one begins.
      await round();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
