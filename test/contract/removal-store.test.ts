import { expect, test } from 'vitest';
import type { StoredDocument } from '../../src/core/document.ts';
import type { DocumentRemoval } from '../../src/storage/engine/visits.ts';
import { CRAWLER, facts, openFrontier, removal, urlOf, visited } from '../helpers/frontier.ts';

const DAY = 86_400_000;
const SETTLE = { crawlerId: CRAWLER, now: 9_000, limit: 100, lookAgainAt: 9_000 + DAY };

const instead = {
  record: facts({ state: 'suspected', reason: 'removal-held' }),
  log: {
    outcome: 'suspected',
    reason: 'removal-held',
    httpStatus: 404,
    bytes: 0,
    millis: 0,
    detail: undefined,
  },
} as const;

const guarded = (id: string, allowed: number, more: Partial<DocumentRemoval> = {}): DocumentRemoval =>
  removal(id, { guard: { allowed, since: 0, counts: false, instead }, ...more });

const paths = (count: number) => Array.from({ length: count }, (_, i) => `/p${i}`);

/** Documents of URLs that the crawler knows, with a lane to record visits of them. */
async function stored(count: number) {
  const frontier = await openFrontier();
  const documents = paths(count).map((path) => ({
    id: urlOf(path),
    kind: 'PageContent' as const,
    origin: 'crawled' as const,
    language: 'en',
    fields: new Map([
      ['Title', [`Page ${path}`]],
      ['Content', ['Ünïcode 𝒳 text. '.repeat(800)]],
      ['__proto__', ['kept', 'in', 'order']],
    ]),
    structure: { version: 1 as const, sections: [], surroundings: `around ${path}` },
  }));
  await frontier.store.putDocuments(CRAWLER, documents, 500);
  await frontier.add(paths(count));
  const lane = await frontier.lane();
  const record = async (removalsOf: (id: string) => DocumentRemoval, now = 2_000) => {
    const rows = await frontier.take(lane, count, now);
    const visits = rows.map((row) => visited(row, { document: removalsOf(row.url), record: facts({ state: 'gone' }) }));
    return frontier.record(lane, visits, now);
  };
  const live = async () => (await frontier.store.listDocuments({ after: 0, limit: 100 })).map(withoutNumbers);
  return { ...frontier, lane, recordRemovals: record, live, [Symbol.asyncDispose]: frontier[Symbol.asyncDispose] };
}

function withoutNumbers({ seq: _, writeSeq: __, rid: ___, ...content }: StoredDocument) {
  return content;
}

test('1: a removed document is kept, and comes back as it was', async () => {
  await using store = await stored(2);
  const before = await store.live();
  const seq = await store.store.lastSeq();
  await store.recordRemovals((id) => removal(id));
  expect(await store.live()).toEqual([]);

  expect(await store.store.askRemovals({ crawlerId: CRAWLER, action: 'undo', choice: {} })).toBe(2);
  expect(await store.store.applyRemovals(SETTLE)).toEqual({ approved: 0, undone: 2 });

  expect(await store.live()).toEqual(before);
  expect(await store.store.lastSeq()).toBe(seq + 4);
});

test('1: also when the index has let its row go meanwhile', async () => {
  await using store = await stored(1);
  const before = await store.live();
  await store.recordRemovals((id) => removal(id));
  await store.store.purgeDeleted(await store.store.lastSeq(), 100);

  await store.store.askRemovals({ crawlerId: CRAWLER, action: 'undo', choice: {} });
  await store.store.applyRemovals(SETTLE);

  expect(await store.live()).toEqual(before);
});

test('2: once as many have left as the guard allows, the others are held and recorded so', async () => {
  await using store = await stored(5);

  await store.recordRemovals((id) => guarded(id, 2));

  expect(await store.live()).toHaveLength(3);
  expect(await store.store.countRemovals(CRAWLER)).toEqual(
    new Map([
      ['held', 3],
      ['removed', 2],
    ]),
  );
  expect(await store.store.countHeldRemovals([CRAWLER, 99])).toEqual(
    new Map([
      [CRAWLER, 3],
      [99, 0],
    ]),
  );
  const states = await store.store.countUrls(CRAWLER);
  expect([states.get('suspected'), states.get('gone')]).toEqual([3, 2]);
  expect((await store.store.findRun(store.runId))?.removalsHeld).toBe(3);
});

test('2: what an operator approved does not count', async () => {
  await using store = await stored(4);
  await store.recordRemovals((id) => removal(id, { approved: true }));

  expect(await store.store.countRemoved(CRAWLER, 0)).toBe(0);
});

test('3: a held removal leaves the list when its page is well, or its document is deleted', async () => {
  await using store = await stored(3);
  await store.recordRemovals((id) => guarded(id, 0));
  await store.add(['/p0'], { enqueue: 'always' });
  const [row] = await store.take(store.lane, 1, 3_000);

  await store.record(store.lane, [visited(row!, { released: urlOf('/p0') })], 3_000);
  await store.store.deleteDocuments(CRAWLER, [urlOf('/p1')], 3_000);

  const listed = await store.store.listRemovals({ crawlerId: CRAWLER, state: 'held', after: 0, limit: 10 });
  expect(listed.map(({ url }) => url)).toEqual([urlOf('/p2')]);
});

