import { describe, expect, test } from 'vitest';
import { FRONTIER_FLAGS } from '../../../src/core/crawl-words.ts';
import { decideVisit } from '../../../src/crawl/visit/decide-visit.ts';
import { decideSkipped, type PageRendering } from '../../../src/crawl/visit/decision.ts';
import { extraction, fetched, NOW, row, URL_TEXT, visit } from '../../helpers/visit-facts.ts';

const LIVE = { state: 'live', contentHash: '-1', reason: 'new' } as const;

describe('an answer of 200', () => {
  test('is stored with its own URL, domain and language', () => {
    const { document, record, readsLinks } = decideVisit(visit());

    expect(document).toMatchObject({ put: { id: URL_TEXT, kind: 'PageContent', origin: 'crawled', language: 'en' } });
    expect(document && 'put' in document && Object.fromEntries(document.put.fields)).toMatchObject({
      Url: [URL_TEXT],
      Domain: ['site.example'],
      Language: ['en'],
    });
    expect(record).toMatchObject({ state: 'live', contentHash: '-1', bodyHash: '5', changedAt: NOW });
    expect(readsLinks).toBe(true);
  });

  test('with the same bytes as before changes nothing', () => {
    const decision = decideVisit(visit({ row: row({}, LIVE), sameBody: true, extraction: undefined }));

    expect(decision).toMatchObject({ document: undefined, log: { outcome: 'unchanged', reason: 'same-content' } });
    expect(decision.record?.state).toBe('live');
  });

  test('without text keeps the older document, and makes none', () => {
    const empty = extraction({ status: 'empty', fields: new Map() });

    expect(decideVisit(visit({ row: row({}, LIVE), extraction: empty }))).toMatchObject({
      document: undefined,
      log: { outcome: 'unchanged', reason: 'empty' },
    });
    expect(decideVisit(visit({ extraction: empty }))).toMatchObject({
      document: undefined,
      log: { outcome: 'skipped', reason: 'empty' },
    });
  });

  test('brings its validators', () => {
    const answer = fetched({}, { etag: '"x"', 'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT' });

    expect(decideVisit(visit({ fetched: answer })).record).toMatchObject({
      etag: '"x"',
      lastModified: 'Thu, 01 Jan 1970 00:00:00 GMT',
    });
  });

  test.each([
    ['malformed', 'malformed'],
    ['unsupported', 'unsupported-type'],
    ['timed-out', 'unparsable'],
    ['out-of-memory', 'unparsable'],
    ['crashed', 'unparsable'],
  ] as const)('that is %s fails as %s and keeps the document', (status, reason) => {
    const decision = decideVisit(visit({ row: row({}, LIVE), extraction: extraction({ status }) }));

    expect(decision).toMatchObject({
      document: undefined,
      log: { outcome: 'failed', reason },
      record: { state: 'live' },
    });
  });

  test('that is valid until a time is due then', () => {
    const directives = { index: true, follow: true, snippet: true, unavailableAfter: NOW + 5, sources: [] };

    expect(decideVisit(visit({ extraction: extraction({ directives }) })).record?.nextAt).toBe(NOW + 5);
  });
});

