import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { backupInstallation } from '../../src/compose/backups.ts';
import { longText } from '../helpers/long-documents.ts';
import { quantileMs, whileSearching } from '../helpers/paced-searches.ts';
import { seededRandom } from '../helpers/random.ts';
import { reportFigure } from '../helpers/scorecard.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTwoCustomers } from '../helpers/two-customers.ts';

const DOCUMENTS_PER_SECOND = 2_000;
const BATCH = 100;
/** Before and during the backup. */
const PUSHED_MS = 15_000;
const MOST_RATIO = 2;
const MOST_HELD_MS = 100;
const QUERIES = ['*', 'page', 'category', 'page of'].map((query) => JSON.stringify({ query }));

test('a backup beside 2,000 documents a second holds up neither searches nor writes', async () => {
  await using folder = await temporaryFolder();
  const pages = [
    { count: 500, chars: 1_000 },
    { count: 500, chars: 3_000 },
  ];
  await using running = await startTwoCustomers(pages);
  const { product, customers, push, dataDir } = running;
  const [pushed, searched] = customers;
  const random = seededRandom(1);
  const texts = Array.from({ length: 500 }, () => longText(random, 1_000));
  let sent = 0;
  const document = () => {
    const fields = { Title: `Pushed ${sent}`, Content: texts[sent % texts.length] };
    return { id: `pushed-${sent++}`, fields };
  };
  /** Pushes at the pace until `work` is over; resolves with how long each batch took. */
  const whilePushing = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
    const took: number[] = [];
    const startedAt = performance.now();
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    for (let batches = 0; !isOver; batches++) {
      const dueAt = startedAt + (batches * BATCH * 1_000) / DOCUMENTS_PER_SECOND;
      await pause(Math.max(0, dueAt - performance.now()));
      const beganAt = performance.now();
      expect(await push(pushed, Array.from({ length: BATCH }, document))).toBe(200);
      took.push(performance.now() - beganAt);
    }
    await working;
    return took;
  };
  const ordinary = {
    address: product.address,
    path: searched.search,
    authorization: searched.key,
    bodies: QUERIES,
    perSecond: 25,
  };
  const measure = async (work: () => Promise<unknown>) => {
    let searches: Awaited<ReturnType<typeof whileSearching>> = [];
    const writes = await whilePushing(async () => {
      searches = await whileSearching(ordinary, work);
    });
    return { p99Ms: quantileMs(searches, 0.99), searches, slowestMs: Math.max(...writes), writes: writes.length };
  };

  await measure(() => pause(5_000));
  const without = await measure(() => pause(PUSHED_MS));
  const held: number[] = [];
  const during = await measure(async () => {
    const endAt = performance.now() + PUSHED_MS;
    for (let number = 1; performance.now() < endAt; number++) {
      const file = join(folder.path, `${number}.tar.zst`);
      const order = { dataDir, file, withSecrets: false, onProgress: () => undefined };
      const { heldMs } = await backupInstallation({ ...order, signal: AbortSignal.timeout(120_000) });
      held.push(heldMs);
    }
  });

  const heldMs = Math.max(...held);
  const figure = `p99 of searches ${without.p99Ms.toFixed(0)} ms without, ${during.p99Ms.toFixed(0)} ms during ${held.length} backups; writes held up ${heldMs.toFixed(1)} ms, slowest of ${during.writes} batches ${during.slowestMs.toFixed(0)} ms (${without.slowestMs.toFixed(0)} ms without)`;
  reportFigure('backups.load', figure);
  expect([...without.searches, ...during.searches].filter(({ status }) => status !== 200)).toEqual([]);
  expect(heldMs).toBeLessThan(MOST_HELD_MS);
  expect(during.p99Ms / without.p99Ms).toBeLessThan(MOST_RATIO);
});
