import { originOf } from '../../core/url.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import { hasFewSources } from '../rules/canonical.ts';
import { reEvaluateShared } from '../visit/decide-duplicate.ts';
import { wakesOf } from '../visit/decide-visit.ts';
import type { Decision } from '../visit/decision.ts';
import { feedsOfPage, splitLinks } from '../visit/page-links.ts';
import { isSitemap } from '../visit/visit-sitemap.ts';
import type { Visited } from '../visit/visit-url.ts';
import type { SliceState } from './slice-state.ts';
import type { VisitBatchEntry } from './visit-batch-writer.ts';

export async function recordRefused(slice: SliceState, row: DueRow, decision: Decision): Promise<void> {
  await slice.writer.record(await entryOf(slice, row, { decision, extraction: undefined }));
}

/** A visit without what the page said: only its record waits for the disk. */
export type JudgedVisit = Omit<Visited, 'extraction' | 'read'> & {
  readonly row: DueRow;
  readonly entry: VisitBatchEntry;
};

/** Resolves when it is on disk, and what follows from it beyond the store is done. */
export async function recordVisit(slice: SliceState, judged: JudgedVisit): Promise<void> {
  const { row, decision, error } = judged;
  const { answer, trust } = decision;
  if (error !== undefined) slice.deps.log.error({ err: error, urlId: row.urlId }, 'visit failed unexpectedly');
  await slice.writer.record(judged.entry);
  await judged.recorded?.();
  await recheck(slice, judged);
  hintOf(slice, decision);
  slice.recentHosts.visited(row.hostId, decision);
  if (trust !== undefined) await readTrust(slice, row.hostId);
  if (answer === undefined || answer === 'failure' || answer === 'wall') return;
  await slice.deps.hostHolds.answeredWell(originOf(row.url) ?? '', row.url, slice.deps.clock.now());
}

async function recheck({ store, crawler, deps }: SliceState, { row, decision, target }: JudgedVisit): Promise<void> {
  if (target?.by !== 'canonical' || decision.log?.outcome !== 'aliased' || !hasFewSources(target.others ?? [])) return;
  const of = { crawlerId: crawler.id, activation: crawler.activation, now: deps.clock.now() };
  await reEvaluateShared(store, of, { row, target });
}

/** What a visit has shown of its host counts for the next rows of this slice. */
async function readTrust({ store, trusts }: SliceState, hostId: number): Promise<void> {
  const host = await store.findHost(hostId);
  if (host !== undefined) trusts.set(hostId, host.trust);
}

/** Hints at most that often, however many rows move on; the sweep finds what a lost one meant. */
const HINT_EVERY_MS = 1_000;

/** The row waits in another stage now: somebody shall look for a slice there. */
function hintOf(slice: SliceState, { next }: Decision): void {
  const now = performance.now();
  if (next === 'done' || next.to === undefined || now - slice.hintedAt < HINT_EVERY_MS) return;
  slice.hintedAt = now;
  const { engineId, crawlerId } = slice.input;
  slice.deps.wake({ kind: 'crawler-changed', engineId, crawlerId });
}

export async function entryOf(slice: SliceState, row: DueRow, visited: Visited): Promise<VisitBatchEntry> {
  const { rules, links: cache } = slice.compiled;
  const { decision, extraction } = visited;
  const now = slice.deps.clock.now();
  const reads = decision.readsLinks && extraction !== undefined;
  const links = reads ? splitLinks({ row, rules, now }, extraction, cache) : undefined;
  const statistics = isSitemap(row) ? undefined : await slice.patterns.statisticsOf(row, visited, links?.fresh ?? []);
  return {
    visit: {
      urlId: row.urlId,
      hostId: row.hostId,
      statistics,
      wakes: wakesOf(row, decision),
      ...recordedParts(decision),
      templates: templatesOf(slice, row, visited),
      lists: decision.lists ?? feedsOfPage(row, rules, visited),
    },
    links,
    pageLimit: rules.settings.limits.pages,
  };
}

function templatesOf({ templates }: SliceState, row: DueRow, { decision, extraction, read }: Visited) {
  const isPut = decision.document !== undefined && 'put' in decision.document;
  return isPut && extraction?.kind === 'PageContent' ? templates.record(row, { extraction, read }) : undefined;
}

function recordedParts({ next, log, answer, record: facts, target, document, ...more }: Decision) {
  const { released, supersedes, rendering, isRendered, trust, unasked } = more;
  const pages = { released, supersedes, rendering, isRendered, trust, unasked };
  return { next, log, answer, record: facts, target, document, ...pages };
}
