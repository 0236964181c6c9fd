import { sql } from 'kysely';
import { FRONTIER_FLAGS, type Outcome, STAGES, URL_ORIGINS, URL_STATES } from '../../core/crawl-words.ts';
import { execute, fetchAll, fetchFirst, mapSeries, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { hasRemovedLately, type RemovalTarget, releaseHeld, removeOrHold, wasRemovedLately } from './apply-removals.ts';
import { recordChange } from './change-history.ts';
import { CrawlCounts, type RunCounter } from './crawl-counts.ts';
import { putDocuments } from './document-writes.ts';
import { returnLeases } from './due-rows.ts';
import { duplicateStatements, supersede } from './duplicates.ts';
import { addRowAgain, addUrl, type NewUrl, type Placement } from './frontier.ts';
import { addTrust, type ShownByVisit } from './host-trust.ts';
import { addAnswers } from './hosts.ts';
import { beatLane } from './lanes.ts';
import { countLinkTexts, noteLinkTarget } from './link-texts.ts';
import { linkedIds, packIds, putUnfollowedLink } from './outlinks.ts';
import { addStatistics, type CountedPattern } from './patterns.ts';
import { recordRendering } from './render-observations.ts';
import { runStatements } from './run-states.ts';
import { countWaitingSitemaps, putSitemaps, putSitemapsAgain } from './sitemaps.ts';
import { putTemplates } from './templates.ts';
import { type ChangeHistory, changeUrl, touchUrl, urlStatements } from './url-records.ts';
import { logVisit } from './visit-log.ts';
import type { HostAnswer, RecordedVisit, RecordReceipt, RecordVisits, VisitLog } from './visits.ts';

const ABSENT_STATES = (['gone', 'skipped'] as const).map((state) => sql.lit(URL_STATES.indexOf(state)));

export const visitStatements = {
  end: statement<{ urlId: number; laneId: number; fence: number }, { run_id: number; flags: number }>((p) =>
    engineSql
      .deleteFrom('frontier')
      .where('url_id', '=', p.urlId)
      .where('lane_id', '=', p.laneId)
      .where('fence', '=', p.fence)
      .returning(['run_id', 'flags']),
  ),
  putOff: statement<
    { urlId: number; laneId: number; fence: number; dueAt: number; priority: number; attempts: number },
    { run_id: number; flags: number }
  >((p) =>
    engineSql
      .updateTable('frontier')
      .set({ lane_id: null, fence: null, due_at: p.dueAt, priority: p.priority, attempts: p.attempts })
      .where('url_id', '=', p.urlId)
      .where('lane_id', '=', p.laneId)
      .where('fence', '=', p.fence)
      .returning(['run_id', 'flags']),
  ),
  moveOn: statement<{ urlId: number; stage: number; detail: string | null }>((p) =>
    engineSql.updateTable('frontier').set({ stage: p.stage, detail: p.detail }).where('url_id', '=', p.urlId),
  ),
  listedTime: statement<{ urlId: number }, { sitemap_lastmod: number | null }>((p) =>
    engineSql.selectFrom('urls').select('sitemap_lastmod').where('id', '=', p.urlId),
  ),
  /** A page that is not there, unless the run has visited it. */
  absentPage: statement<{ id: number; runId: number }, { url: string; depth: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .innerJoin('runs', (join) => join.on('runs.id', '=', p.runId))
      .select(['urls.url', 'urls.depth'])
      .where('urls.id', '=', p.id)
      .where('urls.state', 'in', ABSENT_STATES)
      .whereRef('urls.visited_at', '<', 'runs.started_at'),
  ),
  putLinks: statement<{ urlId: number; targets: Uint8Array; texts: Uint8Array }>((p) =>
    engineSql
      .insertInto('outlinks')
      .values({ url_id: p.urlId, targets: p.targets, texts: p.texts })
      .onConflict((conflict) => conflict.column('url_id').doUpdateSet({ targets: p.targets, texts: p.texts })),
  ),
};

/** The counter of a run that an outcome adds to, besides `visited`. */
const COUNTER_OF: Readonly<Record<Outcome, RunCounter | undefined>> = {
  added: 'added',
  changed: 'changed',
  unchanged: 'unchanged',
  'not-modified': 'not_modified',
  aliased: 'skipped',
  skipped: 'skipped',
  suspected: 'suspected',
  removed: 'removed',
  failed: 'failed',
  deferred: 'failed',
  discarded: undefined,
  absent: undefined,
};

/** Write operation: one savepoint for up to 16 visits. Nothing when the lane has changed hands. */
export function* recordVisits(input: RecordVisits): Operation<RecordReceipt> {
  const { lane, visits } = input;
  if (!(yield* beatLane(lane))) {
    return {
      lost: true,
      applied: visits.map(() => false),
      freshIds: visits.map(() => []),
      failures: new Map(),
      patterns: [],
    };
  }
  const batch: Batch = {
    input,
    counts: new CrawlCounts(),
    patterns: new Map(),
    answers: new Map<number, HostAnswer[]>(),
    shown: new Map<number, ShownByVisit[]>(),
  };
  const freshIds: (number | undefined)[][] = [];
  const applied = yield* mapSeries(visits, (visit) => {
    const ids: (number | undefined)[] = [];
    freshIds.push(ids);
    return recordVisit(batch, visit, ids);
  });
  const failures = new Map<number, number>();
  for (const [hostId, answers] of batch.answers) failures.set(hostId, yield* addAnswers(hostId, answers));
  for (const [hostId, shown] of batch.shown) yield* addTrust(hostId, shown);
  yield* batch.counts.store();
  return { lost: false, applied, freshIds, failures, patterns: [...batch.patterns.values()] };
}

type Batch = {
  readonly input: RecordVisits;
  readonly counts: CrawlCounts;
  readonly answers: Map<number, HostAnswer[]>;
  readonly patterns: Map<number, CountedPattern>;
  readonly shown: Map<number, ShownByVisit[]>;
};

function* recordVisit(batch: Batch, decided: RecordedVisit, freshIds: (number | undefined)[]): Operation<boolean> {
  const { input, counts } = batch;
  if (yield* isAnnounced(decided)) {
    yield* returnLeases(input.lane, [{ urlId: decided.urlId, dueAt: input.now }]);
    return false;
  }
  const row = yield* endLease(batch, decided);
  if (row === undefined) return false;
  const { crawlerId, activation, now } = input;
  const visit = yield* withRemoval({ crawlerId, urlId: decided.urlId, runId: row.run_id, now }, decided);
  const placement: Placement = { crawlerId, activation, now, runId: row.run_id, foundOn: visit.urlId };
  const changeHistory = yield* changeRecord(placement, { visit, counts });
  const log = yield* withDocument(batch, visit);
  yield* changePatterns(batch, { placement, visit });
  if (visit.answer !== undefined) gather(batch.answers, visit.hostId, visit.answer);
  yield* recordObservations(batch, visit, row.run_id);
  const foundBefore = counts.of(row.run_id, 'found');
  if (visit.links !== undefined) yield* addLinks({ placement, visit, counts, freshIds });
  const isRead = visit.answer === 'good' && visit.next === 'done' && (row.flags & FRONTIER_FLAGS.follow) !== 0;
  if (isRead && changeHistory !== undefined) {
    yield* recordChange(changeHistory, counts.of(row.run_id, 'found') > foundBefore);
  }
  if (visit.lists === 'again') yield* putSitemapsAgain(placement, visit.urlId, counts);
  else if (visit.lists !== undefined) yield* putSitemaps(placement, visit.lists, counts);
  if (log !== undefined) yield* countVisit(batch, { visit, log, runId: row.run_id });
  const isDone = visit.next === 'done';
  if (isDone && (row.flags & FRONTIER_FLAGS.again) !== 0) {
    yield* addRowAgain(placement, { id: visit.urlId, hostId: visit.hostId }, counts);
  }
  return true;
}

/** The page was left out, and its sitemap was read after that was decided. */
function* isAnnounced({ urlId, unasked }: RecordedVisit): Operation<boolean> {
  if (unasked === undefined) return false;
  return (
    (yield* fetchFirst(visitStatements.listedTime, { urlId }))?.sitemap_lastmod !== (unasked.sitemapLastmod ?? null)
  );
}

/** What the record tells of its visits, when it was read anew. */
function* changeRecord(
  placement: Placement,
  { visit, counts }: { readonly visit: RecordedVisit; readonly counts: CrawlCounts },
): Operation<ChangeHistory | undefined> {
  const { urlId: id, record: facts, unasked, target } = visit;
  const targetId = target === undefined ? undefined : yield* addUrl(placement, target, counts);
  if (targetId !== undefined) yield* noteLinkTarget({ ...placement, urlId: id });
  if (facts === undefined) return undefined;
  if (unasked === undefined) return yield* changeUrl({ id, facts, targetId, now: placement.now });
  yield* touchUrl(id, facts);
  return undefined;
}

/** What the visit says about other URLs: copies of the page, what points to it, the pattern of its URL. */
function* changePatterns(
  batch: Batch,
  { placement, visit }: { readonly placement: Placement; readonly visit: RecordedVisit },
): Operation<void> {
  const { urlId, supersedes, wakes, statistics } = visit;
  if (supersedes !== undefined) yield* supersede(supersedes, { ...placement, keeperId: urlId });
  if (wakes !== undefined) yield* wake(batch, { placement, ...wakes });
  if (statistics === undefined) return;
  for (const pattern of yield* addStatistics(statistics.patternId, statistics)) batch.patterns.set(pattern.id, pattern);
}

/** What pointed to the URL is looked at again, in the run of this visit. */
function* wake(
  { counts }: Batch,
  of: { readonly placement: Placement; readonly urlId: number; readonly which: 'duplicates' | 'all' },
): Operation<void> {
  const declaring = yield* fetchAll(
    of.which === 'duplicates' ? duplicateStatements.duplicatesOf : duplicateStatements.allOf,
    {
      urlId: of.urlId,
    },
  );
  for (const { url, depth } of declaring) {
    const again: NewUrl = { url, depth, origin: 'link', priority: 1, flags: FRONTIER_FLAGS.follow, enqueue: 'always' };
    yield* addUrl(of.placement, again, counts);
  }
}

function* endLease(
  { input, counts }: Batch,
  visit: RecordedVisit,
): Operation<{ run_id: number; flags: number } | undefined> {
  const lease = { urlId: visit.urlId, ...input.lane };
  if (visit.next === 'done') {
    const ended = yield* fetchFirst(visitStatements.end, lease);
    if (ended !== undefined) {
      counts.add(ended.run_id, 'open', -1);
      if (!isSitemap(visit)) counts.add(ended.run_id, 'visited', 1);
    }
    return ended;
  }
  const { to, ...later } = visit.next;
  const row = yield* fetchFirst(visitStatements.putOff, { ...lease, ...later });
  if (row === undefined) return undefined;
  counts.addWaiting(visit.hostId, 1);
  if (to !== undefined) {
    yield* execute(visitStatements.moveOn, {
      urlId: visit.urlId,
      stage: STAGES.indexOf(to.stage),
      detail: to.detail ?? null,
    });
  }
  return row;
}

/** The visit as it is recorded: another one when its document stays after all. */
function* withRemoval(position: RemovalTarget, visit: RecordedVisit): Operation<RecordedVisit> {
  const { document, log, released } = visit;
  if (released !== undefined) yield* releaseHeld({ crawlerId: position.crawlerId, id: released });
  if (document === undefined || 'put' in document) return visit;
  const outcome = yield* removeOrHold(position, document);
  if (outcome === 'held') return { ...visit, ...document.guard?.instead };
  return outcome === 'removed' || log === undefined ? visit : { ...visit, log: { ...log, outcome: 'skipped' } };
}

/** What the document store says decides between added, changed and unchanged. */
function* withDocument({ input }: Batch, visit: RecordedVisit): Operation<VisitLog | undefined> {
  const { document, log } = visit;
  const { crawlerId, now } = input;
  if (document === undefined || 'remove' in document) return log;
  const { rows } = yield* putDocuments(crawlerId, [document.put], now);
  const { urlId, hostId, templates } = visit;
  if (rows[0] === 'created') yield* noteLinkTarget({ crawlerId, urlId, now });
  yield* putTemplates({ urlId, hostId, crawlerId, now }, templates);
  return log === undefined ? undefined : { ...log, ...PUT_OUTCOMES[rows[0] ?? 'same'] };
}

const PUT_OUTCOMES = {
  created: { outcome: 'added', reason: 'new' },
  replaced: { outcome: 'changed', reason: 'content-changed' },
  same: { outcome: 'unchanged', reason: 'same-content' },
} as const;

function isSitemap({ record }: RecordedVisit): boolean {
  return record?.kind === 'sitemap' || record?.kind === 'feed';
}

/** What the visit says of its host's sitemap and of its pattern. */
function* recordObservations(batch: Batch, visit: RecordedVisit, runId: number): Operation<void> {
  const { trust, rendering, isRendered, hostId } = visit;
  if (isRendered) batch.counts.add(runId, 'rendered', 1);
  const { crawlerId, activation, now } = batch.input;
  if (trust !== undefined) yield* recordTrust(batch, { observation: trust, runId, now }, hostId);
  if (rendering !== undefined) yield* recordRendering({ ...rendering, hostId, crawlerId, activation, now });
}

/** A change without a word of the sitemap: the plan goes on with the pages that were left out on its word. */
function* recordTrust({ shown }: Batch, visit: ShownByVisit, hostId: number): Operation<void> {
  const known = shown.get(hostId);
  if (known === undefined) shown.set(hostId, [visit]);
  else known.push(visit);
  if (visit.observation.silent) yield* execute(runStatements.reopenPlan, { id: visit.runId });
}

function gather(answers: Map<number, HostAnswer[]>, hostId: number, answer: HostAnswer): void {
  const known = answers.get(hostId);
  if (known === undefined) answers.set(hostId, [answer]);
  else known.push(answer);
}

function* addLinks(input: {
  readonly placement: Placement;
  readonly visit: RecordedVisit;
  readonly counts: CrawlCounts;
  readonly freshIds: (number | undefined)[];
}): Operation<void> {
  const { placement, visit, counts, freshIds } = input;
  const { known = [], fresh = [], left = [], names = [], pageLimit = 0 } = visit.links ?? {};
  const held = fresh.length === 0 ? 0 : yield* pagesHeld({ placement, counts, coming: fresh.length, pageLimit });
  for (const link of fresh) {
    const hasRoom = held + counts.rowsAdded(placement.runId) < pageLimit;
    freshIds.push(hasRoom ? yield* addUrl(placement, link, counts) : undefined);
    if (!hasRoom) yield* putUnfollowedLink(placement, { url: link.url, reason: 'page-limit', depth: link.depth });
  }
  for (const link of left) yield* putUnfollowedLink(placement, link);
  const places = [...known, ...freshIds];
  const ids = places.filter((id) => id !== undefined);
  const named = names.flatMap(({ link, text }) => {
    const targetId = places[link];
    return targetId === undefined ? [] : [{ targetId, text }];
  });
  const page = { crawlerId: placement.crawlerId, urlId: visit.urlId, now: placement.now };
  const texts = yield* countLinkTexts(page, named);
  if (ids.length === 0) return;
  if (yield* hasRemovedLately(placement.crawlerId))
    yield* addRemovedAgain({ placement, counts, urlId: visit.urlId, ids });
  yield* execute(visitStatements.putLinks, { urlId: visit.urlId, targets: packIds(ids), texts });
}

/** Pages whose documents left lately and that the visited page links to anew: they may be back. Once a run. */
function* addRemovedAgain(of: {
  readonly placement: Placement;
  readonly counts: CrawlCounts;
  readonly urlId: number;
  readonly ids: readonly number[];
}): Operation<void> {
  const { placement, counts, urlId, ids } = of;
  const before = yield* linkedIds(urlId);
  for (const id of ids) {
    const page = before.has(id)
      ? undefined
      : yield* fetchFirst(visitStatements.absentPage, { id, runId: placement.runId });
    if (page === undefined || !(yield* wasRemovedLately({ crawlerId: placement.crawlerId, id: page.url }))) continue;
    yield* execute(urlStatements.setOrigin, { id, origin: URL_ORIGINS.indexOf('link'), foundOn: urlId });
    const again = { ...page, origin: 'link', priority: 1, flags: FRONTIER_FLAGS.follow, enqueue: 'always' } as const;
    yield* addUrl(placement, again, counts);
  }
}

/** Pages of the run without those that this write has added; infinite when it takes no links any more. */
function* pagesHeld(input: {
  readonly placement: Placement;
  readonly counts: CrawlCounts;
  readonly coming: number;
  readonly pageLimit: number;
}): Operation<number> {
  const { placement, counts, coming, pageLimit } = input;
  const { crawlerId, runId } = placement;
  const run = yield* fetchFirst(runStatements.size, { id: runId });
  if (run?.state !== 'running' && run?.state !== 'paused') return Number.POSITIVE_INFINITY;
  const held = run.open + run.visited;
  const isAlmostAtLimit = held + counts.rowsAdded(runId) + coming > pageLimit;
  // Rows of sitemaps are no pages.
  return isAlmostAtLimit ? held - (yield* countWaitingSitemaps(crawlerId, runId)) : held;
}

function* countVisit(
  { input, counts }: Batch,
  row: { readonly visit: RecordedVisit; readonly log: VisitLog; readonly runId: number },
): Operation<void> {
  const { visit, log, runId } = row;
  yield* logVisit({ crawlerId: input.crawlerId, urlId: visit.urlId, runId, at: input.now, log });
  const counter = COUNTER_OF[log.outcome];
  if (visit.next === 'done' && counter !== undefined && !isSitemap(visit)) counts.add(runId, counter, 1);
  if (visit.record?.kind === 'file') counts.add(runId, 'files', 1);
  if (log.reason === 'removal-held') counts.add(runId, 'removals_held', 1);
  counts.add(runId, 'bytes', log.bytes);
}
