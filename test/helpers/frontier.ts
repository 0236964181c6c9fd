import { FRONTIER_FLAGS } from '../../src/core/crawl-words.ts';
import type { DueRow } from '../../src/storage/engine/due-rows.ts';
import type { NewUrl } from '../../src/storage/engine/frontier.ts';
import type { LeasedLane } from '../../src/storage/engine/lanes.ts';
import type { UrlFacts } from '../../src/storage/engine/urls.ts';
import type { DocumentRemoval, RecordedVisit } from '../../src/storage/engine/visits.ts';
import { temporaryEngineStores } from './engine-stores.ts';
import { storeAdapter } from './store-adapter.ts';

export const CRAWLER = 17;
export const ENGINE = 6;
export const ACTIVATION = 1;
const SITE = 'https://site.example';

/** A real engine store with one running full run of crawler 17. Times are small numbers: the test sets the clock. */
export async function openFrontier() {
  const engines = await temporaryEngineStores();
  const store = await engines.stores.of(ENGINE);
  const runId = await store.createRun({
    crawlerId: CRAWLER,
    activation: ACTIVATION,
    kind: 'full',
    startedBy: 'test',
    configVersion: 1,
    at: 0,
    whenBusy: 'skip',
  });
  if (runId === undefined) throw new Error('No run was made');
  await store.startRun(runId, 0);
  const add = (paths: readonly string[], more: Partial<NewUrl> = {}, now = 0) =>
    store.addUrls({ crawlerId: CRAWLER, activation: ACTIVATION, runId, now, urls: paths.map((at) => link(at, more)) });
  const lane = async (holder = 'crawl-1', number = 1): Promise<LeasedLane> => {
    const held = await store.takeLane({ crawlerId: CRAWLER, stage: 'page', lane: number, holder });
    if (held === undefined) throw new Error('The lane is busy');
    return held;
  };
  const take = async (
    held: LeasedLane,
    limit = 10,
    now = 1_000,
    activation = ACTIVATION,
  ): Promise<readonly DueRow[]> => {
    const host = await store.ensureHost(CRAWLER, SITE);
    return store.takeDue({
      lane: held,
      crawlerId: CRAWLER,
      activation,
      stage: 'page',
      now,
      maxPriority: 3,
      hosts: [{ hostId: host.id, limit }],
    });
  };
  const record = (held: LeasedLane, visits: readonly RecordedVisit[], now = 2_000) =>
    store.recordVisits({ lane: held, crawlerId: CRAWLER, activation: ACTIVATION, now, visits });
  return {
    store,
    runId,
    add,
    lane,
    take,
    record,
    counters: () => countersOf(engines.dataDir),
    [Symbol.asyncDispose]: () => engines[Symbol.asyncDispose](),
  };
}

export const urlOf = (path: string) => `${SITE}${path}`;

export const link = (path: string, more: Partial<NewUrl> = {}): NewUrl => ({
  url: urlOf(path),
  origin: 'link',
  depth: 1,
  priority: 2,
  flags: FRONTIER_FLAGS.follow,
  enqueue: 'if-new',
  ...more,
});

export const facts = (more: Partial<UrlFacts> = {}): UrlFacts => ({
  kind: 'page',
  state: 'live',
  reason: 'new',
  httpStatus: 200,
  etag: undefined,
  lastModified: undefined,
  extractVersion: undefined,
  bodyHash: undefined,
  contentHash: undefined,
  similarity: undefined,
  contentChars: undefined,
  changedAt: undefined,
  intervalMs: undefined,
  nextAt: undefined,
  misses: 0,
  missedAt: undefined,
  asksPassword: false,
  hasEndTag: false,
  isUnconfirmed: false,
  ...more,
});

/** A visit that read the page and ends its row. */
export const visited = (row: DueRow, more: Partial<RecordedVisit> = {}): RecordedVisit => ({
  urlId: row.urlId,
  hostId: row.hostId,
  next: 'done',
  log: { outcome: 'unchanged', reason: 'same-content', httpStatus: 200, bytes: 10, millis: 5, detail: undefined },
  answer: 'good',
  record: facts(),
  target: undefined,
  document: undefined,
  links: undefined,
  ...more,
});

export const pageDocument = (id: string, title = 'Title') => ({
  id,
  kind: 'PageContent' as const,
  origin: 'crawled' as const,
  language: 'en',
  fields: new Map([['Title', [title]]]),
});

/** A document that leaves for good reason, without a guard. */
export const removal = (id: string, more: Partial<DocumentRemoval> = {}): DocumentRemoval => ({
  remove: id,
  class: 'hard',
  cause: 'not-found',
  firstAt: 1_000,
  approved: false,
  guard: undefined,
  ...more,
});

/** Stored counters beside the rows that they count. */
async function countersOf(dataDir: string) {
  const number = async (text: string) => {
    const [row] = await storeAdapter.query(dataDir, { kind: 'engine', engineId: ENGINE }, text);
    return Number(row?.['n']);
  };
  return {
    waiting: await number('SELECT coalesce(sum(waiting), 0) AS n FROM hosts'),
    waitingRows: await number('SELECT count(*) AS n FROM frontier WHERE lane_id IS NULL'),
    open: await number("SELECT coalesce(sum(open), 0) AS n FROM runs WHERE state <> 'stopped'"),
    rows: await number('SELECT count(*) AS n FROM frontier'),
  };
}
