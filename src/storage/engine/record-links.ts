import { sql } from 'kysely';
import { FRONTIER_FLAGS, URL_ORIGINS, URL_STATES } from '../../core/crawl-words.ts';
import { all, fetchFirst, mapSeries, mapTogether, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { addFoundUrls, addUrl, lookUpUrls, type Placement, type UrlLookUps } from './add-urls.ts';
import { hasRemovedLately, wasRemovedLately } from './apply-removals.ts';
import type { CrawlCounts } from './crawl-counts.ts';
import { countLinkTexts, type PageTexts, textsOfPage } from './link-texts.ts';
import { linkedIds, packIds, putUnfollowedLink } from './outlinks.ts';
import { countWaitingSitemaps } from './sitemaps.ts';
import { urlStatements } from './url-records.ts';
import type { RecordedVisit } from './visits.ts';

const ABSENT_STATES = (['gone', 'skipped'] as const).map((state) => sql.lit(URL_STATES.indexOf(state)));

type RunSize = { readonly id: number; readonly open: number; readonly visited: number; readonly state: string };

export const linkStatements = {
  /** The run of a row that waits or is leased. */
  runOf: statement<{ urlId: number }, RunSize>((p) =>
    engineSql
      .selectFrom('frontier')
      .innerJoin('runs', 'runs.id', 'frontier.run_id')
      .select(['runs.id', 'runs.open', 'runs.visited', 'runs.state'])
      .where('frontier.url_id', '=', p.urlId),
  ),
  run: statement<{ id: number }, RunSize>((p) =>
    engineSql.selectFrom('runs').select(['id', 'open', 'visited', 'state']).where('id', '=', p.id),
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
  put: statement<{ urlId: number; targets: Uint8Array; texts: Uint8Array }>((p) =>
    engineSql
      .insertInto('outlinks')
      .values({ url_id: p.urlId, targets: p.targets, texts: p.texts })
      .onConflict((conflict) => conflict.column('url_id').doUpdateSet({ targets: p.targets, texts: p.texts })),
  ),
};

/** What is known of the links of visits before anything of these is written. */
export type LinkLookUps = {
  readonly urls: UrlLookUps;
  /** By page, ids of the texts that it said when it was last read. */
  readonly texts: ReadonlyMap<number, ReadonlySet<number>>;
  /** By id. */
  readonly runs: ReadonlyMap<number, RunSize>;
  readonly hasRemoved: boolean;
};

export type LinksToLookUp = {
  readonly crawlerId: number;
  readonly visits: readonly RecordedVisit[];
  readonly counts: CrawlCounts;
  /** Those of the visits when their leases have ended, else their rows tell them. */
  readonly runIds: readonly number[] | undefined;
};

export function* lookUpLinks({ crawlerId, visits, counts, runIds }: LinksToLookUp): Operation<LinkLookUps> {
  const pages = visits.filter(({ links }) => links !== undefined);
  const finders = pages.filter(({ links }) => (links?.fresh.length ?? 0) > 0);
  const [runs, urls, texts, [hasRemoved = false]] = yield* all([
    runIds === undefined
      ? mapTogether(finders, ({ urlId }) => fetchFirst(linkStatements.runOf, { urlId }))
      : mapTogether(new Set(runIds), (id) => fetchFirst(linkStatements.run, { id })),
    lookUpUrls(
      crawlerId,
      finders.flatMap(({ links }) => links?.fresh ?? []),
    ),
    mapTogether(pages, ({ urlId }) => textsOfPage(urlId)),
    mapTogether(pages.slice(0, 1), () => hasRemovedLately(crawlerId)),
    mapTogether(new Set(finders.map(({ hostId }) => hostId)), (id) => counts.hosts.meet(id)),
  ]);
  return {
    urls,
    hasRemoved,
    texts: new Map(pages.map(({ urlId }, at) => [urlId, texts[at] ?? new Set<number>()])),
    runs: new Map(runs.flatMap((run) => (run === undefined ? [] : [[run.id, run]]))),
  };
}

type LinkingVisit = { readonly visit: RecordedVisit; readonly placement: Placement };

type LinksInput = {
  readonly visits: readonly LinkingVisit[];
  readonly lookUps: LinkLookUps;
  readonly counts: CrawlCounts;
};

/** Ids of `links.fresh`, in order; whether one of them was not known. */
export type AddedLinks = { readonly ids: readonly (number | undefined)[]; readonly hasNew: boolean };

/** Inside a write: what visited pages link to and how they call it, by place among the visits. */
export function* addLinks(input: LinksInput): Operation<readonly AddedLinks[]> {
  const { visits, lookUps } = input;
  const added = yield* addFresh(input);
  const pages: (PageTexts & { readonly ids: readonly number[]; readonly placement: Placement })[] = [];
  for (const [at, { visit, placement }] of visits.entries()) {
    const { urlId, links } = visit;
    if (links === undefined) continue;
    for (const link of links.left ?? []) yield* putUnfollowedLink(placement, link);
    const places = [...links.known, ...(added[at]?.ids ?? [])];
    const named = (links.names ?? []).flatMap(({ link, text }) => {
      const targetId = places[link];
      return targetId === undefined ? [] : [{ targetId, text }];
    });
    const { crawlerId, now } = placement;
    const before = lookUps.texts.get(urlId) ?? new Set();
    const ids = places.filter((id) => id !== undefined);
    pages.push({ crawlerId, urlId, now, before, links: named, ids, placement });
  }
  const texts = yield* countLinkTexts(pages);
  for (const [at, { urlId, ids, placement }] of pages.entries()) {
    if (ids.length === 0) continue;
    if (lookUps.hasRemoved) yield* addRemovedAgain({ placement, counts: input.counts, urlId, ids });
    yield* submit(linkStatements.put, { urlId, targets: packIds(ids), texts: texts[at] ?? packIds([]) });
  }
  return added;
}

/** New links of all pages at once while their runs have room for all of them, else one after the other. */
function* addFresh(input: LinksInput): Operation<readonly AddedLinks[]> {
  const { visits, lookUps, counts } = input;
  const coming = visits.flatMap(({ visit: { links }, placement }) =>
    (links?.fresh ?? []).map((url) => ({ placement, url })),
  );
  if (coming.length === 0) return visits.map(() => ({ ids: [], hasNew: false }));
  if (!haveRoom(input, coming.length)) return yield* mapSeries(visits, (visit) => addWhileRoom(input, visit));
  const found = yield* lookedUpAgain(lookUps.urls, visits);
  const added = yield* addFoundUrls({ urls: coming, found, counts });
  let from = 0;
  return visits.map(({ visit: { links } }) => {
    const own = added.slice(from, from + (links?.fresh.length ?? 0));
    from += own.length;
    return { ids: own.map(({ id }) => id), hasNew: own.some(({ isNew }) => isNew) };
  });
}

function haveRoom({ visits, lookUps, counts }: LinksInput, coming: number): boolean {
  return visits.every(({ visit: { links }, placement: { runId } }) => {
    if (links === undefined || links.fresh.length === 0) return true;
    const run = lookUps.runs.get(runId);
    return takesLinks(run) && run.open + run.visited + counts.rowsAdded(runId) + coming <= links.pageLimit;
  });
}

function takesLinks(run: RunSize | undefined): run is RunSize {
  return run?.state === 'running' || run?.state === 'paused';
}

/** The records of the visited pages themselves have changed since they were looked up. */
function* lookedUpAgain(urls: UrlLookUps, visits: readonly LinkingVisit[]): Operation<UrlLookUps> {
  const visited = new Set(visits.map(({ visit }) => visit.urlId));
  const changed = [...urls].flatMap(([url, { known }]) =>
    known !== undefined && visited.has(known.id) ? { url } : [],
  );
  const crawlerId = visits[0]?.placement.crawlerId ?? 0;
  return changed.length === 0 ? urls : new Map([...urls, ...(yield* lookUpUrls(crawlerId, changed))]);
}

function* addWhileRoom({ lookUps, counts }: LinksInput, { visit, placement }: LinkingVisit): Operation<AddedLinks> {
  const { fresh = [], pageLimit = 0 } = visit.links ?? {};
  const { runId } = placement;
  const foundBefore = counts.of(runId, 'found');
  const run = lookUps.runs.get(runId);
  const held = fresh.length === 0 ? 0 : yield* pagesHeld(run, { placement, counts, coming: fresh.length, pageLimit });
  const ids = yield* mapSeries(fresh, function* (link): Operation<number | undefined> {
    if (held + counts.rowsAdded(runId) < pageLimit) return yield* addUrl(placement, link, counts);
    yield* putUnfollowedLink(placement, { url: link.url, reason: 'page-limit', depth: link.depth });
    return undefined;
  });
  return { ids, hasNew: counts.of(runId, 'found') > foundBefore };
}

/** Pages of the run without those that this write has added; infinite when it takes no links any more. */
function* pagesHeld(
  run: RunSize | undefined,
  input: {
    readonly placement: Placement;
    readonly counts: CrawlCounts;
    readonly coming: number;
    readonly pageLimit: number;
  },
): Operation<number> {
  if (!takesLinks(run)) return Number.POSITIVE_INFINITY;
  const { placement, counts, coming, pageLimit } = input;
  const { crawlerId, runId } = placement;
  const held = run.open + run.visited;
  const isAlmostAtLimit = held + counts.rowsAdded(runId) + coming > pageLimit;
  // Rows of sitemaps are no pages.
  return isAlmostAtLimit ? held - (yield* countWaitingSitemaps(crawlerId, runId)) : held;
}

/** Pages whose documents left lately and that the visited page links to anew: they may be back. Once a run. */
function* addRemovedAgain(of: {
  readonly placement: Placement;
  readonly counts: CrawlCounts;
  readonly urlId: number;
  readonly ids: readonly number[];
}): Operation<void> {
  const { placement, counts, urlId, ids } = of;
  const { crawlerId, runId } = placement;
  const before = yield* linkedIds(urlId);
  const anew = ids.filter((id) => !before.has(id));
  const absent = yield* mapTogether(anew, (id) => fetchFirst(linkStatements.absentPage, { id, runId }));
  for (const [at, id] of anew.entries()) {
    const page = absent[at];
    if (page === undefined || !(yield* wasRemovedLately({ crawlerId, id: page.url }))) continue;
    yield* submit(urlStatements.setOrigin, { id, origin: URL_ORIGINS.indexOf('link'), foundOn: urlId });
    const again = { ...page, origin: 'link', priority: 1, flags: FRONTIER_FLAGS.follow, enqueue: 'always' } as const;
    yield* addUrl(placement, again, counts);
  }
}
