import { describe, expect, test } from 'vitest';
import { FRONTIER_FLAGS } from '../../src/core/crawl-words.ts';
import { ACTIVATION, CRAWLER, link, openFrontier, pageDocument, removal, urlOf, visited } from '../helpers/frontier.ts';

const QUEUE = { crawlerId: CRAWLER, activation: ACTIVATION, configVersion: 1 };

describe('promise 1: a URL is known once per crawler', () => {
  test('addUrls answers with the same id for the same URL, in order', async () => {
    await using frontier = await openFrontier();

    const first = await frontier.add(['/a', '/b', '/a']);
    const second = await frontier.add(['/b']);

    expect(first[0]).toBe(first[2]);
    expect(second[0]).toBe(first[1]);
    expect((await frontier.store.findRun(frontier.runId))?.found).toBe(2);
  });

  test('the same URL of another crawler is another record', async () => {
    await using frontier = await openFrontier();
    const [mine] = await frontier.add(['/a']);

    const [others] = await frontier.store.queueUrls({ ...QUEUE, crawlerId: 18, urls: [urlOf('/a')], now: 0 });

    expect(others).not.toBe(mine);
  });

  test('a shorter way lowers the depth', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a'], { depth: 5 });

    await frontier.add(['/a'], { depth: 2 });

    expect((await frontier.store.findUrl(CRAWLER, urlOf('/a')))?.depth).toBe(2);
  });
});

describe('promise 2: a URL that waits stays one row', () => {
  test('a second request takes the higher priority and joins the flags', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a', '/b']);

    await frontier.store.queueUrls({ ...QUEUE, urls: [urlOf('/b')], now: 0 });

    const rows = await frontier.take(await frontier.lane());
    expect(rows.map(({ url, priority, flags }) => [url, priority, flags])).toEqual([
      [urlOf('/b'), 0, FRONTIER_FLAGS.follow | FRONTIER_FLAGS.force],
      [urlOf('/a'), 2, FRONTIER_FLAGS.follow],
    ]);
  });

  test('a row put off comes at once when it is asked for', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);
    await frontier.record(lane, [visited(row!, { next: { dueAt: 90_000, priority: 1, attempts: 1 } })]);

    await frontier.store.queueUrls({ ...QUEUE, urls: [urlOf('/a')], now: 2_000 });

    expect(await frontier.take(lane, 10, 2_000)).toHaveLength(1);
  });
});

describe('promise 3: a forced request for a leased URL makes one more visit', () => {
  test('the row is there again after the visit under way', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);
    await frontier.store.queueUrls({ ...QUEUE, urls: [urlOf('/a')], now: 1_500 });

    await frontier.record(lane, [visited(row!)]);

    const again = await frontier.take(lane, 10, 2_000);
    expect(again.map(({ url, priority }) => [url, priority])).toEqual([[urlOf('/a'), 0]]);
    await frontier.record(lane, [visited(again[0]!)]);
    expect(await frontier.take(lane, 10, 3_000)).toEqual([]);
  });
});

describe('promise 4: rows of an older activation are void', () => {
  test('they are never taken', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);

    expect(await frontier.take(await frontier.lane(), 10, 1_000, ACTIVATION + 1)).toEqual([]);
  });

  test('a newer request replaces them, and their late holder finds nothing', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);

    await frontier.store.queueUrls({ ...QUEUE, activation: ACTIVATION + 1, urls: [urlOf('/a')], now: 1_500 });

    expect((await frontier.record(lane, [visited(row!)])).applied).toEqual([false]);
    expect(await frontier.take(lane, 10, 2_000, ACTIVATION + 1)).toHaveLength(1);
  });

  test('discardVoid drops them in steps and leaves the rest', async () => {
    await using frontier = await openFrontier();
    const discard = () =>
      frontier.store.discardVoid({ crawlerId: CRAWLER, activation: ACTIVATION + 1, limit: 2, now: 0 });
    await frontier.add(['/a', '/b', '/c']);
    await frontier.store.queueUrls({ ...QUEUE, activation: ACTIVATION + 1, urls: [urlOf('/d')], now: 0 });

    expect(await discard()).toBe(2);
    expect(await discard()).toBe(1);
    expect(await discard()).toBe(0);
    expect(await frontier.counters()).toMatchObject({ rows: 1, waiting: 1 });
  });
});

