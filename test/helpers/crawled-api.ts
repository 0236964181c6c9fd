import type { RecordedVisit } from '../../src/storage/engine/visits.ts';
import { startAdminApi } from './admin-api.ts';
import { facts, visited } from './frontier.ts';

export const SITE = 'https://a.test';

/** The admin API with crawler 17 of `https://a.test/`, whose first run is under way; visits are made by the test. */
export async function startCrawledApi() {
  const api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: [`${SITE}/`] });
  await api.post('/crawlers/17/activate');
  const store = await api.deps.engineStores.of(6);
  const [run] = await store.listRuns(17, 1);
  if (run === undefined) throw new Error('No run');
  const startedAt = Date.now();
  await store.startRun(run.id, startedAt);
  const { activation } = run;
  const add = (urls: readonly string[]) =>
    store.addUrls({
      crawlerId: 17,
      activation,
      runId: run.id,
      now: startedAt,
      urls: urls.map((url) => ({ url, origin: 'link', depth: 1, priority: 2, flags: 2, enqueue: 'if-new' })),
    });
  /** Visits everything that waits, as `result` says. */
  const visit = async (result: (url: string) => Partial<RecordedVisit>) => {
    const lane = await store.takeLane({ crawlerId: 17, stage: 'page', lane: 1, holder: 'test' });
    if (lane === undefined) throw new Error('The lane is busy');
    const hosts = await store.hostsWithWork({
      crawlerId: 17,
      activation,
      stage: 'page',
      maxPriority: 3,
      after: 0,
      limit: 100,
      now: Date.now(),
    });
    const due = await store.takeDue({
      lane,
      crawlerId: 17,
      activation,
      stage: 'page',
      now: Date.now(),
      maxPriority: 3,
      hosts: hosts.map(({ hostId }) => ({ hostId, limit: 10_000 })),
    });
    const visits = due.map((row) => visited(row, result(row.url)));
    await store.recordVisits({ lane, crawlerId: 17, activation, now: Date.now(), visits });
    await store.freeLane(lane);
  };
  return { ...api, store, runId: run.id, add, visit, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

/** A visit that ended with a status, as a missing page does. */
export function missing(status = 404): Partial<RecordedVisit> {
  return {
    record: facts({ state: 'gone', reason: 'not-found', httpStatus: status }),
    log: { outcome: 'skipped', reason: 'not-found', httpStatus: status, bytes: 0, millis: 3, detail: undefined },
  };
}
