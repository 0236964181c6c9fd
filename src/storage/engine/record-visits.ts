import { FRONTIER_FLAGS, type Outcome } from '../../core/crawl-words.ts';
import type { NewDocument } from '../../core/document.ts';
import { all, fetchAll, mapSeries, mapTogether, type Operation, submit } from '../sql/operation.ts';
import { addUrl, type Placement } from './add-urls.ts';
import { type RemovalTarget, releaseHeld, removeOrHold } from './apply-removals.ts';
import { recordChange } from './change-history.ts';
import { CrawlCounts, type RunCounter } from './crawl-counts.ts';
import { duplicateStatements, supersede } from './duplicates.ts';
import { isSitemap, takeLease } from './end-leases.ts';
import { addRowAgain, type NewUrl } from './frontier.ts';
import { addTrust, type ShownByVisit } from './host-trust.ts';
import { addAnswers } from './hosts.ts';
import { beatLane } from './lanes.ts';
import { noteLinkTarget } from './link-texts.ts';
import { addStatistics, type CountedPattern } from './patterns.ts';
import { applyPuts, type PreparedPuts, preparePuts } from './put-documents.ts';
import { type AddedLinks, addLinks, type LinkLookUps, lookUpLinks } from './record-links.ts';
import { recordRendering } from './render-observations.ts';
import { runStatements } from './run-states.ts';
import { putSitemaps, putSitemapsAgain } from './sitemaps.ts';
import { putTemplates } from './templates.ts';
import { type ChangeHistory, changeUrl, touchUrl } from './url-records.ts';
import { logVisit } from './visit-log.ts';
import type { HostAnswer, RecordedVisit, RecordReceipt, RecordVisits, VisitLog } from './visits.ts';

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
export function* recordVisits({ visits, ...of }: RecordVisits): Operation<RecordReceipt> {
  const input = { ...of, visits: yield* withoutIdleWakes(visits) };
  const batch: Batch = {
    input,
    counts: new CrawlCounts(),
    applied: input.visits.map(() => false),
    freshIds: input.visits.map(() => []),
    failures: new Map(),
    patterns: new Map(),
    shown: new Map(),
  };
  const [first = [], ...later] = groupsOf(input.visits);
  const [isHeld, opened] = yield* all([beatLane(input.lane), openGroup(batch, first)]);
  if (isHeld) {
    yield* recordGroup(batch, opened);
    for (const group of later) yield* recordGroup(batch, yield* openGroup(batch, group));
    yield* mapTogether(batch.shown, ([hostId, shown]) => addTrust(hostId, shown));
    yield* batch.counts.store();
  }
  const { applied, freshIds, failures, patterns } = batch;
  return { lost: !isHeld, applied, freshIds, failures, patterns: [...patterns.values()] };
}

type Batch = {
  readonly input: RecordVisits;
  readonly counts: CrawlCounts;
  /** By place in the request, as in the receipt. */
  readonly applied: boolean[];
  readonly freshIds: (number | undefined)[][];
  readonly failures: Map<number, number>;
  readonly patterns: Map<number, CountedPattern>;
  readonly shown: Map<number, ShownByVisit[]>;
};

/** A visit and its place in the request. */
type Placed = { readonly place: number; readonly visit: RecordedVisit };

/**
 * What a page that is not there, or says something else, would wake is nothing most of the time: such a visit is recorded
 * with the others, unless one of these may be what it wakes.
 */
function* withoutIdleWakes(visits: readonly RecordedVisit[]): Operation<readonly RecordedVisit[]> {
  const mayLead = visits.some(({ target, supersedes }) => target !== undefined || supersedes !== undefined);
  const waking = mayLead
    ? []
    : visits.flatMap((visit) => (visit.wakes === undefined ? [] : [{ visit, wakes: visit.wakes }]));
  const declaring = yield* mapTogether(waking, ({ wakes }) => declaringOf(wakes));
  const idle = new Set(waking.flatMap(({ visit }, at) => (declaring[at]?.length === 0 ? [visit] : [])));
  return idle.size === 0 ? visits : visits.map((visit) => (idle.has(visit) ? { ...visit, wakes: undefined } : visit));
}

/** Visits that change nothing but their own page and what it links to are recorded together, others alone, in order. */
function groupsOf(visits: readonly RecordedVisit[]): readonly (readonly Placed[])[] {
  const groups: Placed[][] = [];
  let open: Placed[] | undefined;
  for (const [place, visit] of visits.entries()) {
    const isAlone = changesOthers(visit);
    const group: Placed[] = isAlone ? [] : (open ?? []);
    if (group.length === 0) groups.push(group);
    group.push({ place, visit });
    open = isAlone ? undefined : group;
  }
  return groups;
}