describe('lanes, promise 1: a lane has one holder', () => {
  const asked = { crawlerId: CRAWLER, stage: 'page', lane: 1 } as const;

  test('a second holder is refused while the first one beats', async () => {
    await using frontier = await openFrontier();
    const lane = await frontier.lane('crawl-1', 1);
    await frontier.store.beatLane(lane);

    expect(await frontier.store.takeLane({ ...asked, holder: 'crawl-2' })).toBeUndefined();
  });

  test('a lane that was withdrawn as it was seen last is free, with a larger fence, and its holder cannot beat', async () => {
    await using frontier = await openFrontier();
    const lane = await frontier.lane('crawl-1', 1);
    const [early] = await frontier.store.leasedLanes();
    await frontier.store.beatLane(lane);
    const [late] = await frontier.store.leasedLanes();

    expect(await frontier.store.withdrawLane(early!)).toBe(false);
    expect(await frontier.store.withdrawLane(late!)).toBe(true);
    expect(await frontier.store.beatLane(lane)).toBe(false);
    expect((await frontier.lane('crawl-2', 1)).fence).toBeGreaterThan(lane.fence);
  });

  test('a holder of the same name takes it again at once', async () => {
    await using frontier = await openFrontier();
    const lane = await frontier.lane('crawl-1', 1);

    expect((await frontier.lane('crawl-1', 1)).fence).toBe(lane.fence + 1);
  });

  test('a freed lane is free at once and keeps no rows', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane('crawl-1', 1);
    await frontier.take(lane);

    await frontier.store.freeLane(lane);

    const next = await frontier.lane('crawl-2', 1);
    expect((await frontier.take(next, 10, 6_001)).map(({ crashes }) => crashes)).toEqual([0]);
  });
});

describe('lanes, promise 2: taking a lane gives back what its holder left', () => {
  test('first in line, with a crash and without an attempt', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a'], { priority: 3 });
    await frontier.take(await frontier.lane('crawl-1'));
    await frontier.add(['/b'], { priority: 2 });

    const rows = await frontier.take(await frontier.lane('crawl-1'));

    expect(rows.map(({ url, crashes, attempts, priority }) => [url, crashes, attempts, priority])).toEqual([
      [urlOf('/a'), 1, 0, 1],
      [urlOf('/b'), 0, 0, 2],
    ]);
  });

  test('from the third crash on a row waits alone at the end', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    for (let crash = 0; crash < 3; crash++) await frontier.take(await frontier.lane('crawl-1'));

    const [row] = await frontier.take(await frontier.lane('crawl-1'));

    expect(row).toMatchObject({ crashes: 3, priority: 3 });
    expect((row?.flags ?? 0) & FRONTIER_FLAGS.alone).toBeTruthy();
  });
});

