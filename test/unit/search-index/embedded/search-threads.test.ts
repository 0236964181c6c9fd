import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import type { StoredDocument } from '../../../../src/core/document.ts';
import type { FilterNode } from '../../../../src/core/filters.ts';
import { type EmbeddedIndexOptions, openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../../src/search-index/embedded/writer.ts';
import type { FacetRequest, QueryPlan, RangeRequest } from '../../../../src/search-index/query-plan.ts';
import type { SearchIndex } from '../../../../src/search-index/search-index.ts';
import { captureLog } from '../../../helpers/captured-log.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { indexSourceOf } from '../../../helpers/index-source.ts';
import { facetOf, planOf, word } from '../../../helpers/query-plans.ts';
import { reportFigure } from '../../../helpers/scorecard.ts';
import { never } from '../../../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const log = pino({ level: 'silent' });
const ENGINE = 6;

/** The index of an engine of many documents. */
async function writeIndex(documents: number) {
  const folder = await temporaryFolder();
  const rows = new Map<number, StoredDocument>();
  const writer = await openEmbeddedWriter({
    ...{ directory: folder.path, source: indexSourceOf(rows), language: 'en', clock: systemClock, log },
  });
  const changes = Array.from({ length: documents }, (_, i) =>
    storedDocument({
      rid: i + 1,
      fields: {
        ...{ Title: `common title n${i}`, Category: `c${i % 7}`, Unique: `value ${i}`, Number: `${i}` },
        ...(i % 500 === 0 && { Long: `${'long '.repeat(50)}${i}` }),
      },
    }),
  );
  for (const change of changes) rows.set(change.rid, change);
  writer.apply(changes);
  await writer.refresh();
  return {
    writer,
    /** With `inlineNs` 0 every search goes to a thread. The caller closes it first. */
    open: (options: Partial<EmbeddedIndexOptions> = { inlineNs: 0 }) =>
      openEmbeddedIndex({
        ...{ directoryOf: () => folder.path, threads: 2, clock: systemClock, log },
        readDocuments: async (_engineId, rids) => rids.map((rid) => rows.get(rid)),
        ...options,
      }),
    async [Symbol.asyncDispose]() {
      await writer[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** One for all tests that only read: writing it costs more than they do. */
const LARGE = 20_000;
let large: Awaited<ReturnType<typeof writeIndex>>;
beforeAll(async () => {
  large = await writeIndex(LARGE);
});
afterAll(() => large[Symbol.asyncDispose]());

const EVERY = { match: { kind: 'or', of: [word('common'), word('title')] }, facets: [facetOf('Unique')] } as const;

test('a search that runs on a thread ends with the reason of its signal', async () => {
  await using index = large.open();
  await index.search(ENGINE, planOf(EVERY), never());
  const stopped = new AbortController();
  const reason = new Error('enough');
  const searching = index.search(ENGINE, planOf({ ...EVERY, limit: 10_000 }), stopped.signal);
  const started = performance.now();
  setImmediate(() => stopped.abort(reason));

  await expect(searching).rejects.toBe(reason);
  expect(performance.now() - started).toBeLessThan(2_000);
  expect((await index.search(ENGINE, planOf(EVERY), never())).total).toBe(LARGE);
});

describe('work that nobody waits for any more', () => {
  const every = word('common');
  const gt = (value: number): FilterNode => {
    return { kind: 'compare', field: 'Unique', operator: 'gt', values: [`value ${value} x`] };
  };
  const counting: RangeRequest = {
    ...{ label: '', field: 'Number', unit: 'number' },
    ranges: Array.from({ length: 100 }, (_, from) => ({ from, to: from + 1 })),
  };
  const nestedIn = (depth: number): FacetRequest => ({
    ...facetOf('Unique'),
    size: LARGE,
    facets: depth === 0 ? [] : [nestedIn(depth - 1), nestedIn(depth - 1)],
  });
  /** Each would take a minute. */
  const endless: readonly (readonly [string, Partial<QueryPlan>])[] = [
    ['ranges', { match: every, ranges: Array.from({ length: 20_000 }, () => counting) }],
    ['comparisons of texts', { filter: { kind: 'or', of: Array.from({ length: 100_000 }, (_, i) => gt(i)) } }],
    ['nested facets', { match: every, facets: [nestedIn(5)] }],
  ];
  const hasBegun = () => {
    const before = process.cpuUsage();
    return eventually(() => process.cpuUsage(before).user > 500_000);
  };
  const stopAfterItsBeginning = async (index: SearchIndex, plan: Partial<QueryPlan>) => {
    // Starts the thread.
    await index.search(ENGINE, planOf(EVERY), never());
    const stopped = new AbortController();
    const searching = index.search(ENGINE, planOf(plan), stopped.signal);
    searching.catch(() => undefined);
    await hasBegun();
    stopped.abort(new Error('enough'));
    await expect(searching).rejects.toThrow('enough');
  };

  test.each(endless)('%s end soon', async (_name, plan) => {
    await using index = large.open({ inlineNs: 0, threads: 1 });

    await stopAfterItsBeginning(index, plan);

    expect((await index.search(ENGINE, planOf(EVERY), never())).total).toBe(LARGE);
  });

  test('is ended with its thread when it does not stop, and what waited behind it is found all the same', async () => {
    const captured = captureLog();
    await using index = large.open({ inlineNs: 0, threads: 1, log: captured.log });
    const before = await index.search(ENGINE, planOf(EVERY), never());
    const send = Worker.prototype.postMessage;
    const deaf = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
      this: Worker,
      message,
      ...rest
    ) {
      const isEndless = message.kind === 'search' && message.plan.ranges.length > 0;
      send.call(this, isEndless ? { ...message, stop: new SharedArrayBuffer(4) } : message, ...rest);
    });
    using _restore = { [Symbol.dispose]: () => deaf.mockRestore() };

    const stopped = new AbortController();
    const searching = index.search(ENGINE, planOf({ ...endless[0]![1], isBackground: true }), stopped.signal);
    searching.catch(() => undefined);
    const behind = index.search(ENGINE, planOf(EVERY), never());
    await hasBegun();
    stopped.abort(new Error('enough'));
    await expect(searching).rejects.toThrow('enough');

    expect(await behind).toEqual(before);
    await eventually(() => captured.lines.length > 0);
    expect(captured.lines).toMatchObject([{ level: 'warn', message: 'a search thread did not stop and is replaced' }]);
    expect(index.replacedThreads()).toEqual({ count: 1, engineId: ENGINE });
    expect(await index.search(ENGINE, planOf(EVERY), never())).toEqual(before);
    reportFigure('search.stopped-threads', 'ended after a second, the same hits afterwards');
  });
});

test('a search on the calling thread ends when its time is over', async () => {
  await using folder = await temporaryFolder();
  const rows = new Map([1, 2].map((rid) => [rid, storedDocument({ rid, fields: { Title: 'common' } })]));
  await using writer = await openEmbeddedWriter({
    ...{ directory: folder.path, source: indexSourceOf(rows), language: 'en', clock: systemClock, log },
  });
  writer.apply([...rows.values()]);
  await writer.refresh();
  const options = { directoryOf: () => folder.path, threads: 0, clock: systemClock, log };
  await using hasty = openEmbeddedIndex({ ...options, inlineDeadlineMs: 0 });
  await using patient = openEmbeddedIndex(options);

  await expect(hasty.search(ENGINE, planOf(), never())).rejects.toMatchObject({ code: 'search.timeout' });
  expect((await patient.search(ENGINE, planOf(), never())).total).toBe(2);
});

test('threads follow the generations, and a forgotten engine can be opened again', async () => {
  await using engine = await writeIndex(10);
  const { writer } = engine;
  await using index = engine.open();
  const total = async () => (await index.search(ENGINE, planOf(EVERY), never())).total;
  expect(await Promise.all([total(), total(), total()])).toEqual([10, 10, 10]);

  writer.apply([deletedDocument(1, 11)]);
  await writer.refresh();
  await index.waitVisible(ENGINE, 11, AbortSignal.timeout(5_000));
  expect(await Promise.all([total(), total(), total()])).toEqual([9, 9, 9]);

  await index.forget(ENGINE);
  expect(await Promise.all([total(), total()])).toEqual([9, 9]);
});

/** Questions that threads are asked until the answer is there: none when this thread makes it. */
async function questionsDuring(answer: () => Promise<unknown>): Promise<number> {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  try {
    await answer();
    return posted.mock.calls.filter(([message]) => 'request' in message).length;
  } finally {
    posted.mockRestore();
  }
}

describe('what takes long leaves the event loop free', () => {
  let index: ReturnType<typeof large.open>;
  beforeAll(() => {
    index = large.open({});
  });
  afterAll(() => index[Symbol.asyncDispose]());

  const rare = word('n17');
  const every = word('common');
  const costly: readonly (readonly [string, Partial<QueryPlan>])[] = [
    ['a pattern without a beginning', { match: { kind: 'wildcard', pattern: '*99', boost: 1 } }],
    ['a prefix of one letter', { match: { kind: 'prefix', pattern: 'n', boost: 1 } }],
    ['a fuzzy word', { match: { kind: 'fuzzy', text: 'comon', distance: 2, boost: 1 } }],
    ['a pattern on a field', { match: { kind: 'wildcard', pattern: '*9', field: 'Unique', boost: 1 } }],
    ['a facet of many values', { match: rare, facets: [facetOf('Unique')] }],
    ['a sort by texts', { match: rare, sort: [{ field: 'Unique', direction: 'ascending' }] }],
    ['top hits of many values', { match: rare, topHits: [{ field: 'Unique', size: 1, maxFieldValues: 5 }] }],
    ['a comparison of texts', { filter: { kind: 'text', field: 'Unique', operator: 'contains', values: ['99'] } }],
    ['many hits', { match: every, limit: 10_000 }],
    ['a nested facet', { match: every, facets: [{ ...facetOf('Unique'), facets: [facetOf('Category')] }] }],
  ];

  test.each(costly)('%s', async (_name, plan) => {
    const search = () => index.search(ENGINE, planOf(plan), never());

    expect(await questionsDuring(search)).toBe(1);
  });

  test('an explanation', async () => {
    const explain = () => index.explain(ENGINE, planOf({ match: every }), [{ crawlerId: 17, id: 'doc-1' }], never());

    expect(await questionsDuring(explain)).toBe(1);
  });

  test('a search for a rare word is answered at once', async () => {
    const search = () => index.search(ENGINE, planOf({ match: rare }), never());

    expect(await questionsDuring(search)).toBe(0);
  });
});

describe('searches that may wait', () => {
  /** Far more work than may wait for threads. */
  const MANY = 60;
  const costly = planOf({ match: word('common'), offset: 9_990, limit: 10 });
  let index: ReturnType<typeof large.open>;
  beforeAll(() => {
    index = large.open();
  });
  afterAll(() => index[Symbol.asyncDispose]());
  const search = (plan: QueryPlan, signal = never()) => index.search(ENGINE, plan, signal);

  test('are never refused for their number, as others are', async () => {
    const hasty = await Promise.allSettled(Array.from({ length: MANY }, () => search(costly)));
    const patient = Array.from({ length: MANY }, () => search({ ...costly, isBackground: true }));
    const fuzzy = Array.from({ length: MANY }, () =>
      index.fuzzyTerms(ENGINE, 'comon', { maxDistance: 1, limit: 1, isBackground: true }, never()),
    );

    expect(hasty.flatMap((ended) => (ended.status === 'rejected' ? [ended.reason.code] : []))).toContain(
      'rate.exceeded',
    );
    expect((await Promise.all(patient)).every(({ hits }) => hits.length === 10)).toBe(true);
    expect((await Promise.all(fuzzy)).every(([word]) => word?.text === 'common')).toBe(true);
  });

  /** The least of three rounds: in one of them the thread with the search that is waited for may stand still. */
  const leastOf = async (round: () => Promise<number>) => Math.min(await round(), await round(), await round());

  test('let others go before them', async () => {
    const passed = await leastOf(async () => {
      let answered = 0;
      const patient = Array.from({ length: MANY }, async () => {
        await search({ ...costly, isBackground: true });
        answered++;
      });
      await patient[0];
      const before = answered;
      await search(costly);
      const between = answered - before;
      await Promise.all(patient);
      return between;
    });

    expect(passed).toBeLessThan(10);
  });

  test('end with the reason of their signal while they wait', async () => {
    const stopped = new AbortController();
    const reason = new Error('enough');
    const patient = Array.from({ length: MANY }, () => search({ ...costly, isBackground: true }, stopped.signal));
    stopped.abort(reason);

    const ended = await Promise.allSettled(patient);

    expect(ended.every((each) => each.status === 'rejected' && each.reason === reason)).toBe(true);
    expect((await search({ ...costly, isBackground: true })).hits).toHaveLength(10);
  });

  test('of one engine do not hold those of another', async () => {
    // Opens the other engine: meanwhile the first one's go on.
    await index.search(ENGINE + 1, costly, never());
    const passed = await leastOf(async () => {
      let ended = 0;
      const first = Array.from({ length: MANY }, () =>
        index.search(ENGINE, { ...costly, isBackground: true }, never()).then(() => ended++),
      );
      await index.search(ENGINE + 1, { ...costly, isBackground: true }, never());
      const before = ended;
      await Promise.all(first);
      return before;
    });

    expect(passed).toBeLessThan(MANY / 2);
  });
});

test('a search does not wait for those that another engine has sent before', async () => {
  await using index = large.open({ inlineNs: 0, threads: 2 });
  const plan = planOf({ match: word('common'), offset: 9_990, limit: 10 });
  await index.search(ENGINE + 1, plan, never());
  const before: number[] = [];
  for (let round = 0; round < 3; round++) {
    let ended = 0;
    const flood = Array.from({ length: 60 }, () =>
      index.search(ENGINE, plan, never()).then(
        () => ended++,
        () => undefined,
      ),
    );
    // Those that are not refused are on their threads.
    await eventually(() => ended > 0);
    const endedFirst = ended;
    await index.search(ENGINE + 1, plan, never());
    before.push(ended - endedFirst);
    await Promise.all(flood);
  }

  expect(Math.min(...before)).toBeLessThan(4);
});

test('a search on a thread reads the texts of long values', async () => {
  await using engine = await writeIndex(2_000);
  await using index = engine.open();
  const plan = planOf({ facets: [facetOf('Long')], sort: [{ field: 'Long', direction: 'descending' }], limit: 1 });

  const { facets, hits } = await index.search(ENGINE, plan, never());

  expect(facets[0]!.items.map(({ key }) => key.split(' ').at(-1)).sort()).toEqual(['0', '1000', '1500', '500']);
  expect(hits.map(({ id }) => id)).toEqual(['doc-501']);
});