/** Documents leave, or other URL records change with this one. */
function changesOthers({ document, released, target, supersedes, wakes }: RecordedVisit): boolean {
  const removes = document !== undefined && 'remove' in document;
  return removes || [released, target, supersedes, wakes].some((other) => other !== undefined);
}

/** A visit whose lease has ended with this write. */
type LeasedVisit = Placed & { readonly placement: Placement; readonly flags: number };

type OpenedGroup = { readonly visits: readonly LeasedVisit[]; readonly lookUps: LookUps | undefined };

/** What is read before anything of a group is written. */
type LookUps = { readonly puts: PreparedPuts; readonly links: LinkLookUps };

/** Ends the leases of a group, and looks up what its visits meet: of one that changes others later, after those changes. */
function* openGroup(batch: Batch, group: readonly Placed[]): Operation<OpenedGroup> {
  const visits = group.map(({ visit }) => visit);
  const [lookUps, leases] = yield* all([
    unless(visits.some(changesOthers), lookUp(batch, visits, undefined)),
    mapTogether(visits, (visit) => takeLease(batch, visit)),
  ]);
  const { crawlerId, activation, now } = batch.input;
  const leased = group.flatMap(({ place, visit }, at): LeasedVisit[] => {
    const lease = leases[at];
    if (lease === undefined) return [];
    batch.applied[place] = true;
    const placement = { crawlerId, activation, now, runId: lease.run_id, foundOn: visit.urlId };
    return [{ place, visit, placement, flags: lease.flags }];
  });
  return { visits: leased, lookUps };
}

function* unless<Result>(isLeftOut: boolean, operation: Operation<Result>): Operation<Result | undefined> {
  return isLeftOut ? undefined : yield* operation;
}

/** `runIds`: of the visits, once their leases have ended. */
function* lookUp(
  { input, counts }: Batch,
  visits: readonly RecordedVisit[],
  runIds: readonly number[] | undefined,
): Operation<LookUps> {
  const documents = visits.flatMap(({ document }) =>
    document !== undefined && 'put' in document ? [document.put] : [],
  );
  const [puts, links] = yield* all([
    preparePuts(input.crawlerId, documents),
    lookUpLinks({ crawlerId: input.crawlerId, visits, counts, runIds }),
  ]);
  return { puts, links };
}

function* recordGroup(batch: Batch, { visits: leased, lookUps }: OpenedGroup): Operation<void> {
  if (leased.length === 0) return;
  const { counts } = batch;
  const visits = yield* mapSeries(leased, (visit) => settleOthers(batch, visit));
  const { puts, links } =
    lookUps ??
    (yield* lookUp(
      batch,
      visits.map(({ visit }) => visit),
      leased.map(({ placement }) => placement.runId),
    ));
  const isAlone = visits.some(({ visit }) => changesOthers(visit));
  const [histories, logs, early] = yield* all([
    mapTogether(visits, changeRecord),
    putPages(batch, visits, puts),
    unless(isAlone, addLinks({ visits, lookUps: links, counts })),
    mapTogether(visits, ({ visit }) => addVisitStatistics(batch, visit)),
    addAnswersOf(batch, visits),
  ]);
  for (const { visit, placement } of visits) yield* changeDuplicates(batch, { placement, visit });
  const added = early ?? (yield* addLinks({ visits, lookUps: links, counts }));
  for (const [at, visit] of visits.entries()) {
    yield* finishVisit(batch, { ...visit, history: histories[at], log: logs[at], links: added[at] });
  }
}

/** What follows from what was recorded of a visit. */
function* finishVisit(
  batch: Batch,
  finished: SettledVisit & {
    readonly history: ChangeHistory | undefined;
    readonly log: VisitLog | undefined;
    readonly links: AddedLinks | undefined;
  },
): Operation<void> {
  const { visit, placement, flags, place, history, log, links } = finished;
  const { counts } = batch;
  const has = (flag: number) => visit.next === 'done' && (flags & flag) !== 0;
  batch.freshIds[place] = [...(links?.ids ?? [])];
  yield* recordObservations(batch, visit, placement.runId);
  if (visit.answer === 'good' && has(FRONTIER_FLAGS.follow) && history !== undefined) {
    yield* recordChange(history, links?.hasNew === true);
  }
  if (visit.lists === 'again') yield* putSitemapsAgain(placement, visit.urlId, counts);
  else if (visit.lists !== undefined) yield* putSitemaps(placement, visit.lists, counts);
  if (log !== undefined) yield* countVisit(batch, { visit, log, runId: placement.runId });
  if (has(FRONTIER_FLAGS.again)) yield* addRowAgain(placement, { id: visit.urlId, hostId: visit.hostId }, counts);
}

type SettledVisit = LeasedVisit & { readonly targetId: number | undefined };

