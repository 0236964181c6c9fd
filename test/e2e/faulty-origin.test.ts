import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openCrawl } from '../helpers/crawl.ts';
import {
  type Behaviour,
  dropped,
  halfBody,
  type Page,
  type Route,
  sendPage,
  stalled,
  startSiteServer,
  wrongLength,
} from '../helpers/site-server.ts';
import { html, ownText } from '../helpers/trap-site.ts';

/** `FAULTY_PAGES=5000` for the long form. */
const PAGES = Number(process.env['FAULTY_PAGES'] ?? 200);
/** 1 of so many answers is a fault. */
const FAULTS_IN = 10;
const LINKS = 12;

const failing = (status: number, headers: Record<string, string> = {}): Behaviour => {
  const answer: Page = { status, headers, body: 'fault' };
  return (_request, response) => sendPage(response, answer);
};
const FAULTS: readonly Behaviour[] = [
  failing(500),
  failing(503, { 'retry-after': '1' }),
  dropped,
  halfBody,
  stalled,
  wrongLength,
];

/** The same visit of the same page always fails in the same way. */
function faultOf(at: number, visit: number): Behaviour | undefined {
  const drawn = createHash('sha256').update(`${at}/${visit}`).digest().readUInt32BE(0);
  return drawn % FAULTS_IN === 0 ? FAULTS[Math.floor(drawn / FAULTS_IN) % FAULTS.length] : undefined;
}

function sometimesFailing(at: number): Route {
  const targets = Array.from({ length: LINKS }, (_, place) => at * 3 + place + 1).filter((target) => target < PAGES);
  const good = html(`Page ${at}`, ownText(at), [
    `/page/${(at + 1) % PAGES}`,
    ...targets.map((target) => `/page/${target}`),
  ]);
  return (request, response, visit) => {
    const fault = faultOf(at, visit);
    if (fault === undefined) sendPage(response, good);
    else fault(request, response, visit);
  };
}

test(`an origin that fails one answer in ${FAULTS_IN} is crawled whole, each page once`, async () => {
  const pages = Array.from({ length: PAGES }, (_, at) => [`/page/${at}`, sometimesFailing(at)] as const);
  await using site = await startSiteServer(Object.fromEntries(pages));
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/page/0`],
    schedule: { full: 'manual', incremental: 'manual' },
    limits: { depth: 1_000 },
    // The default rate of 20 starts a second alone would take 5,000 pages five minutes.
    politeness: { pace: 'fixed', delayMs: 0, slots: 8, ratePerSecond: 1_000 },
    timeouts: { firstByteMs: 300, pageMs: 300 },
  });

  const isDone = async () => (await crawl.store.listRuns(crawl.crawlerId, 1))[0]?.state === 'finished';
  while (!(await isDone())) {
    await crawl.crawl();
    crawl.clock.skip(60_000);
  }

  expect(await crawl.documents()).toHaveLength(PAGES);
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(run).toMatchObject({ added: PAGES });
  expect(site.requests.length).toBeLessThanOrEqual(PAGES * 1.5);
});
