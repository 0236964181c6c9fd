import type { NewUrl } from '../../../src/storage/engine/frontier.ts';
import type { RecordedVisit } from '../../../src/storage/engine/visits.ts';
import type { EngineStore } from '../../../src/storage/engine-store.ts';

const CRAWLER = 17;
const ACTIVATION = 1;
const SITE = 'https://site.example';
const FRESH_LINKS = 5;
const TEXT = 'Solar panels turn sunlight into power. '.repeat(100);

/** Of one page. */
export type PageCost = { readonly ms: number; readonly clientCpuMs: number; readonly roundTrips: number };

/** Takes pages that are due and records them as a crawl does: document, five new links, log row, counters. */
export async function recordPages(
  store: EngineStore,
  input: { readonly pages: number; readonly atOnce: number; readonly roundTrips: () => number },
): Promise<PageCost> {
  const { pages, atOnce, roundTrips } = input;
  const position = { crawlerId: CRAWLER, activation: ACTIVATION };
  const run = { ...position, kind: 'full', startedBy: 'bench', configVersion: 1, at: 0, whenBusy: 'skip' } as const;
  const runId = (await store.createRun(run)) ?? 0;
  await store.startRun(runId, 0);
  await store.addUrls({ ...position, runId, now: 0, urls: Array.from({ length: pages }, (_, at) => link(`/${at}`)) });
  const lane = await store.takeLane({ crawlerId: CRAWLER, stage: 'page', lane: 1, holder: 'bench' });
  const host = await store.ensureHost(CRAWLER, SITE);
  if (lane === undefined) throw new Error('The lane is busy');
  const hosts = [{ hostId: host.id, limit: atOnce }];
  const waysBefore = roundTrips();
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  for (let done = 0; done < pages; done += atOnce) {
    const rows = await store.takeDue({ lane, ...position, stage: 'page', now: 1_000, maxPriority: 3, hosts });
    const visits = rows.map(({ urlId }) => visitOf(urlId, host.id));
    await store.recordVisits({ lane, ...position, now: 2_000, visits });
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms: (performance.now() - startedMs) / pages,
    clientCpuMs: (user + system) / 1_000 / pages,
    roundTrips: (roundTrips() - waysBefore) / pages,
  };
}

function link(path: string): NewUrl {
  return { url: `${SITE}${path}`, origin: 'link', depth: 1, priority: 2, flags: 0, enqueue: 'if-new' };
}

function visitOf(urlId: number, hostId: number): RecordedVisit {
  const id = `${SITE}/document/${urlId}`;
  const fields = new Map([
    ['Title', [`Page ${urlId}`]],
    ['Content', [TEXT]],
  ]);
  const fresh = Array.from({ length: FRESH_LINKS }, (_, at) => link(`/of/${urlId}/${at}`));
  return {
    urlId,
    hostId,
    next: 'done',
    log: { outcome: 'added', reason: 'new', httpStatus: 200, bytes: 10_000, millis: 50, detail: undefined },
    answer: 'good',
    record: {
      ...({ kind: 'page', state: 'live', reason: 'new', httpStatus: 200 } as const),
      ...{ etag: undefined, lastModified: undefined, extractVersion: 1, bodyHash: '1', contentHash: String(urlId) },
      ...{ similarity: String(urlId), contentChars: TEXT.length, changedAt: 2_000, intervalMs: 86_400_000 },
      ...{ nextAt: 90_000_000, misses: 0, missedAt: undefined, asksPassword: false, hasEndTag: true },
      isUnconfirmed: false,
    },
    target: undefined,
    document: { put: { id, kind: 'PageContent', origin: 'crawled', language: 'en', fields } },
    links: { known: [], fresh, pageLimit: 1_000_000 },
  };
}
