import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Reason } from '../../../src/core/crawl-words.ts';
import { explainUrl } from '../../../src/crawl/browse-urls.ts';
import type { StepName, UrlVerdict } from '../../../src/crawl/explain/outcome-steps.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';
import {
  type Behaviour,
  brokenHttp,
  dropped,
  gzipBomb,
  halfBody,
  type Route,
  redirectTo,
  sendPage,
  silent,
  startSiteServer,
} from '../../helpers/site-server.ts';
import { dynamic, html, ownText } from '../../helpers/trap-site.ts';

const PAST = 'Mon, 01 Jan 2001 00:00:00 GMT';
const HUGE = 11 * 1024 * 1024;

const head = (text: string) => page(`With ${text.length}`, [], text);

/** One cause per page: path, what the server answers, verdict, reason and the step that stops. */
const PLANTED: readonly (readonly [string, Route | undefined, UrlVerdict, Reason, StepName | undefined])[] = [
  ['/fine', page('Fine'), 'searchable', 'new', undefined],
  ['/closed/a', page('Closed'), 'not-indexed', 'robots', 'robots'],
  ['/private/x', page('Private'), 'not-indexed', 'excluded', 'scope'],
  ['/unwanted', page('Unwanted'), 'not-indexed', 'not-included', 'scope'],
  ['/style.css', page('Style'), 'not-indexed', 'unreadable-type', 'scope'],
  [`/long/${'x'.repeat(2_100)}`, page('Long'), 'not-indexed', 'too-long', 'scope'],
  ['/noindex', head('<meta name="robots" content="noindex">'), 'not-indexed', 'noindex', 'directives'],
  ['/header', { ...page('Header'), headers: { 'x-robots-tag': 'noindex' } }, 'not-indexed', 'noindex', 'directives'],
  [
    '/expired',
    head(`<meta name="robots" content="unavailable_after: ${PAST}">`),
    'not-indexed',
    'expired',
    'directives',
  ],
  ['/listing', page('Listing'), 'not-indexed', 'follow-only', 'directives'],
  ['/copy', head('<link rel="canonical" href="/fine">'), 'not-indexed', 'canonical', 'canonical'],
  ['/moved', redirectTo('/fine', 301), 'not-indexed', 'redirect', 'canonical'],
  ['/away', redirectTo('http://elsewhere.test/'), 'not-indexed', 'redirected-out', 'fetch'],
  ['/circle', redirectTo('/circle'), 'not-indexed', 'redirect-loop', 'fetch'],
  ['/missing', { status: 404 }, 'not-indexed', 'not-found', 'fetch'],
  ['/gone', { status: 410 }, 'not-indexed', 'gone', 'fetch'],
  ['/refused', { status: 400 }, 'not-indexed', 'client-error', 'fetch'],
  ['/broken', { status: 500 }, 'waiting', 'server-error', 'frontier'],
  ['/members', { status: 401 }, 'waiting', 'forbidden', 'frontier'],
  ['/silent', silent, 'waiting', 'timeout', 'frontier'],
  ['/half', halfBody, 'waiting', 'truncated', 'frontier'],
  ['/dropped', dropped, 'waiting', 'reset', 'frontier'],
  ['/nonsense', brokenHttp, 'waiting', 'protocol', 'frontier'],
  ['/picture', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'not-indexed', 'unsupported-type', 'extract'],
  ['/huge', { body: Buffer.alloc(HUGE, 'a ') }, 'not-indexed', 'too-large', 'fetch'],
  ['/bomb', gzipBomb(HUGE), 'not-indexed', 'bomb', 'fetch'],
  ['/empty', { body: ' ' }, 'not-indexed', 'empty', 'extract'],
  ['/nobody', undefined, 'unknown', 'none', 'discovery'],
];

const EXTERNAL: readonly (readonly [string, UrlVerdict, Reason, StepName])[] = [
  ['http://elsewhere.test/', 'not-indexed', 'out-of-domain', 'scope'],
  ['http://nowhere.test/', 'waiting', 'dns-not-found', 'robots'],
  ['http://a.inside.test/', 'not-indexed', 'private-name', 'fetch'],
  ['mailto:somebody@elsewhere.test', 'unknown', 'scheme', 'normal-form'],
];

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

async function startSecureSite() {
  const server = createServer({ key: fixture('site-key.pem'), cert: fixture('site-certificate.pem') });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return {
    url: `https://127.0.0.1:${port}/`,
    host: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await close();
    },
  };
}

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

async function explain(crawl: Crawl, url: string, visibleSeq = Number.MAX_SAFE_INTEGER) {
  const deps = { ...crawl.lookDeps, visibleSeq: () => visibleSeq };
  return explainUrl(deps, await crawl.crawler(), url);
}

/** Verdict, reason and the first step that stops. */
async function answer(crawl: Crawl, url: string) {
  const { verdict, reason, steps } = await explain(crawl, url);
  return [url, verdict, reason, steps.find(({ result }) => result === 'stop')?.step];
}

