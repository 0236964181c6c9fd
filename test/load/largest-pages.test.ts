import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { absentValues, condition } from '../helpers/hostile-searches.ts';
import { quantileMs, whileSearching } from '../helpers/paced-searches.ts';
import { reportFigure } from '../helpers/scorecard.ts';
import { startTwoCustomers } from '../helpers/two-customers.ts';

const MOST_MB = 100;
const AT_ONCE = 4;
const PAGE = JSON.stringify({ query: 'page value', perPage: 10_000, highlight: true });
const QUERIES = ['*', 'page', 'category', 'page of'].map((query) => JSON.stringify({ query }));
const NO_RATES = { RATE_SEARCH_PER_SECOND: '0' };

/** Resident megabytes of a process. */
function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_000;
}

type Page = { readonly status: number; readonly bytes: number; readonly tookMs: number; readonly isWhole: boolean };

/** Reads a page of results, so many milliseconds of pause between two pieces of it. */
function readPage(url: string, authorization: string, pauseMs = 0): Promise<Page> {
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const beganAt = performance.now();
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = request(url, { method: 'POST', agent: false, headers }, async (answer) => {
    let bytes = 0;
    let end = '';
    for await (const piece of answer) {
      bytes += piece.length;
      end = piece.toString('latin1').slice(-1);
      if (pauseMs > 0) await pause(pauseMs);
    }
    resolve({ status: answer.statusCode ?? 0, bytes, tookMs: performance.now() - beganAt, isWhole: end === '}' });
  });
  sent.on('error', reject).end(PAGE);
  return promise;
}

/** The most that a process holds over what it held before, while `work` goes on. */
async function growthMb(pid: number, work: () => Promise<unknown>): Promise<number> {
  const base = residentMb(pid);
  let most = base;
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 20);
  await work();
  clearInterval(timer);
  return most - base;
}

test('four of the largest pages at once take little memory, and one that is read slowly holds up nobody', async () => {
  const pages = [
    { count: 2_000, chars: 7_000 },
    { count: 500, chars: 3_000 },
  ];
  await using running = await startTwoCustomers(pages, NO_RATES);
  const { product, customers } = running;
  const [large, neighbour] = customers;
  const { address } = product;
  const api = product.pids().get('api') ?? 0;
  const ordinary = { address, path: neighbour.search, authorization: neighbour.key, bodies: QUERIES, perSecond: 25 };
  const read = (pauseMs?: number) => readPage(address + large.search, large.siteKey, pauseMs);
  const warm = { ...ordinary, path: large.search, authorization: large.key };
  await whileSearching(warm, () => whileSearching(ordinary, () => pause(3_000)));

  let together: readonly Page[] = [];
  const megabytes = await growthMb(api, async () => {
    together = await Promise.all(Array.from({ length: AT_ONCE }, () => read()));
  });
  const alone = await whileSearching(ordinary, () => pause(10_000));
  let slow: Page | undefined;
  const beside = await whileSearching(ordinary, async () => {
    slow = await read(150);
  });

  const [aloneMs, besideMs] = [quantileMs(alone, 0.99), quantileMs(beside, 0.99)];
  const size = (together[0]?.bytes ?? 0) / 1e6;
  const figure = `${AT_ONCE} pages of ${size.toFixed(0)} MB: ${megabytes.toFixed(0)} MB more; p99 of others ${aloneMs.toFixed(0)} ms alone, ${besideMs.toFixed(0)} ms beside a page that is read in ${((slow?.tookMs ?? 0) / 1_000).toFixed(0)} s`;
  reportFigure('search.largest-pages', figure);
  for (const page of [...together, slow]) expect(page).toMatchObject({ status: 200, isWhole: true });
  // They differ in their ids and times at most.
  expect(Math.abs((slow?.bytes ?? 0) - (together[0]?.bytes ?? 0))).toBeLessThan(100);
  expect(besideMs).toBeLessThan(2 * aloneMs + 10);
  expect(megabytes).toBeLessThan(MOST_MB);
});

test('two searches for 1,000 values in long pages are answered in 5 s, and one beside them in half a second', async () => {
  await using running = await startTwoCustomers([{ count: 300, chars: 22_000 }], NO_RATES);
  const { product, customers } = running;
  const [{ search, key }] = customers;
  const ask = async (sent: object) => {
    const beganAt = performance.now();
    const answer = await fetch(product.address + search, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    await answer.arrayBuffer();
    return { status: answer.status, tookMs: performance.now() - beganAt };
  };
  await ask({ query: 'page' });

  const costly = ['f', 'g'].map((of) =>
    ask({ query: '*', advancedPostFilter: condition('Contains', absentValues(1_000, of)) }),
  );
  const plain = await ask({ query: 'page' });
  const answers = await Promise.all(costly);

  const mostMs = Math.max(...answers.map(({ tookMs }) => tookMs));
  const figure = `both in ${mostMs.toFixed(0)} ms, the one beside them in ${plain.tookMs.toFixed(0)} ms`;
  reportFigure('search.two-costly', figure);
  expect([plain, ...answers].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(mostMs).toBeLessThan(5_000);
  expect(plain.tookMs).toBeLessThan(500);
});
