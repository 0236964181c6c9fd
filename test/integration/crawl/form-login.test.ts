import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { createCrawlAccess } from '../../../src/crawl/crawl-access.ts';
import { compileCrawlRules } from '../../../src/crawl/rules/crawl-rules.ts';
import { createCookieJar } from '../../../src/fetch/http/cookies.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openFetcher } from '../../helpers/fetching.ts';
import { openRenderer } from '../../helpers/rendering.ts';
import { type Behaviour, type Page, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const FORM = (token: string) => ({
  body: `<!doctype html><title>Sign in</title><form method="post" action="/session">
<input type="hidden" name="csrf" value="${token}"><input name="user"><input name="pass" type="password">
<input type="checkbox" name="remember" checked><input type="checkbox" name="news"><button name="go" value="1">In</button>
</form>`,
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A site whose pages are seen by who has sent the form; `sessions` are those that are valid now. */
async function startMembersSite(pages: Readonly<Record<string, Page>>) {
  const sessions = new Set<string>();
  const posted: string[] = [];
  const behindLogin =
    (content: Page): Behaviour =>
    (request, response) => {
      const session = /session=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
      if (sessions.has(session)) sendPage(response, content);
      else sendPage(response, { status: 302, headers: { location: `/login?next=${request.url}` } });
    };
  const site = await startSiteServer({
    ...Object.fromEntries(Object.entries(pages).map(([path, content]) => [path, behindLogin(content)])),
    '/login': FORM('t-1'),
    '/session': async (request, response) => {
      const sent = await bodyOf(request);
      posted.push(sent);
      const isRight = sent === 'csrf=t-1&remember=on&user=me&pass=open+sesame';
      if (!isRight) return sendPage(response, { status: 200, ...FORM('t-2') });
      const session = `s${posted.length}`;
      sessions.add(session);
      sendPage(response, { status: 303, headers: { location: '/', 'set-cookie': `session=${session}; HttpOnly` } });
    },
  });
  return Object.assign(site, { sessions, posted });
}

const settingsOf = (origin: string, more: Record<string, unknown> = {}) => ({
  seeds: [`${origin}/`],
  exclude: ['/login', '/session'],
  schedule: { full: 'manual', incremental: 'manual' },
  login: {
    url: `${origin}/login`,
    fields: { user: 'me', pass: 'open sesame' },
    success: { cookie: 'session', url: `${origin}/` },
    ...more,
  },
});

const PAGES = { '/': page('Home', ['/a', '/b']), '/a': page('Alpha'), '/b': page('Beta') };

describe('a site behind a form', () => {
  test('is read by one login, with the hidden fields of the form', async () => {
    await using site = await startMembersSite(PAGES);
    await using crawl = await openCrawl(settingsOf(site.origin));

    await crawl.crawl();

    expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/a`, `${site.origin}/b`]);
    expect(site.posted).toEqual(['csrf=t-1&remember=on&user=me&pass=open+sesame']);
  });

  test('is logged in to although the slice that began to is stopped', async () => {
    await using site = await startMembersSite(PAGES);
    const form = FORM('t-1');
    let asked = 0;
    // The first one is never answered.
    site.set('/login', (_request, response) => {
      if (++asked > 1) sendPage(response, form);
    });
    await using crawl = await openCrawl(settingsOf(site.origin));
    const crawler = await crawl.crawler();
    const { login } = crawl.sliceDeps.crawlAccess.of(crawl.crawlerId, compileCrawlRules(crawler));
    const [first, second] = [new AbortController(), new AbortController()];

    const stopped = expect(login?.enter(first.signal)).rejects.toThrow();
    await eventually(() => asked === 1);
    const waiting = login?.enter(second.signal);
    first.abort();

    await stopped;
    expect(await waiting).toEqual({ state: 'in' });
    expect(site.posted).toHaveLength(1);
  });

  test('is shown to the browser as well, whose process logs in when nobody has', async () => {
    await using site = await startMembersSite({ '/': page('Home') });
    await using renderer = await openRenderer();
    const settings = { ...settingsOf(site.origin), render: 'always', rendering: { settleMs: 50, timeoutMs: 5_000 } };
    await using crawl = await openCrawl(settings, { renderer });
    await crawl.sweep();
    await crawl.slice();
    expect(site.posted).toHaveLength(1);

    // Another process has read the page by HTTP: this one has no session yet.
    await crawl.change({ ...settings, login: { ...settings.login, everyMinutes: 61 } });
    await crawl.crawl();

    expect(site.posted).toHaveLength(2);
    expect(await crawl.documents()).toEqual([`${site.origin}/`]);
    const inBrowser = site.requests.filter(({ headers }) => headers['sec-fetch-dest'] === 'document');
    expect(inBrowser.map(({ path, headers }) => [path, headers.cookie])).toEqual([['/', 'session=s2']]);
  });

  test('is logged in to again when the time has come, and when a page asks for it, at most every 10 minutes', async () => {
    await using site = await startMembersSite(PAGES);
    await using crawl = await openCrawl(settingsOf(site.origin, { everyMinutes: 60 }));
    await crawl.crawl();
    const visit = async (minutesLater: number) => {
      crawl.clock.skip(minutesLater * 60_000);
      await crawl.redis.control.flushall();
      await crawl.queue(`${site.origin}/a`);
      await crawl.crawl();
      return (await crawl.lastVisit(`${site.origin}/a`))?.reason;
    };

    site.sessions.clear();
    expect(await visit(5)).toBe('login-wall');
    expect(site.posted).toHaveLength(1);
    expect(await visit(10)).toBe('same-content');
    expect(site.posted).toHaveLength(2);
    expect(await visit(30)).toBe('same-content');
    expect(site.posted).toHaveLength(2);
    expect(await visit(61)).toBe('same-content');
    expect(site.posted).toHaveLength(3);
    expect(await crawl.documents()).toHaveLength(3);
  });

  test('that shows the form in place of a page loses no document', async () => {
    await using site = await startMembersSite(PAGES);
    await using crawl = await openCrawl(settingsOf(site.origin));
    await crawl.crawl();
    site.set('/a', FORM('t-1'));

    await crawl.queue(`${site.origin}/a`);
    await crawl.crawl();

    expect(await crawl.lastVisit(`${site.origin}/a`)).toMatchObject({ outcome: 'failed', reason: 'login-wall' });
    expect(await crawl.documents()).toHaveLength(3);
  });

  test('that refuses pauses the run, which says why, and is not asked again at once', async () => {
    await using site = await startMembersSite(PAGES);
    await using crawl = await openCrawl(settingsOf(site.origin, { fields: { user: 'me', pass: 'wrong' } }));

    await crawl.sweep();
    await crawl.slice();
    await crawl.slice();

    const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
    const why = 'the cookie session was not set';
    expect(run).toMatchObject({ state: 'paused', summary: JSON.stringify({ reason: 'login-failed', why }) });
    expect(site.posted).toHaveLength(1);
    expect(await crawl.documents()).toEqual([]);
    expect(await crawl.sweep()).toEqual([]);

    await crawl.change(settingsOf(site.origin));
    await crawl.store.resumeRuns(crawl.crawlerId, crawl.clock.now());
    await crawl.crawl();

    expect(await crawl.documents()).toHaveLength(3);
    const [finished] = await crawl.store.listRuns(crawl.crawlerId, 1);
    expect(finished).toMatchObject({ state: 'finished', summary: expect.not.stringContaining('login-failed') });
  });

  test('whose login fails for the moment is tried again, and its pages keep their turn', async () => {
    await using site = await startMembersSite(PAGES);
    site.set('/login', { status: 503 });
    await using crawl = await openCrawl(settingsOf(site.origin));
    await crawl.crawl();
    expect(await crawl.lastVisit(`${site.origin}/`)).toMatchObject({ outcome: 'deferred', reason: 'server-error' });
    site.set('/login', FORM('t-1'));

    crawl.clock.skip(60_000);
    await crawl.redis.control.flushall();
    await crawl.crawl();

    expect(await crawl.documents()).toHaveLength(3);
  });
});

test('a page that shows the form to members as well is read, when success.selector tells them apart', async () => {
  const body = `${page('Home').body}<a class="logout">Log out</a>${FORM('t-1').body}`;
  await using site = await startMembersSite({ '/': { body } });
  const success = { selector: 'a.logout' };
  await using crawl = await openCrawl(settingsOf(site.origin, { success }));

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});

describe('a login', () => {
  const enter = async (settings: ReturnType<typeof settingsOf>) => {
    await using fetcher = await openFetcher();
    const openSecret = (secret: unknown) => String(secret);
    const newJar = () => createCookieJar(systemClock);
    const access = createCrawlAccess({ openSecret, newJar, fetcher, clock: systemClock });
    const { login } = access.of(1, compileCrawlRules({ config: settings, configVersion: 1 }));
    return login?.enter(new AbortController().signal);
  };

  test.each([
    ['that ends elsewhere', { success: { url: 'http://127.0.0.1/welcome' } }, 'the login did not end at success.url'],
    ['without the cookie', { success: { cookie: 'other' } }, 'the cookie other was not set'],
    ['without the element', { success: { selector: 'a.logout' } }, 'the answer has no element a.logout'],
    ['that shows the form again', { fields: { user: 'me', pass: 'no' }, success: {} }, 'the form came back'],
  ])('%s is refused', async (_name, wrong, why) => {
    await using site = await startMembersSite(PAGES);
    expect(await enter(settingsOf(site.origin, wrong))).toEqual({ state: 'refused', why });
  });

  test.each([
    ['a missing page', { status: 404, body: 'no' }, 'the page of the form answered 404 without a form'],
    ['a form in the URL', { body: FORM('t-1').body.replace('post', 'get') }, 'the form is not sent by POST'],
  ])('at %s is refused', async (_name, form, why) => {
    await using site = await startMembersSite(PAGES);
    site.set('/login', form);
    expect(await enter(settingsOf(site.origin))).toEqual({ state: 'refused', why });
  });

  test('whose form sends to another host gives no password away', async () => {
    await using stranger = await startSiteServer({}, { address: '127.0.0.2' });
    await using site = await startMembersSite(PAGES);
    site.set('/login', { body: FORM('t-1').body.replace('/session', `${stranger.origin}/session`) });

    const why = 'the form sends to a host that is no seed or domain';
    expect(await enter(settingsOf(site.origin))).toEqual({ state: 'refused', why });
    expect(stranger.connections()).toBe(0);
  });
});
