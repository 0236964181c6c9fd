import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { approveRemovals } from '../../src/crawl/approve-removals.ts';
import { undoRemovals } from '../../src/crawl/undo-removals.ts';
import { openCrawl } from '../helpers/crawl.ts';
import { eventually } from '../helpers/eventually.ts';
import { type FakeNames, markedNames } from '../helpers/fetching.ts';
import { SITE_CERTIFICATE, startSecureSite } from '../helpers/secure-site.ts';
import {
  brokenHttp,
  dropped,
  halfBody,
  type Page,
  redirectTo,
  sendPage,
  silent,
  startSiteServer,
} from '../helpers/site-server.ts';

/** `REMOVAL_CHAOS_PAGES=500` for the long form. */
const PAGES = Number(process.env['REMOVAL_CHAOS_PAGES'] ?? '40');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PATHS = Array.from({ length: PAGES - 1 }, (_, i) => `/page/${i}`);
const NAME = 'site.example';

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

function goodPage(path: string, head = ''): Page {
  const links = path === '/' ? PATHS.map((link) => `<li><a href="${link}">${link}</a></li>`).join('') : '';
  const text = textOf(path === '/' ? -1 : Number(path.split('/').at(-1)));
  const body = `<!doctype html><html lang="en"><head><title>Page ${path}</title>${head}</head>
<body><main><h1>Page ${path}</h1><p>${text}</p></main><nav><ul>${links}</ul></nav></body></html>`;
  return { body };
}