describe('other answers', () => {
  test.each([
    [304, 'not-modified', 'not-modified', 'done'],
    [400, 'failed', 'client-error', 'done'],
    [401, 'deferred', 'forbidden', 'later'],
    [403, 'deferred', 'forbidden', 'later'],
    [404, 'suspected', 'not-found', 'done'],
    [407, 'deferred', 'forbidden', 'later'],
    [408, 'deferred', 'server-error', 'later'],
    [410, 'suspected', 'gone', 'done'],
    [418, 'failed', 'client-error', 'done'],
    [425, 'deferred', 'server-error', 'later'],
    [429, 'deferred', 'rate-limited', 'later'],
    [451, 'deferred', 'forbidden', 'later'],
    [500, 'deferred', 'server-error', 'later'],
    [502, 'deferred', 'server-error', 'later'],
    [503, 'deferred', 'rate-limited', 'later'],
  ] as const)('%i of a live page: %s, %s, %s; the document stays', (status, outcome, reason, next) => {
    const decision = decideVisit(visit({ row: row({}, LIVE), fetched: fetched({ status }), extraction: undefined }));

    expect(decision).toMatchObject({ document: undefined, log: { outcome, reason } });
    expect(decision.next === 'done' ? 'done' : 'later').toBe(next);
  });

  test('a queued URL that is gone takes its document along', () => {
    const queued = row({ runKind: 'urls', flags: FRONTIER_FLAGS.force }, LIVE);
    const decision = decideVisit(visit({ row: queued, fetched: fetched({ status: 404 }), extraction: undefined }));

    expect(decision).toMatchObject({
      document: { remove: URL_TEXT },
      log: { outcome: 'removed' },
      record: { state: 'gone' },
    });
  });

  test('429 makes the URL wait as long as it asks, for an attempt, and for none when its host is held', () => {
    const answer = fetched({ status: 429 }, { 'retry-after': '90' });
    const decision = decideVisit(visit({ row: row({ attempts: 0 }), fetched: answer, extraction: undefined }));

    expect(decision).toMatchObject({
      hold: { reason: 'rate-limited', askedMs: 90_000, whenHeld: { next: { dueAt: NOW, attempts: 0 } } },
      next: { dueAt: NOW + 90_000, attempts: 1 },
      pace: 'overload',
    });
  });

  test('the sixth failure is the last of the run', () => {
    const failure = { reason: 'timeout', detail: undefined } as const;
    const decide = (attempts: number) =>
      decideVisit(visit({ row: row({ attempts }), fetched: undefined, extraction: undefined, failure }));

    expect(decide(4).next).toEqual({ dueAt: NOW + 480_000, priority: 1, attempts: 5 });
    expect(decide(5)).toMatchObject({ next: 'done', record: { state: 'failed', reason: 'timeout' } });
  });
});

describe('another URL stands for the page', () => {
  const redirect = { url: 'https://site.example/b', by: 'redirect' } as const;
  const canonical = { url: 'https://site.example/b', by: 'canonical' } as const;

  test('a redirect makes it an alias, and its target is visited', () => {
    expect(decideVisit(visit({ target: { ...redirect, state: undefined } }))).toMatchObject({
      record: { state: 'alias', reason: 'redirect' },
      target: { url: redirect.url, origin: 'redirect', enqueue: 'if-new' },
      document: undefined,
    });
  });

  test.each([
    [undefined, undefined],
    ['known', undefined],
    ['live', { remove: URL_TEXT, class: 'moved', cause: 'redirect', guard: { allowed: 10 } }],
  ] as const)('its document leaves when the target is live (target %s)', (state, expected) => {
    const { document } = decideVisit(visit({ row: row({}, LIVE), target: { ...redirect, state } }));

    if (expected === undefined) expect(document).toBeUndefined();
    else expect(document).toMatchObject(expected);
  });

  test.each([
    ['known', 'aliased'],
    ['live', 'aliased'],
  ] as const)('a canonical target that is %s: %s', (state, outcome) => {
    expect(decideVisit(visit({ target: { ...canonical, state } })).log?.outcome).toBe(outcome);
  });

  test.each(['canonical-broken', 'canonical-shared', 'canonical-elsewhere'] as const)(
    'a page with a fault (%s) has a document of its own and tells why',
    (fault) => {
      const decided = decideVisit(visit({ fault }));

      expect(decided.document).toHaveProperty('put');
      expect(decided.record).toMatchObject({ state: 'live', reason: fault });
    },
  );

  test('the target of a queued URL is visited although it is known', () => {
    const queued = row({ runKind: 'urls', priority: 0, flags: FRONTIER_FLAGS.force });

    expect(decideVisit(visit({ row: queued, target: { ...redirect, state: 'live' } })).target).toMatchObject({
      enqueue: 'always',
      priority: 0,
      flags: FRONTIER_FLAGS.force,
    });
  });
});