/** What changes others before the page's own record: its document leaves, the URL that it is an alias of enters. */
function* settleOthers({ counts }: Batch, leased: LeasedVisit): Operation<SettledVisit> {
  const { placement } = leased;
  const { crawlerId, runId, now } = placement;
  const { urlId } = leased.visit;
  const visit = yield* withRemoval({ crawlerId, urlId, runId, now }, leased.visit);
  const targetId = visit.target === undefined ? undefined : yield* addUrl(placement, visit.target, counts);
  if (targetId !== undefined) yield* noteLinkTarget({ crawlerId, urlId, now });
  return { ...leased, visit, targetId };
}

/** What the record tells of its visits, when it was read anew. */
function* changeRecord({ visit, targetId, placement }: SettledVisit): Operation<ChangeHistory | undefined> {
  const { urlId: id, record: facts, unasked } = visit;
  if (facts === undefined) return undefined;
  if (unasked === undefined) return yield* changeUrl({ id, facts, targetId, now: placement.now });
  yield* touchUrl(id, facts);
  return undefined;
}

/** What the visit says of the pattern of its URL. */
function* addVisitStatistics(batch: Batch, { statistics }: RecordedVisit): Operation<void> {
  if (statistics === undefined) return;
  for (const pattern of yield* addStatistics(statistics.patternId, statistics)) batch.patterns.set(pattern.id, pattern);
}

/** What hosts have answered, in order. */
function* addAnswersOf({ failures }: Batch, visits: readonly LeasedVisit[]): Operation<void> {
  const answers = new Map<number, HostAnswer[]>();
  for (const { visit } of visits) if (visit.answer !== undefined) gather(answers, visit.hostId, visit.answer);
  yield* mapTogether(answers, function* ([hostId, ofHost]): Operation<void> {
    failures.set(hostId, yield* addAnswers(hostId, ofHost));
  });
}

/** What the visit says about other URLs: copies of the page, what points to it. */
function* changeDuplicates(
  batch: Batch,
  { placement, visit }: { readonly placement: Placement; readonly visit: RecordedVisit },
): Operation<void> {
  const { urlId, supersedes, wakes } = visit;
  if (supersedes !== undefined) yield* supersede(supersedes, { ...placement, keeperId: urlId });
  if (wakes !== undefined) yield* wake(batch, { placement, ...wakes });
}

/** What pointed to the URL is looked at again, in the run of this visit. */
function* wake(
  { counts }: Batch,
  of: { readonly placement: Placement; readonly urlId: number; readonly which: 'duplicates' | 'all' },
): Operation<void> {
  for (const { url, depth } of yield* declaringOf(of)) {
    const again: NewUrl = { url, depth, origin: 'link', priority: 1, flags: FRONTIER_FLAGS.follow, enqueue: 'always' };
    yield* addUrl(of.placement, again, counts);
  }
}

function declaringOf({ urlId, which }: NonNullable<RecordedVisit['wakes']>) {
  const { duplicatesOf, allOf } = duplicateStatements;
  return fetchAll(which === 'duplicates' ? duplicatesOf : allOf, { urlId });
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
function* putPages(
  { input }: Batch,
  visits: readonly LeasedVisit[],
  prepared: PreparedPuts,
): Operation<readonly (VisitLog | undefined)[]> {
  const { crawlerId, now } = input;
  const put = visits.filter(({ visit: { document } }) => document !== undefined && 'put' in document);
  const documents = new Set(put.map(({ visit: { document } }) => (document as { readonly put: NewDocument }).put));
  const puts = prepared.puts.filter(({ document }) => documents.has(document));
  const { rows } = yield* applyPuts({ ...prepared, puts }, now);
  const outcomes = new Map(put.map(({ place }, at) => [place, rows[at] ?? 'same']));
  yield* putTemplates(
    put.map(({ visit: { urlId, hostId, templates } }) => ({ urlId, hostId, crawlerId, now, templates })),
  );
  for (const { place, visit } of put) {
    if (outcomes.get(place) === 'created') yield* noteLinkTarget({ crawlerId, urlId: visit.urlId, now });
  }
  return visits.map(({ place, visit: { log } }) => {
    const outcome = outcomes.get(place);
    return log === undefined || outcome === undefined ? log : { ...log, ...PUT_OUTCOMES[outcome] };
  });
}

const PUT_OUTCOMES = {
  created: { outcome: 'added', reason: 'new' },
  replaced: { outcome: 'changed', reason: 'content-changed' },
  same: { outcome: 'unchanged', reason: 'same-content' },
} as const;

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
  if (visit.observation.silent) yield* submit(runStatements.reopenPlan, { id: visit.runId });
}

function gather(answers: Map<number, HostAnswer[]>, hostId: number, answer: HostAnswer): void {
  const known = answers.get(hostId);
  if (known === undefined) answers.set(hostId, [answer]);
  else known.push(answer);
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
