import { expect, test } from 'vitest';
import { sliceAdder } from '../../../src/jobs/add-slices.ts';
import { connectProducer, connectWorker, untilConnected } from '../../../src/jobs/connection.ts';
import { openQueues, slicePayload } from '../../../src/jobs/queues.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addCrawler } from '../../helpers/other-crawlers.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('the slices of a customer with one crawler are not behind those of one with many', async () => {
  await using site = await startSiteServer({});
  const settings = { seeds: [`${site.origin}/`], schedule: MANUAL };
  await using crawl = await openCrawl(settings);
  await using stack = new AsyncDisposableStack();
  const producer = connectProducer(crawl.redis.url, silentLog);
  const connection = connectWorker(crawl.redis.url, silentLog);
  for (const each of [producer, connection]) stack.defer(() => each.disconnect());
  await untilConnected(producer, 5_000);
  const queues = stack.use(openQueues({ connection: producer, log: silentLog }));
  const { findCrawler } = crawl.sliceDeps;
  const tend = async (sweep: typeof crawl.sweep) => sliceAdder({ queues, findCrawler })(await sweep());
  await tend(crawl.sweep);
  for (const id of [18, 19, 20, 21]) {
    const more = await addCrawler(crawl, { id, engineId: id, customerId: 1 }, settings);
    await tend(more.sweep);
  }
  const other = await addCrawler(crawl, { id: 30, engineId: 30, customerId: 2 }, settings);
  await tend(other.sweep);
  // What is there already is not added again, and makes nobody's next slice later.
  await tend(other.sweep);

  const worked: number[] = [];
  stack.use(
    startWorker({ connection, queue: 'crawl', concurrency: 1, log: silentLog }, slicePayload, async ({ crawlerId }) => {
      worked.push(crawlerId);
    }),
  );

  await eventually(() => worked.length === 6);
  expect(worked.indexOf(30)).toBe(1);
});