describe('due rows, promise 1: takeDue leases a row to one lane', () => {
  test('three lanes at once share the rows without a double', async () => {
    await using frontier = await openFrontier();
    const paths = Array.from({ length: 30 }, (_, i) => `/${i}`);
    const ids = await frontier.add(paths);
    const lanes = [await frontier.lane('a', 1), await frontier.lane('b', 2), await frontier.lane('c', 3)];

    const leased = (await Promise.all(lanes.map((lane) => frontier.take(lane, 12)))).flat();

    expect(leased.map(({ urlId }) => urlId).sort((a, b) => a - b)).toEqual(ids);
  });

  test('by priority, then time, and not before their time', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/late'], { priority: 1 }, 5_000);
    await frontier.add(['/second'], { priority: 1 }, 20);
    await frontier.add(['/first'], { priority: 1 }, 10);
    await frontier.add(['/low'], { priority: 3 }, 0);

    const rows = await frontier.take(await frontier.lane(), 10, 1_000);

    expect(rows.map(({ url }) => url)).toEqual([urlOf('/first'), urlOf('/second'), urlOf('/low')]);
  });

  test('a returned row comes back at its new time', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);

    await frontier.store.returnLeases(lane, [{ urlId: row!.urlId, dueAt: 3_000 }]);

    expect(await frontier.take(lane, 10, 2_999)).toEqual([]);
    expect(await frontier.take(lane, 10, 3_000)).toMatchObject([{ attempts: 0 }]);
  });

  test('a lost lane takes nothing', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane('crawl-1');
    await frontier.lane('crawl-1');

    expect(await frontier.take(lane)).toEqual([]);
  });
});

describe('visits, promise 1: a visit is recorded whole, once per lease', () => {
  test('record, document, links, log and counters stand together', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);
    const put = pageDocument(urlOf('/a'));

    const receipt = await frontier.record(lane, [
      visited(row!, { document: { put }, links: { known: [], fresh: [link('/b')], pageLimit: 100 } }),
    ]);

    expect(receipt).toMatchObject({ lost: false, applied: [true] });
    expect((await frontier.store.findUrl(CRAWLER, urlOf('/a')))?.facts.state).toBe('live');
    expect((await frontier.store.findDocument(CRAWLER, urlOf('/a')))?.fields.get('Title')).toEqual(['Title']);
    expect((await frontier.store.findUrl(CRAWLER, urlOf('/b')))?.id).toBe(receipt.freshIds[0]?.[0]);
    const [log] = await frontier.store.listVisits({ crawlerId: CRAWLER, limit: 5 });
    expect(log).toMatchObject({ url: urlOf('/a'), outcome: 'added', reason: 'new', httpStatus: 200 });
    expect(await frontier.store.findRun(frontier.runId)).toMatchObject({ visited: 1, added: 1, found: 2, bytes: 10 });
  });

  test('the same lease is recorded once', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);

    const receipts = [await frontier.record(lane, [visited(row!)]), await frontier.record(lane, [visited(row!)])];

    expect(receipts.map(({ applied }) => applied)).toEqual([[true], [false]]);
    expect(await frontier.store.findRun(frontier.runId)).toMatchObject({ visited: 1 });
  });

  test('a holder that lost the lane records nothing, not even a document', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane('crawl-1', 1);
    const [row] = await frontier.take(lane);
    const [held] = await frontier.store.leasedLanes();
    await frontier.store.withdrawLane(held!);
    const next = await frontier.lane('crawl-2', 1);

    const late = await frontier.record(lane, [visited(row!, { document: { put: pageDocument(urlOf('/a')) } })]);

    expect(late).toMatchObject({ lost: true, applied: [false] });
    expect(await frontier.store.findDocument(CRAWLER, urlOf('/a'))).toBeUndefined();
    expect(await frontier.take(next, 10, 7_000)).toHaveLength(1);
  });

  test('what the document store says decides between added, changed and unchanged', async () => {
    await using frontier = await openFrontier();
    const lane = await frontier.lane();
    const outcomes = [];
    for (const title of ['One', 'Two', 'Two']) {
      await frontier.store.queueUrls({ ...QUEUE, urls: [urlOf('/a')], now: 0 });
      const [row] = await frontier.take(lane);
      await frontier.record(lane, [visited(row!, { document: { put: pageDocument(urlOf('/a'), title) } })]);
      outcomes.push((await frontier.store.listVisits({ crawlerId: CRAWLER, limit: 1 }))[0]?.outcome);
    }

    expect(outcomes).toEqual(['added', 'changed', 'unchanged']);
  });

  test('a removal takes the document out', async () => {
    await using frontier = await openFrontier();
    await frontier.store.putDocuments(CRAWLER, [pageDocument(urlOf('/a'))], 0);
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);

    await frontier.record(lane, [visited(row!, { document: removal(urlOf('/a')) })]);

    expect(await frontier.store.findDocument(CRAWLER, urlOf('/a'))).toBeUndefined();
  });

  test('an alias points to its target, which is put on the frontier', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);

    await frontier.record(lane, [visited(row!, { target: link('/b', { origin: 'canonical', priority: 1 }) })]);

    expect((await frontier.store.findUrl(CRAWLER, urlOf('/a')))?.targetUrl).toBe(urlOf('/b'));
    expect((await frontier.take(lane, 10, 2_000)).map(({ url }) => url)).toEqual([urlOf('/b')]);
  });

  test('failures in a row of a host are counted until a good answer', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a', '/b', '/c']);
    const lane = await frontier.lane();
    const rows = await frontier.take(lane);

    const failed = await frontier.record(
      lane,
      rows.slice(0, 2).map((row) => visited(row, { answer: 'failure' })),
    );
    const good = await frontier.record(lane, [visited(rows[2]!, { answer: 'missing' })]);

    expect([...failed.failures.values(), ...good.failures.values()]).toEqual([2, 0]);
    expect((await frontier.store.ensureHost(CRAWLER, 'https://site.example')).health).toBe('ffm');
  });
});