test('4: an approval is done in steps, and once', async () => {
  await using store = await stored(3);
  await store.recordRemovals((id) => guarded(id, 0));
  expect(await store.store.askRemovals({ crawlerId: CRAWLER, action: 'approve', choice: {} })).toBe(3);
  expect(await store.live()).toHaveLength(3);

  const steps = [];
  for (let step = 0; step < 3; step++) steps.push(await store.store.applyRemovals({ ...SETTLE, limit: 2 }));

  expect(steps.map(({ approved }) => approved)).toEqual([2, 1, 0]);
  expect(await store.live()).toEqual([]);
  expect(await store.store.countRemoved(CRAWLER, 0)).toBe(0);
  expect((await store.store.findUrl(CRAWLER, urlOf('/p0')))?.facts).toMatchObject({
    state: 'gone',
    reason: 'not-found',
    nextAt: 9_000 + DAY,
  });
});

test.each([
  ['a class', { class: 'soft' }, ['/p1']],
  ['a cause', { cause: 'not-found' }, ['/p0', '/p2']],
  ['a host', { origin: 'https://site.example' }, ['/p0', '/p1', '/p2']],
  ['another host', { origin: 'https://other.example' }, []],
  ['a pattern', { pattern: '/p2' }, ['/p2']],
  ['single ones', { rids: [1, 2] }, ['/p0', '/p1']],
  ['another run', { runId: 999 }, []],
] as const)('4: %s may be chosen', async (_name, choice, chosen) => {
  await using store = await stored(3);
  await store.recordRemovals((id) =>
    guarded(id, 0, id.endsWith('/p1') ? { class: 'soft', cause: 'soft-404' } : undefined),
  );

  await store.store.askRemovals({ crawlerId: CRAWLER, action: 'approve', choice });
  await store.store.applyRemovals(SETTLE);

  const left = new Set((await store.live()).map(({ id }) => id));
  expect(paths(3).filter((path) => !left.has(urlOf(path)))).toEqual(chosen);
});

test('4: what is only held and undone stays, and is looked at', async () => {
  await using store = await stored(1);
  await store.recordRemovals((id) => guarded(id, 0));

  await store.store.askRemovals({ crawlerId: CRAWLER, action: 'undo', choice: {} });
  await store.store.applyRemovals(SETTLE);

  expect(await store.live()).toHaveLength(1);
  expect((await store.store.findUrl(CRAWLER, urlOf('/p0')))?.facts).toMatchObject({ state: 'live', nextAt: 9_000 });
  expect(await store.store.findHeldRemoval(CRAWLER, urlOf('/p0'))).toBeUndefined();
});

test('5: an undo leaves a newer document alone', async () => {
  await using store = await stored(1);
  await store.recordRemovals((id) => removal(id));
  const newer = { ...(await newDocument()), id: urlOf('/p0') };
  await store.store.putDocuments(CRAWLER, [newer], 3_000);

  await store.store.askRemovals({ crawlerId: CRAWLER, action: 'undo', choice: {} });
  await store.store.applyRemovals(SETTLE);

  expect((await store.store.findDocument(CRAWLER, urlOf('/p0')))?.fields.get('Title')).toEqual(['Newer']);
});

test('6: what was deleted explicitly cannot be undone', async () => {
  await using store = await stored(1);
  await store.recordRemovals((id) => removal(id));

  await store.store.deleteDocuments(CRAWLER, [urlOf('/p0')], 3_000);

  expect(await store.store.askRemovals({ crawlerId: CRAWLER, action: 'undo', choice: {} })).toBe(0);
});

test('7: what was removed before a time is dropped, what is held stays', async () => {
  await using store = await stored(3);
  await store.recordRemovals((id) => guarded(id, 1), 2_000);

  expect(await store.store.expireRemovals(CRAWLER, 2_000, 10)).toBe(0);
  expect(await store.store.expireRemovals(CRAWLER, 2_001, 10)).toBe(1);

  expect([...(await store.store.countRemovals(CRAWLER)).keys()]).toEqual(['held']);
});

test('groups are counted with samples, the largest first', async () => {
  await using store = await stored(6);
  await store.recordRemovals((id) =>
    guarded(id, 0, id.endsWith('/p5') ? { class: 'soft', cause: 'soft-404' } : undefined),
  );

  const groups = await store.store.groupRemovals({ crawlerId: CRAWLER, state: 'held', limit: 10 });

  expect(groups.map(({ class: evidence, count }) => [evidence, count])).toContainEqual(['soft', 1]);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(6);
  expect(groups.every(({ origin, samples }) => origin === 'https://site.example' && samples.length <= 3)).toBe(true);
});

async function newDocument() {
  return {
    kind: 'PageContent' as const,
    origin: 'pushed' as const,
    language: 'en',
    fields: new Map([['Title', ['Newer']]]),
  };
}
