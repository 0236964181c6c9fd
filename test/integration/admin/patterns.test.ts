import { expect, test } from 'vitest';
import { OPERATOR_TOKEN } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { SITE, startCrawledApi } from '../../helpers/crawled-api.ts';
import { facts } from '../../helpers/frontier.ts';

test('an operator sees what was closed, opens it, and closes other families', async () => {
  await using api = await startCrawledApi();
  await api.add([`${SITE}/calendar/1`, `${SITE}/about`]);
  const [calendar] = await api.store.listPatterns({ crawlerId: 17, after: 0, limit: 1 });
  await api.store.changePattern({ patternId: calendar!.id, to: 'closed', rule: 'nothing-new', at: 1_000 });
  const path = `/crawlers/17/patterns/${calendar?.id}`;

  expect((await api.get('/crawlers/17/patterns?closed=true')).body.items).toMatchObject([
    { host: SITE, pattern: '/calendar/{n}', rule: 'nothing-new', closedAt: '1970-01-01T00:00:01.000Z' },
  ]);
  expect((await api.post(`${path}/open`)).body).toMatchObject({ rule: 'kept-open', closedAt: null });
  expect((await api.get('/crawlers/17/patterns?closed=true')).body.items).toEqual([]);
  expect((await api.post(`${path}/close`)).body).toMatchObject({ rule: 'operator' });
  expect((await api.post('/crawlers/17/patterns/99/open')).status).toBe(404);
  const cli = await runCli(['crawler', 'patterns', '17', '--url', api.origin, '--token', OPERATOR_TOKEN]);
  expect(cli.out).toContain('/calendar/{n}');
});

test('the list of patterns has pages', async () => {
  await using api = await startCrawledApi();
  await api.add(['/a', '/b', '/c'].map((path) => SITE + path));

  const first = await api.get('/crawlers/17/patterns?limit=2');
  const second = await api.get(`/crawlers/17/patterns?limit=2&after=${first.body.next}`);

  expect([...first.body.items, ...second.body.items].map(({ pattern }) => pattern)).toEqual(['/a', '/b', '/c']);
  expect(second.body.next).toBeNull();
});

test('an operator sees pages that have the content of others', async () => {
  await using api = await startCrawledApi();
  await api.add([`${SITE}/a`, `${SITE}/a?ref=1`]);
  await api.visit(() => ({ record: facts({ contentHash: '7', contentChars: 500 }) }));
  const [keeper] = (await api.store.sameContent(17, '7')).filter(({ url }) => !url.includes('?'));
  const [duplicate] = (await api.store.sameContent(17, '7')).filter(({ url }) => url.includes('?'));
  const duplicates = [{ urlId: duplicate!.id, url: duplicate!.url, keeperId: keeper!.id }];
  await api.store.collapseDuplicates({ crawlerId: 17, runId: api.runId, now: 1, duplicates });

  expect((await api.get('/crawlers/17/duplicates')).body).toEqual({
    items: [{ url: `${SITE}/a?ref=1`, duplicateOf: `${SITE}/a`, cause: 'parameter ref' }],
    next: null,
    near: null,
  });
});