test('each planted cause is named', async () => {
  await using secure = await startSecureSite();
  await using site = await startSiteServer({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed/\n' },
    ...Object.fromEntries(PLANTED.flatMap(([path, route]) => (route === undefined ? [] : [[path, route]]))),
  });
  const links = [...PLANTED.filter(([, route]) => route !== undefined).map(([path]) => path), secure.url];
  site.set('/', page('Home', [...links, ...EXTERNAL.map(([url]) => url)]));
  await using crawl = await openCrawl(
    {
      seeds: [`${site.origin}/`],
      domains: [site.host, secure.host, 'nowhere.test', '*.inside.test'],
      include: ['re:^(?!.*unwanted).*$'],
      exclude: ['/private/**'],
      noIndex: ['/listing'],
      // One page never answers. The others are served by this process: on a busy machine they take their time.
      timeouts: { firstByteMs: 3_000 },
    },
    { names: { 'a.inside.test': ['127.0.0.1'] } },
  );
  await crawl.crawl();

  const wanted = [
    ...PLANTED.map(([path, , ...rest]) => [`${site.origin}${path}`, ...rest]),
    ...EXTERNAL,
    [secure.url, 'waiting', 'tls', 'robots'],
  ];
  const found: unknown[] = [];
  for (const [url = ''] of wanted) found.push(await answer(crawl, String(url)));

  expect(found).toEqual(wanted);
}, 60_000);

test('links that were not followed are named, with the page that has them', async () => {
  await using site = await startSiteServer({
    '/': { body: page('Home', ['/1', '/plain']).body.replace('href="/plain"', 'rel="nofollow" href="/advert"') },
    '/1': page('One', ['/2']),
    '/2': page('Two', ['/3']),
    '/3': page('Three'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], limits: { depth: 2 } });
  await crawl.crawl();
  const at = (path: string) => `${site.origin}${path}`;

  expect(await answer(crawl, at('/3'))).toEqual([at('/3'), 'not-indexed', 'too-deep', 'scope']);
  expect(await answer(crawl, at('/advert'))).toEqual([at('/advert'), 'not-indexed', 'nofollow', 'discovery']);
  expect((await explain(crawl, at('/3'))).foundBy.path).toEqual([at('/2'), at('/1'), at('/')]);
  expect((await explain(crawl, at('/2'))).foundBy).toEqual({ origin: 'link', path: [at('/1'), at('/')], inlinks: 1 });
});

test('what the page limit kept out is named', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a', '/b', '/c', '/d']),
    ...Object.fromEntries(['/a', '/b', '/c', '/d'].map((path) => [path, page(path)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], limits: { pages: 2 } });
  await crawl.crawl();

  const answers = await Promise.all(['/a', '/b', '/c', '/d'].map((path) => answer(crawl, `${site.origin}${path}`)));

  expect(answers.map(([, ...rest]) => rest)).toEqual([
    ['searchable', 'new', undefined],
    ...['/b', '/c', '/d'].map(() => ['not-indexed', 'page-limit', 'scope']),
  ]);
});

test('what was sent to an inactive crawler, and what waits for its turn', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] }, { active: false });
  const url = `${site.origin}/queued`;

  expect(await answer(crawl, `${site.origin}/other`)).toEqual([expect.any(String), 'unknown', 'inactive', 'discovery']);
  await crawl.queue(url);
  await crawl.activate();
  expect(await answer(crawl, url)).toEqual([url, 'unknown', 'inactive', 'discovery']);
  await crawl.queue(url);
  expect(await answer(crawl, url)).toEqual([url, 'waiting', 'none', 'frontier']);
  expect((await explain(crawl, url)).next).toEqual({ at: undefined, why: 'It waits for its turn.' });
  await crawl.deactivate();
  expect(await answer(crawl, url)).toEqual([url, 'waiting', 'inactive', 'frontier']);
});

