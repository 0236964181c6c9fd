import { afterEach, expect, test, vi } from 'vitest';
import { DEFAULT_FETCH_LIMITS } from '../../../src/fetch/fetcher.ts';
import { type BodySource, readBody } from '../../../src/fetch/http/read-body.ts';
import { failureOf } from '../../helpers/fetching.ts';

afterEach(() => vi.restoreAllMocks());

/** A body whose pieces come one per second of a clock that does not wait. */
function piecesPerSecond(bytes: number, seconds: number): AsyncIterable<Uint8Array> {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return (async function* () {
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      yield Buffer.alloc(bytes, 'x');
    }
  })();
}

const sourceOf = (wire: AsyncIterable<Uint8Array>, changes: Partial<BodySource> = {}): BodySource => ({
  wire,
  contentEncoding: '',
  contentLength: undefined,
  mediaType: 'text/html',
  purpose: 'page',
  limits: DEFAULT_FETCH_LIMITS,
  spoolFolder: '/nonexistent',
  deadline: { signal: new AbortController().signal, extend: () => undefined, [Symbol.dispose]: () => undefined },
  ...changes,
});

test('a body under 1 KiB/s over 10 s is given up', async () => {
  const failed = await failureOf(readBody(sourceOf(piecesPerSecond(1_023, 25))));
  expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'timeout' });
});

test('a body of 1 KiB/s is read to its end', async () => {
  expect(await readBody(sourceOf(piecesPerSecond(1_024, 25)))).toMatchObject({ bodyBytes: 25 * 1_024 });
});

test('of a robots.txt the beginning is read, whatever its length says', async () => {
  let poured = 0;
  async function* endless() {
    for (;;) {
      poured += 1_000;
      yield Buffer.alloc(1_000, 'x');
    }
  }
  const limits = { ...DEFAULT_FETCH_LIMITS, pageBytes: 4_500 };
  const read = await readBody(sourceOf(endless(), { purpose: 'robots', limits, contentLength: 90_000_000_000 }));
  expect(read.bodyBytes).toBe(4_500);
  expect(poured).toBeLessThan(8_000);
});
