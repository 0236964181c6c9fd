import { expect, test } from 'vitest';
import { OPERATOR_TOKEN } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { missing, SITE, startCrawledApi } from '../../helpers/crawled-api.ts';

const PATHS = ['/', '/blog/1', '/blog/2', '/blog/3', '/shop/a,"b"', '/old'];

async function startInventory() {
  const api = await startCrawledApi();
  await api.add([...PATHS.map((path) => `${SITE}${path}`), 'https://b.test/x']);
  await api.visit((url) => (url.endsWith('/old') ? missing() : {}));
  await api.add([`${SITE}/waiting`]);
  const urls = async (query: string) => {
    const { status, body } = await api.get(`/crawlers/17/urls?${query}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.items.map(({ url }: { url: string }) => url.replace(SITE, '')).sort();
  };
  const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  return { ...api, urls, cli, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

const FILTERS = [
  ['state=known', ['/waiting']],
  ['state=gone', ['/old']],
  ['reason=not-found', ['/old']],
  ['reason=none', ['/waiting']],
  ['outcome=skipped', ['/old']],
  ['status=404', ['/old']],
  ['status=4xx', ['/old']],
  ['host=b.test', ['https://b.test/x']],
  ['host=https://b.test', ['https://b.test/x']],
  ['host=c.test', []],
  ['pattern=/blog/%7Bn%7D', ['/blog/1', '/blog/2', '/blog/3']],
  ['text=BLOG/2', ['/blog/2']],
  ['text=blog&state=known', []],
  ['visitedBefore=2000-01-01T00:00:00Z', []],
  ['visitedBefore=2999-01-01T00:00:00Z&status=404', ['/old']],
] as const;

test('URL records are found by each of their properties', async () => {
  await using inventory = await startInventory();

  for (const [query, expected] of FILTERS) expect([query, await inventory.urls(query)]).toEqual([query, expected]);
});

test('pages of the list show each record once', async () => {
  await using inventory = await startInventory();
  const seen: string[] = [];
  let after = '';
  do {
    const { body } = await inventory.get(`/crawlers/17/urls?limit=3${after}`);
    seen.push(...body.items.map(({ url }: { url: string }) => url));
    after = body.next === null ? '' : `&after=${body.next}`;
  } while (after !== '');

  expect(seen).toHaveLength(PATHS.length + 2);
  expect(new Set(seen).size).toBe(seen.length);
});

test('records are counted by reason, pattern, host and status', async () => {
  await using inventory = await startInventory();
  const groups = async (by: string) => (await inventory.get(`/crawlers/17/urls?group=${by}`)).body;

  expect(await groups('reason')).toEqual({
    groups: [
      { value: 'new', count: 6 },
      { value: 'none', count: 1 },
      { value: 'not-found', count: 1 },
    ],
    other: 0,
  });
  expect((await groups('pattern')).groups[0]).toEqual({ value: '/blog/{n}', count: 3 });
  expect((await groups('host')).groups).toEqual([
    { value: SITE, count: 7 },
    { value: 'https://b.test', count: 1 },
  ]);
  expect((await groups('status')).groups).toEqual([
    { value: '200', count: 6 },
    { value: null, count: 1 },
    { value: '404', count: 1 },
  ]);
  const gone = await inventory.get('/crawlers/17/urls?group=host&state=gone');
  expect(gone.body.groups).toEqual([{ value: SITE, count: 1 }]);
});

test('all records leave as CSV, quoted where a reader needs it', async () => {
  await using inventory = await startInventory();

  const { code, out } = await inventory.cli('crawler', 'urls', '17', '--csv');

  const lines = out.trimEnd().split('\r\n');
  expect(code).toBe(0);
  expect(lines[0]).toBe(
    'url,kind,state,reason,origin,depth,pattern,status,chars,visits,firstSeenAt,visitedAt,changedAt,nextAt',
  );
  expect(lines).toHaveLength(PATHS.length + 3);
  expect(out).toContain(`"${SITE}/shop/a,""b""",page,live,new,link,1,"/shop/a,%22b%22",200,`);
});

test('the command lists, counts and says how to go on', async () => {
  await using inventory = await startInventory();

  const listed = await inventory.cli('crawler', 'urls', '17', '--state', 'live', '--limit', '2');
  const counted = await inventory.cli('crawler', 'urls', '17', '--group', 'reason');

  expect(listed.out).toMatch(
    /^state +reason +status +depth +visitedAt +url\n(?:live .*\n){2}More: --after \d+-\d+-\d+\n$/,
  );
  expect(counted.out).toMatch(/^count +value\n6 +new\n/);
  expect(await inventory.cli('crawler', 'urls', '17', '--group', 'x')).toMatchObject({ code: 2 });
});

test('wrong filters name what they take', async () => {
  await using inventory = await startInventory();

  for (const query of ['state=dead', 'reason=x', 'status=999', 'after=x', 'group=depth', 'visitedBefore=x', 'x=1']) {
    expect(await inventory.get(`/crawlers/17/urls?${query}`)).toMatchObject({ status: 400 });
  }
  expect(await inventory.get('/crawlers/99/urls')).toMatchObject({ status: 404 });
});
