import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { OPEN_ACCESS } from '../../src/fetch/fetcher.ts';
import { createCookieJar } from '../../src/fetch/http/cookies.ts';
import { eventually } from '../helpers/eventually.ts';
import { failureOf } from '../helpers/fetching.ts';
import { openRenderer, renderRequest } from '../helpers/rendering.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { redirectTo, type SiteServer, silent, startSiteServer } from '../helpers/site-server.ts';

/** One browser for all promises: a page costs 100 to 200 ms, a browser 1 s. */
let renderer: Awaited<ReturnType<typeof openRenderer>>;
let site: SiteServer;
let other: SiteServer;

const SCRIPTED = `<!doctype html><title>Shell</title><div id="root"></div>
<script>setTimeout(() => { document.getElementById('root').innerHTML = '<p>made by a script</p>'; }, 50);</script>`;

beforeAll(async () => {
  renderer = await openRenderer();
  other = await startSiteServer({ '/': { body: '<p>other</p>' } }, { address: '127.0.0.3' });
  site = await startSiteServer(
    {
      '/': { body: SCRIPTED },
      '/missing': { status: 404, body: '<p>not here</p>' },
      '/moved': redirectTo('/'),
      '/away': { body: `<script>location.replace('/')</script>` },
      '/loop': { body: '<p>text</p><script>setTimeout(() => { for (;;); }, 10)</script>' },
      '/silent': silent,
      '/late': {
        body: `<div id="root"></div><script>setTimeout(() => { root.innerHTML = '<i class="ready">late</i>'; }, 400)</script>`,
      },
      '/data': { body: '{"text":"from the interface"}' },
      '/slow-data': (_request, response) => void setTimeout(() => response.end('{"text":"slow"}'), 300),
      '/fetching': {
        body: `<p id="p"></p><script>fetch('/slow-data').then((r) => r.json()).then((d) => { p.textContent = d.text; })</script>`,
      },
      '/answer': ({ url = '' }, response) => void setTimeout(() => response.end('text'), Number(url.split('?')[1])),
      '/failing': { body: `<p>text</p><script src="/no.js"></script>` },
      '/remember': {
        body: `<script>document.cookie = 'a=1'; localStorage.setItem('a', '1')</script><p>remembered</p>`,
      },
      '/recall': {
        body: `<p id="p"></p><script>p.textContent = document.cookie + '|' + localStorage.getItem('a')</script>`,
      },
      '/leaving': redirectTo(`${other.origin}/`),
      '/alert': { body: `<p id="p"></p><script>alert('stop'); p.textContent = 'went on';</script>` },
    },
    { address: '127.0.0.2' },
  );
  opened.add(site.host).add(other.host);
});
afterAll(async () => {
  await renderer?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
});

/** One access for all requests, so that the page is used again, as within a slice. */
const opened = new Set<string>();
const allow = { addresses: opened, names: [] };
const ACCESS = { ...OPEN_ACCESS, allow };
const ask = (path: string, changes: Parameters<typeof renderRequest>[2] = {}) =>
  renderRequest(`${site.origin}${path}`, [], { access: ACCESS, ...changes });
/** Memory that the processes of a browser have for themselves, in bytes. */
function memoryBelow(parent: number): number {
  const bytesOf = (pid: number): number => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const own = ['RssAnon', 'RssShmem'].map((name) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0),
      );
      return (
        (own[0] ?? 0) * 1024 + (own[1] ?? 0) * 1024 + childrenOf(pid).reduce((sum, child) => sum + bytesOf(child), 0)
      );
    } catch {
      return 0;
    }
  };
  return childrenOf(parent).reduce((sum, pid) => sum + bytesOf(pid), 0);
}

function childrenOf(pid: number): readonly number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const lists = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim());
  return lists.flatMap((list) => (list === '' ? [] : list.split(' ').map(Number)));
}

/** Processes that this one has started. */
async function childrenNamed(name: string): Promise<readonly number[]> {
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const pids = text.trim().split(' ').map(Number);
  const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8')));
  return pids.filter((_, place) => names[place]?.includes(name) === true);
}

const textOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString();