function otherPage(title: string, text: string, more = ''): Page {
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
const PARKED = otherPage('site.example is for sale', textOf(777_777));
const ROBOTS = '/robots.txt';
const isPage = (path: string) => path === '/' || path.startsWith('/page/');

/** What the broken site answers; undefined: as ever. */
type Way = (path: string, request: IncomingMessage, response: ServerResponse) => Page | 'done' | undefined;
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

const WAYS: readonly (readonly [string, Way])[] = [
  ['503', all({ status: 503, body: 'busy' })],
  ['500', all({ status: 500, body: 'oops' })],
  ['resets', raw(dropped)],
  ['what is no HTTP', raw(brokenHttp)],
  ['timeouts', raw(silent)],
  ['429 without end', all({ status: 429, headers: { 'retry-after': '1' } })],
  ['403 of a firewall', all({ status: 403, body: 'denied' })],
  ['401', all({ status: 401, body: 'who are you' })],
  ['robots.txt with 500', (path) => (path === ROBOTS ? { status: 500 } : undefined)],
  ['robots.txt with Disallow', (path) => (path === ROBOTS ? { body: 'User-agent: *\nDisallow: /' } : undefined)],
  ['noindex', (path) => (isPage(path) ? goodPage(path, '<meta name="robots" content="noindex">') : undefined)],
  ['empty pages', all({ body: '' })],
  ['one maintenance page', all(MAINTENANCE)],
  ['a parked page', all(PARKED)],
  ['a consent wall', all(CONSENT)],
  ['a redirect to a login', (path) => (isPage(path) ? redirectTo('/login') : path === '/login' ? LOGIN : undefined)],
  ['a redirect to the home page', (path) => (path.startsWith('/page/') ? redirectTo('/', 301) : undefined)],
  ['an empty sitemap', (path) => (path === '/sitemap.xml' ? sitemapOf([]) : undefined)],
  [
    'the sitemap of another site',
    (path) => (path === '/sitemap.xml' ? sitemapOf(['http://other.example/a']) : undefined),
  ],
  [
    'text/plain',
    (path) => (isPage(path) ? { ...goodPage(path), headers: { 'content-type': 'text/plain' } } : undefined),
  ],
  ['cut bodies', raw(halfBody)],
  [
    'bodies cut at a third, without a length',
    (path, request) => {
      if (!isPage(path)) return undefined;
      const { body = '' } = goodPage(path);
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n';
      request.socket.end(head + String(body).slice(0, String(body).length / 3));
      return 'done';
    },
  ],
];

function sitemapOf(urls: readonly string[]): Page {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('');
  const body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
  return { headers: { 'content-type': 'application/xml' }, body };
}

/** A site under a name, crawled once, that can be broken and mended. */
async function openChaos() {
  await using stack = new AsyncDisposableStack();
  let way: Way | undefined;
  const site = stack.use(
    await startSiteServer({
      '*': (request, response) => {
        const path = request.url ?? '/';
        const answer = way?.(path, request, response);
        if (answer === 'done') return;
        sendPage(response, answer ?? (isPage(path) ? goodPage(path) : { status: 404 }));
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
    if ((await texts()).size === PAGES) return true;
    await skip(HOUR);
    return false;
  }, 60_000);
  const owned = stack.move();
  return {
    ...{ site, crawl, names, round, texts },
    break: (broken: Way | undefined) => {
      way = broken;
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

test('a site that breaks in any way loses no document and no text', async () => {
  await using chaos = await openChaos();
  const before = await chaos.texts();
  expect(before.size).toBe(PAGES);
  const lost: string[] = [];
  for (const [name, way] of WAYS) {
    chaos.break(way);
    await chaos.suffer();
    lost.push(...differences(before, await chaos.texts()).map((url) => `${name}: ${url}`));
    await chaos.recover();
    lost.push(...differences(before, await chaos.texts()).map((url) => `after ${name}: ${url}`));
  }
  chaos.break((path) => (/[02468]$/.test(path) ? { status: 404 } : undefined));
  await chaos.round();
  chaos.break(undefined);
  await chaos.suffer();
  lost.push(...differences(before, await chaos.texts()).map((url) => `404 for minutes: ${url}`));
  delete chaos.names[NAME];
  await chaos.suffer();
  lost.push(...differences(before, await chaos.texts()).map((url) => `DNS: ${url}`));
  chaos.names[NAME] = ['127.0.0.1'];
  await chaos.recover();
  await chaos.recover();
  lost.push(...differences(before, await chaos.texts()).map((url) => `a day later: ${url}`));

  expect(lost).toEqual([]);
  const states = await chaos.crawl.store.countUrls(chaos.crawl.crawlerId);
  expect(states.get('live')).toBe(PAGES);
  expect([...(await chaos.crawl.store.countRemovals(chaos.crawl.crawlerId)).keys()]).toEqual([]);
});

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const changed = [...before].filter(([id, text]) => after.get(id) !== text).map(([id]) => id);
  return [...changed, ...[...after.keys()].filter((id) => !before.has(id))];
}

test('a certificate that expires removes nothing', async () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/page/${i}`);
  const pages = Object.fromEntries(paths.map((path) => [path, goodPage(path)]));
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  await using site = await startSecureSite({ '/': otherPage('Home', links), ...pages });
  const settings = {
    seeds: [`https://${NAME}:${site.port}/`],
    schedule: { full: 'manual', incremental: 'manual' },
    ...markedNames(NAME),
  };
  await using crawl = await openCrawl(
    { ...settings, tls: { ca: [SITE_CERTIFICATE] } },
    { names: { [NAME]: ['127.0.0.1'] } },
  );
  await crawl.crawl();
  const documents = await crawl.documents();
  expect(documents).toHaveLength(21);
  await crawl.change({ ...settings, tls: { ca: [] } });

  for (let look = 0; look < 3; look++) {
    await crawl.redis.control.flushall();
    crawl.clock.skip(3 * HOUR);
    await crawl.run();
    await crawl.crawl();
  }

  expect(await crawl.documents()).toEqual(documents);
});

/** So many of the first pages are gone: every other one for good. */
const gone =
  (count: number): Way =>
  (path) => {
    const at = path.startsWith('/page/') ? Number(path.slice('/page/'.length)) : PAGES;
    return at < count ? { status: at % 2 === 0 ? 404 : 410 } : undefined;
  };

test('5 % of the pages that are gone leave within two runs', async () => {
  await using chaos = await openChaos();
  const count = Math.floor(PAGES * 0.05);
  chaos.break(gone(count));

  await chaos.suffer();

  expect((await chaos.texts()).size).toBe(PAGES - count);
  expect((await chaos.crawl.store.countRemovals(chaos.crawl.crawlerId)).get('held')).toBeUndefined();
});

test('60 % of the pages that are gone are held and reported, approved, and undone byte for byte', async () => {
  await using chaos = await openChaos();
  const { crawl } = chaos;
  const before = await chaos.texts();
  const count = Math.floor(PAGES * 0.6);
  chaos.break(gone(count));

  await chaos.suffer();
  await chaos.suffer();
  const limit = Math.max(5, PAGES * 0.1);
  const counts = await crawl.store.countRemovals(crawl.crawlerId);
  expect(counts.get('removed')).toBeLessThanOrEqual(limit);
  expect((counts.get('held') ?? 0) + (counts.get('removed') ?? 0)).toBe(count);
  const groups = await crawl.store.groupRemovals({ crawlerId: crawl.crawlerId, state: 'held', limit: 10 });
  expect(groups.map(({ cause }) => cause).sort()).toEqual(['gone', 'not-found']);

  const deps = { engineStores: { of: async () => crawl.store }, clock: crawl.clock };
  await approveRemovals(deps, await crawl.crawler(), {});
  await crawl.sweep();
  expect((await chaos.texts()).size).toBe(PAGES - count);
  await undoRemovals(deps, await crawl.crawler(), {});
  await crawl.sweep();

  expect(differences(before, await chaos.texts())).toEqual([]);
});
