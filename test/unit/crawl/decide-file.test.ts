import { expect, test } from 'vitest';
import {
  goesBackToFetch,
  goesToParser,
  readWaitingFile,
  waitsForRoom,
  wasLost,
} from '../../../src/crawl/visit/decide-file.ts';
import type { Decision, FetchedFacts } from '../../../src/crawl/visit/decision.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';

const NAME = `${'ab'.repeat(32)}-0b0e7f0e-5a86-4c0f-8d5f-7d0a4b9a6c11`;
const FETCHED: FetchedFacts = {
  status: 200,
  headers: new Map([
    ['content-type', 'application/pdf'],
    ['etag', '"1"'],
    ['set-cookie', 'session=1'],
    ['x-shop', 'north'],
  ]),
  wireBytes: 1_000,
  millis: 12,
  detail: '{"redirects":[]}',
  isFile: true,
  bodyHash: '-17',
};
const rules = { extract: { ...DEFAULT_EXTRACT_SETTINGS, headers: ['x-shop'] } };
const row = (detail: string | undefined) => ({ priority: 1, attempts: 2, detail });

function movedTo({ next }: Decision) {
  return next === 'done' ? undefined : next.to;
}

test.each([undefined, '{"doubted":"7"}', '{"check":304}'])('a file that waits has all its visit needs (%s)', (came) => {
  const to = movedTo(goesToParser({ row: row(came), now: 5, rules }, NAME, FETCHED));

  expect(to?.stage).toBe('file');
  const headers = new Map([...FETCHED.headers].filter(([name]) => name !== 'set-cookie'));
  const expected = { spooled: NAME, came, fetched: { ...FETCHED, headers } };
  expect(readWaitingFile({ detail: to?.detail })).toEqual(expected);
});

test.each(['../system.db', `${NAME}/../x`, ''])('a body of the name "%s" is none', (spooled) => {
  const to = movedTo(goesToParser({ row: row(undefined), now: 5, rules }, spooled, FETCHED));
  expect(readWaitingFile({ detail: to?.detail })).toBeUndefined();
});

test('a file that was lost goes back with what it was fetched for', () => {
  const { stage, detail } = movedTo(goesBackToFetch({ row: row('…'), now: 5 }, '{"doubted":"7"}')) ?? {};

  expect([stage, JSON.parse(detail ?? '')]).toEqual(['page', { doubted: '7', lost: true }]);
  expect([wasLost({ detail }), wasLost({ detail: '{"doubted":"7"}' }), wasLost({ detail: undefined })]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a file without room is fetched a minute later, at no cost', () => {
  const decided = waitsForRoom({ row: row(undefined), now: 5 });
  expect(decided).toMatchObject({ next: { dueAt: 60_005, priority: 1, attempts: 2 }, log: undefined, pace: 'unused' });
});
