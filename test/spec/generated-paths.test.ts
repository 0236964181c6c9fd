import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captureLog } from '../helpers/captured-log.ts';
import { startProduct } from '../helpers/product.ts';
import { seededRandom } from '../helpers/random.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';
import { reportFigure } from '../helpers/scorecard.ts';

const REQUESTS = 5_000;
const ROOTS = [
  '/',
  '/assets',
  '/assets/',
  '/sample',
  '/sample/',
  '/client.js',
  '/health',
  '/health/ready',
  '/metrics',
  '/admin',
  '/admin/assets',
  '/admin/v1',
];
const PARTS = [
  '/',
  '..',
  '%2e%2e',
  '%5c',
  '%00',
  '%',
  '%zz',
  'index.html',
  'page.js',
  '.',
  '//',
  ';',
  '?',
  '?engine=',
  '%2f',
  'é',
  'a'.repeat(3_000),
];
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['range', ['bytes=0-0', 'bytes=9-', 'bytes=-1', 'bytes=abc', 'bytes=0-0,2-3', 'bytes=99999999-', 'items=1-2', '']],
  ['if-match', ['"x"', '*', 'W/"a"', ',']],
  ['if-none-match', ['"x"', '*', '']],
  ['if-modified-since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'never']],
  ['if-unmodified-since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'never']],
  ['if-range', ['"x"', 'never']],
  ['accept-encoding', ['br', 'gzip;q=0', '*', 'nothing']],
  ['authorization', ['Bearer x', 'Basic', 'Bearer', 'SiteKey AA==']],
  ['expect', ['100-continue', 'tea']],
];

test('no generated request outside of the API is a server error', { timeout: 240_000 }, async () => {
  const { pick, list, chance } = seededRandom(RUN_SEED);
  const { log, lines } = captureLog();
  const web = join(import.meta.dirname, '../../web');
  await using product = await startProduct({
    webFolder: join(web, 'dist'),
    sampleFolder: join(web, 'sample-site'),
    operatorToken: 'operator-token',
    log,
  });

  const failed: string[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const path = encodePath(`${pick(ROOTS)}${list(0, 3, () => pick(PARTS)).join('')}`);
    const headers = Object.fromEntries(HEADERS.filter(() => chance(0.2)).map(([name, values]) => [name, pick(values)]));
    const { status } = await product.send({ path, method: pick(METHODS), headers });
    if (status >= 500) failed.push(`${status} ${path} ${JSON.stringify(headers)}`);
  }

  expect(failed, `seed ${RUN_SEED}`).toEqual([]);
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  reportFigure('edge.generated-paths', `${REQUESTS} requests, ${failed.length} server errors`);
});

/** A request line takes ASCII only. */
function encodePath(path: string): string {
  return path.replace(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char));
}
