import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hostileSearches } from '../helpers/hostile-searches.ts';
import { quantileMs, type SentSearch, statusesOf, whileSearching } from '../helpers/paced-searches.ts';
import { seededRandom } from '../helpers/random.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';
import { reportFigure } from '../helpers/scorecard.ts';
import { startTwoCustomers } from '../helpers/two-customers.ts';

const ROUNDS = 2;
/** Of each round. */
const HOSTILE = 1_000;
const HOSTILE_PER_SECOND = 50;
const LOAD_MS = (HOSTILE / HOSTILE_PER_SECOND) * 1_000;
const QUERIES = ['*', 'page', 'page value', 'category', 'value', 'page of'];
/** Of the same searches without the hostile ones beside them. */
const MOST_RATIO = 2;
const MOST_LIVE_MS = 100;

test(`hostile searches of one engine leave those of another as they are (TEST_SEED=${RUN_SEED})`, async () => {
  const pages = [
    { count: 300, chars: 22_000 },
    { count: 500, chars: 3_000 },
  ];
  await using running = await startTwoCustomers(pages);
  const { product, customers } = running;
  const [attacked, neighbour] = customers;
  const { address } = product;
  const bodies = QUERIES.map((query) => JSON.stringify({ query }));
  const ordinary = { address, path: neighbour.search, authorization: neighbour.key, bodies, perSecond: 25 };
  const live = { address, path: '/health/live', perSecond: 10 };
  const make = hostileSearches(seededRandom(RUN_SEED));
  const attack = {
    address,
    path: attacked.search,
    authorization: attacked.siteKey,
    bodies: Array.from({ length: HOSTILE }, () => JSON.stringify(make())),
    perSecond: HOSTILE_PER_SECOND,
  };

  const p99Ms = { alone: Number.POSITIVE_INFINITY, beside: Number.POSITIVE_INFINITY };
  const hostile: SentSearch[] = [];
  const health: SentSearch[] = [];
  const searches: SentSearch[] = [...(await whileSearching(ordinary, () => pause(5_000)))];
  // The best of some rounds: what else the machine does is in the others.
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await whileSearching(ordinary, () => pause(LOAD_MS));
    const beside = await whileSearching(ordinary, async () => {
      const lives = await whileSearching(live, async () => {
        hostile.push(...(await whileSearching(attack, () => pause(LOAD_MS))));
      });
      health.push(...lives);
    });
    searches.push(...alone, ...beside);
    p99Ms.alone = Math.min(p99Ms.alone, quantileMs(alone, 0.99));
    p99Ms.beside = Math.min(p99Ms.beside, quantileMs(beside, 0.99));
  }

  const liveMs = quantileMs(health, 1);
  const figure = `p99 ${p99Ms.alone.toFixed(1)} ms alone, ${p99Ms.beside.toFixed(1)} ms beside ${statusesOf(hostile)}; health at most ${liveMs.toFixed(0)} ms`;
  reportFigure('search.neighbours', figure);
  expect(hostile.filter(({ status }) => ![200, 400, 429].includes(status))).toEqual([]);
  expect(searches.filter(({ status }) => status !== 200)).toEqual([]);
  expect(liveMs).toBeLessThan(MOST_LIVE_MS);
  expect(p99Ms.beside / p99Ms.alone).toBeLessThan(MOST_RATIO);
});