describe('visits, promise 2: the page limit of a run holds', () => {
  test('new URLs enter only while there is room, also within one batch', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a', '/b']);
    const lane = await frontier.lane();
    const rows = await frontier.take(lane);

    const receipt = await frontier.record(
      lane,
      rows.map((row, i) =>
        visited(row, { links: { known: [], fresh: [link(`/x${i}`), link(`/y${i}`)], pageLimit: 5 } }),
      ),
    );

    expect(receipt.freshIds.map((ids) => ids.map((id) => id !== undefined))).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});

describe('promise 5: counters equal the rows they count', () => {
  test('after every kind of call', async () => {
    await using frontier = await openFrontier();
    const check = async () => {
      const { waiting, waitingRows, open, rows } = await frontier.counters();
      expect({ waiting, open }).toEqual({ waiting: waitingRows, open: rows });
    };
    await frontier.add(['/a', '/b', '/c', '/d']);
    await check();
    const lane = await frontier.lane();
    const rows = await frontier.take(lane, 3);
    await check();
    await frontier.store.queueUrls({ ...QUEUE, urls: [rows[0]!.url, urlOf('/e')], now: 1_000 });
    await check();
    await frontier.record(lane, [
      visited(rows[0]!, { links: { known: [], fresh: [link('/f')], pageLimit: 100 } }),
      visited(rows[1]!, { next: { dueAt: 9_000, priority: 1, attempts: 1 } }),
    ]);
    await check();
    await frontier.store.returnLeases(lane, [{ urlId: rows[2]!.urlId, dueAt: 1_000 }]);
    await check();
    await frontier.take(lane, 2);
    await frontier.lane('crawl-1');
    await check();
    expect(await frontier.store.correctOpen(frontier.runId)).toBe(0);
  });
});

describe('promise 6: URLs for an inactive crawler leave a log row only', () => {
  test('they are discarded with their reason', async () => {
    await using frontier = await openFrontier();

    await frontier.store.logDiscarded(CRAWLER, [urlOf('/a')], 'inactive', 5);

    expect(await frontier.store.listVisits({ crawlerId: CRAWLER, limit: 5 })).toMatchObject([
      { url: urlOf('/a'), outcome: 'discarded', reason: 'inactive', at: 5 },
    ]);
    expect(await frontier.store.findUrl(CRAWLER, urlOf('/a'))).toBeUndefined();
  });
});