test('the tree holds what scripts have made', async () => {
  const page = await renderer.render(ask('/'));

  expect(textOf(page)).toContain('<p>made by a script</p>');
  expect(page).toMatchObject({ url: `${site.origin}/`, status: 200, redirects: [], isComplete: true });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('an answer of any status is a result', async () => {
  const page = await renderer.render(ask('/missing'));

  expect(page.status).toBe(404);
  expect(textOf(page)).toContain('not here');
});

test.each(['/moved', '/away'])('redirects of servers and scripts are told: %s', async (path) => {
  const page = await renderer.render(ask(path));

  expect(page.url).toBe(`${site.origin}/`);
  expect(page.redirects).toMatchObject([{ from: `${site.origin}${path}`, to: `${site.origin}/` }]);
});

test('a page waits for what it fetches, and for the selector that it is told', async () => {
  expect(textOf(await renderer.render(ask('/fetching')))).toContain('<p id="p">slow</p>');
  const waiting = await renderer.render(ask('/late', { settings: { waitFor: '.ready' } }));
  expect(textOf(waiting)).toContain('late</i>');
});

const later = (ms: number, what: string) => `setTimeout(() => { ${what} }, ${ms});`;
const fetched = (ms: number, what: string) => `fetch('/answer?${ms}').then((r) => r.text()).then((t) => { ${what} });`;
const SHOW = 'root.textContent = "late text";';

/** What is waited for in real time takes it. */
const LONG_WAITS: readonly (readonly [how: string, script: string, fetchMs: number])[] = [
  ['a fetch of 2 s', fetched(2_000, SHOW), 2_000],
  ['a timer beside a request without end', `fetch('/silent'); ${later(2_000, SHOW)}`, 8_000],
];

test.each([
  ['a timer of 3 s', later(3_000, SHOW), 0],
  ['a fetch of 6 s', fetched(6_000, SHOW), 6_000],
  ['a fetch and a timer', fetched(300, later(600, SHOW)), 300],
  ['a timer, a fetch and a timer', later(1_000, fetched(500, later(3_000, SHOW))), 500],
  [
    'a timer beside another that never rests',
    `setInterval(() => { other.title += 'x'; }, 5); ${later(2_000, SHOW)}`,
    0,
  ],
  ...(isLongForm ? LONG_WAITS : []),
] as const)('text that comes by %s is waited for, and timers cost no waiting', async (how, script, fetchMs) => {
  site.set('/written', {
    body: `<div id="root">Loading the page, please wait</div><p id="other"></p><script>${script}</script>`,
  });
  const started = performance.now();

  const page = await renderer.render(ask('/written', { settings: { timeoutMs: 15_000, settleMs: 300 } }));

  expect(textOf(page)).toContain('>late text<');
  const millis = performance.now() - started;
  expect(millis).toBeLessThan(fetchMs + 4_000);
  reportFigure('browser.late-text', `${how}: ${Math.round(millis)} ms`);
});

test('a page that takes memory without end is ended, and the next one is read', async () => {
  const greedy =
    'const kept = []; setInterval(() => { for (let i = 0; i < 8; i++) kept.push(new Uint8Array(16e6).fill(1)); }, 1);';
  site.set('/greedy', { body: `<p>text</p><script>${greedy}</script>` });
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, memoryBelow(process.pid));
  }, 50);

  const failure = await failureOf(renderer.render(ask('/greedy', { settings: { timeoutMs: 15_000 } })));
  clearInterval(watching);

  expect(failure).toMatchObject({ code: 'fetch.unavailable', reason: 'render-failed' });
  expect(most).toBeLessThan(2 ** 30);
  reportFigure('browser.memory', `${Math.round(most / 2 ** 20)} MiB at most`);
  expect(textOf(await renderer.render(ask('/')))).toContain('made by a script');
});

test('a page that does not become ready in time is read all the same, as incomplete', async () => {
  const page = await renderer.render(ask('/', { settings: { waitFor: '.never', timeoutMs: 700 } }));

  expect(page.isComplete).toBe(false);
  expect(textOf(page)).toContain('made by a script');
});

test('a failed script of the page leaves it incomplete', async () => {
  expect((await renderer.render(ask('/failing'))).isComplete).toBe(false);
});

test('a page sees no cookie or storage of the page before it, in the same context or another', async () => {
  const request = ask('/remember');
  await renderer.render(request);
  const same = await renderer.render({ ...request, url: `${site.origin}/recall` });

  expect(textOf(same)).toContain('>|null<');
});

test('credentials go to their origin only, also over a redirect', async () => {
  const jar = createCookieJar(systemClock);
  jar.keep(`${site.origin}/`, ['session=abc; Path=/']);
  const credentials = {
    goTo: (origin: string) => origin === site.origin,
    headers: { authorization: 'Basic c2VjcmV0', 'x-key': 'secret' },
    cookies: { own: '1' },
    jar,
  };
  const access = { ...OPEN_ACCESS, allow, credentials };
  const before = other.requests.length;
  const page = await renderer.render(ask('/leaving', { access }));

  const asked = site.requests.findLast(({ path }) => path === '/leaving');
  expect(asked?.headers).toMatchObject({ authorization: 'Basic c2VjcmV0', 'x-key': 'secret' });
  expect(asked?.headers.cookie?.split('; ').sort()).toEqual(['own=1', 'session=abc']);
  expect(page.url).toBe(`${other.origin}/`);
  const there = other.requests.slice(before);
  expect(there.length).toBeGreaterThan(0);
  const secrets = ['authorization', 'cookie', 'x-key'];
  expect(there.flatMap(({ headers }) => secrets.filter((name) => name in headers))).toEqual([]);
});

test('dialogs do not hold a page up', async () => {
  expect(textOf(await renderer.render(ask('/alert')))).toContain('went on');
});

test('a page that hangs ends with its time, and the next one is read', async () => {
  const started = performance.now();
  const failure = await failureOf(renderer.render(ask('/loop', { settings: { timeoutMs: 300 } })));

  expect(failure).toMatchObject({ code: 'fetch.unavailable', reason: 'render-failed' });
  expect(performance.now() - started).toBeLessThan(9_000);
  expect(textOf(await renderer.render(ask('/')))).toContain('made by a script');
});

test('a server that does not answer is a failure', async () => {
  const failure = await failureOf(renderer.render(ask('/silent', { settings: { timeoutMs: 300 } })));
  expect(failure).toMatchObject({ code: 'fetch.unavailable', reason: 'render-failed' });
});

test('the signal ends a page at once', async () => {
  const stop = new AbortController();
  const asked = site.count('/silent');
  const rendering = renderer.render(ask('/silent'), stop.signal);
  await eventually(() => site.count('/silent') > asked);
  const started = performance.now();
  stop.abort();

  expect(await failureOf(rendering)).toMatchObject({ reason: 'shutdown' });
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('an address that the gate refuses is told as such', async () => {
  const failure = await failureOf(renderer.render(renderRequest('http://127.0.0.1:8080/', [site.host])));
  expect(failure).toMatchObject({ code: 'fetch.blocked-address', reason: 'blocked-address' });
});

test('a browser that died is replaced', async () => {
  for (const pid of await childrenNamed('chrom')) process.kill(pid, 'SIGKILL');

  await renderer.render(ask('/')).catch(() => undefined);
  expect(textOf(await renderer.render(ask('/')))).toContain('made by a script');
});