test('a host that is left alone is named, with the time until then', async () => {
  const limited = { status: 429, headers: { 'retry-after': '86400' } };
  await using site = await startSiteServer({ '/': limited, '/a': limited });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`, `${site.origin}/a`] });
  await crawl.crawl();
  const url = `${site.origin}/later`;
  await crawl.queue(url);

  expect(await answer(crawl, `${site.origin}/`)).toEqual([`${site.origin}/`, 'waiting', 'rate-limited', 'frontier']);
  expect(await answer(crawl, url)).toEqual([url, 'waiting', 'host-held', 'frontier']);
  const { next, steps } = await explain(crawl, url);
  expect(next.at).toBeGreaterThan(crawl.clock.now() + 3_500_000);
  expect(next.why).toContain('The host is left alone');
  expect(next.why).toContain('although it asks for 24 h');
  expect(next.why).toContain(`fossick crawler release-host 17 ${site.origin}`);
  expect(steps.find(({ step }) => step === 'frontier')?.detail).toMatchObject({
    waitsFor: 'host-held',
    holdReason: 'rate-limited',
    causedBy: 17,
    urls: [expect.stringContaining(site.origin)],
  });
});

test('a robots.txt that cannot be read holds what waits', async () => {
  await using site = await startSiteServer({ '/robots.txt': { status: 503 } });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.crawl();

  expect(await answer(crawl, `${site.origin}/`)).toEqual([
    `${site.origin}/`,
    'waiting',
    'robots-unreachable',
    'robots',
  ]);
});

test('a document that the index has not reached, one that left, one that was deleted', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/left', '/deleted']),
    '/left': page('Left'),
    '/deleted': page('Deleted'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.crawl();
  const at = (path: string) => `${site.origin}${path}`;
  const home = await explain(crawl, at('/'), 0);

  site.set('/left', { status: 410 });
  await crawl.queue(at('/left'));
  await crawl.crawl();
  await crawl.store.deleteDocuments(crawl.crawlerId, [at('/deleted')], crawl.clock.now());

  expect(home).toMatchObject({ verdict: 'stored', document: { id: at('/'), visibleSeq: 0 } });
  expect(home.steps.at(-1)).toMatchObject({ step: 'index', result: 'stop' });
  expect(await answer(crawl, at('/left'))).toEqual([at('/left'), 'removed', 'gone', 'fetch']);
  expect(await answer(crawl, at('/deleted'))).toEqual([at('/deleted'), 'removed', 'removed', 'document']);
});

test('the steps name the line of robots.txt, the rule of the scope and the target', async () => {
  await using site = await startSiteServer({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\n\nDisallow: /closed/\n' },
    '/': page('Home', ['/closed/a', '/copy']),
    '/copy': page('Copy', [], '<link rel="canonical" href="/">'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], exclude: ['/private/**'] });
  await crawl.crawl();
  const step = async (path: string, name: StepName) =>
    (await explain(crawl, `${site.origin}${path}`)).steps.find((each) => each.step === name)?.detail;

  expect(await step('/closed/a', 'robots')).toEqual({
    file: `${site.origin}/robots.txt`,
    status: 200,
    line: 3,
    rule: 'Disallow: /closed/',
  });
  expect((await explain(crawl, `${site.origin}/closed/a`)).steps.map((each) => each.step)).toEqual([
    ...['normal-form', 'scope', 'discovery', 'robots'],
  ]);
  expect(await step('/private/x', 'scope')).toEqual({ depth: 0, rule: '/private/**' });
  expect(await step('/copy', 'canonical')).toEqual({ target: `${site.origin}/` });
  expect((await explain(crawl, `${site.origin}/copy`)).aliasOf).toBe(`${site.origin}/`);
});

test('a page with the content of another, and one like the error page of its site', async () => {
  const same = html('Returns', ownText(1));
  const errorPage: Behaviour = (request, response) =>
    sendPage(response, html('Not here', `Sorry, we could not find ${request.url}. ${ownText(2)}`));
  await using site = await crawledSite(4, {}, { '*': errorPage });
  await site.round();
  site.site.set('/', page('Home', [...site.paths, '/a', '/a?from=home', '/dead']));
  site.site.set('/a', same);
  site.site.set('/a?from=home', same);

  await site.round();

  const [duplicate, soft] = [site.url('/a?from=home'), site.url('/dead')];
  expect(await answer(site.crawl, duplicate)).toEqual([duplicate, 'not-indexed', 'duplicate', 'duplicate']);
  expect((await explain(site.crawl, duplicate)).duplicateOf).toBe(site.url('/a'));
  expect(await answer(site.crawl, soft)).toEqual([soft, 'not-indexed', 'soft-404', 'extract']);
});

test('a page of a closed URL template names the rule that closed it', async () => {
  const calendar = dynamic((path) => {
    const at = Number(path.split('/').at(-1));
    return html('Calendar', 'No events.', [`/calendar/${at + 1}`, `/calendar/${at + 2}`]);
  });
  await using site = await startSiteServer({ '/': html('Home', ownText(1), ['/calendar/1']), '*': calendar });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], sitemaps: 'off' });
  await crawl.crawl();
  const url = `${site.origin}/calendar/100000`;

  expect(await answer(crawl, url)).toEqual([url, 'not-indexed', 'trap', 'scope']);
  expect((await explain(crawl, url)).pattern).toMatchObject({ text: '/calendar/{n}', closedBy: expect.any(String) });
});

test('a removal that is held keeps its document and is named', async () => {
  await using site = await crawledSite(60);
  for (const path of site.paths.slice(0, 12)) site.site.set(path, { status: 404 });
  await site.round();
  await site.recheck();

  const verdicts = await Promise.all(site.paths.slice(0, 12).map((path) => answer(site.crawl, site.url(path))));

  const told = verdicts.map(([, verdict, reason]) => `${verdict} ${reason}`).sort();
  expect(told.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'removed not-found'));
  expect(told.slice(6)).toEqual(Array.from({ length: 6 }, () => 'searchable removal-held'));
});