describe('pages that are not visited or not indexed', () => {
  test('a rule of noIndex gives no document, its links count', () => {
    const list = row({ url: 'https://site.example/list' });

    expect(decideVisit(visit({ row: list }))).toMatchObject({
      log: { outcome: 'skipped', reason: 'follow-only' },
      readsLinks: true,
    });
  });

  test.each([
    ['excluded', 'full', true],
    ['out-of-domain', 'incremental', true],
    ['excluded', 'urls', false],
    ['robots', 'full', false],
    ['too-deep', 'full', false],
  ] as const)('%s in a %s run takes its document along: %s', (reason, runKind, leaves) => {
    const decision = decideSkipped({ row: row({ runKind }, LIVE), now: NOW }, { reason, rule: 'x' });

    expect(decision).toMatchObject({ record: { state: 'skipped', reason }, pace: 'unused' });
    const removal = { remove: URL_TEXT, class: 'operator', cause: reason, approved: true, guard: undefined };
    if (leaves) expect(decision.document).toMatchObject(removal);
    else expect(decision.document).toBeUndefined();
  });
});

const OTHER = 'https://site.example/b';
const NEEDED: PageRendering = { kind: 'needed', detail: '{"render":"first","http":{"bytes":1}}', observed: undefined };
const NOINDEX = { index: false, follow: true, snippet: true, unavailableAfter: undefined, sources: ['meta robots'] };

test.each([
  ['before its text is believed', {}],
  ['before its canonical link is followed', { target: { url: OTHER, by: 'canonical', state: undefined } as const }],
  ['when its bytes are as before', { sameBody: true, extraction: undefined }],
])('a page that needs a browser goes on to it, and nothing is recorded: %s', (_name, changes) => {
  const decision = decideVisit(visit({ row: row({}, LIVE), rendering: NEEDED, ...changes }));

  expect(decision).toMatchObject({ log: undefined, record: undefined, document: undefined, target: undefined });
  expect(decision.next).toMatchObject({ dueAt: NOW, attempts: 0, to: { stage: 'render', detail: NEEDED.detail } });
});

test.each([
  ['a server redirects', { target: { url: OTHER, by: 'redirect', state: undefined } as const }, 'aliased'],
  ['the page asks not to be found', { extraction: extraction({ directives: NOINDEX }) }, 'skipped'],
])('no browser is asked when %s', (_name, changes, outcome) => {
  const decision = decideVisit(visit({ rendering: NEEDED, ...changes }));
  expect(decision.log?.outcome).toBe(outcome);
});

test('what other rules have left in the row goes on with it', () => {
  const doubted = row({ detail: '{"doubted":"5","rendered":"failed"}' });
  const { next } = decideVisit(visit({ row: doubted, rendering: NEEDED }));

  const detail = next === 'done' ? undefined : next.to?.detail;
  expect(JSON.parse(detail ?? '')).toEqual({ doubted: '5', render: 'first', http: { bytes: 1 } });
});

test('a page that was read in a browser says when; one that asked in vain is told from others', () => {
  const renderedAt = (rendering: PageRendering | undefined) => decideVisit(visit({ rendering })).record?.renderedAt;

  expect(renderedAt({ kind: 'done' })).toBe(NOW);
  expect(renderedAt({ kind: 'http', observed: undefined })).toBe(0);
  expect(renderedAt(undefined)).toBeUndefined();
});

test.each(['thin', 'render-failed'] as const)('a page that is not all there is stored as %s', (reason) => {
  const { record, document } = decideVisit(visit({ rendering: { kind: 'thin', reason } }));

  expect(record).toMatchObject({ state: 'live', reason });
  expect(document).toMatchObject({ put: {} });
});

test('what a browser has read is not replaced by less', () => {
  const known = row({}, { ...LIVE, renderedAt: 5 });
  const decision = decideVisit(visit({ row: known, rendering: { kind: 'thin', reason: 'thin' } }));

  expect(decision).toMatchObject({ document: undefined, log: { outcome: 'unchanged' } });
  expect(decision.record).toMatchObject({ reason: 'thin', contentHash: '-1', renderedAt: 5 });
});

test('a page that is not all there stays so while its bytes do', () => {
  const known = row({}, { ...LIVE, reason: 'thin' });
  expect(decideVisit(visit({ row: known, sameBody: true, extraction: undefined })).record?.reason).toBe('thin');
});
