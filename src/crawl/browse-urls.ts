import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Crawler } from '../core/records.ts';
import { normalizeUrl } from '../core/url.ts';
import type { UrlCursor, UrlFilter, UrlGrouping, UrlRow } from '../storage/engine/url-browser.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import {
  type ExplainedStep,
  earlySteps,
  lateSteps,
  passed,
  stopped,
  type UrlExplanation,
} from './explain/outcome-steps.ts';
import { type ExplainInputs, type ExplainUrlDeps, gatherInputs, judgeUrl, nextVisit } from './explain/verdict.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { REASON_TEXTS } from './rules/reasons.ts';

type Deps = { readonly engineStores: Pick<EngineStores, 'of'> };

/** `host` = origin, or host with or without port. */
export type BrowseFilter = Omit<UrlFilter, 'crawlerId' | 'hostIds'> & { readonly host?: string | undefined };

export type Browse = {
  readonly engineId: number;
  readonly crawlerId: number;
  readonly filter: BrowseFilter;
};

export type UrlList = {
  readonly rows: readonly UrlRow[];
  /** Where the list goes on; undefined at its end. */
  readonly next: UrlCursor | undefined;
  /** The search for a text ended before it had looked at all records. */
  readonly isCut: boolean;
};

export type UrlGroup = { readonly value: string | null; readonly count: number };

/** Records that a search for a text looks at before it answers with what it has. */
const TEXT_RECORDS = 100_000;
const MAX_GROUPS = 1_000;
const STREAM_ROWS = 1_000;

/** URL records of a crawler by state, reason and id. Other work has its turn between steps of 2,000 records. */
export async function browseUrls(
  deps: Deps,
  browse: Browse & { readonly after: UrlCursor | undefined; readonly limit: number },
  signal: AbortSignal,
): Promise<UrlList> {
  const { limit } = browse;
  const { store, filter } = await filterOf(deps, browse);
  const rows: UrlRow[] = [];
  let next = browse.after;
  let lookedAt = 0;
  do {
    signal.throwIfAborted();
    const step = await store.stepUrls(filter, next, limit - rows.length);
    rows.push(...step.rows);
    next = step.next;
    lookedAt += step.lookedAt;
    if (filter.text !== undefined && lookedAt >= TEXT_RECORDS) break;
    await yieldToEventLoop();
  } while (next !== undefined && rows.length < limit);
  return { rows, next, isCut: next !== undefined && rows.length < limit };
}

/** Every URL record that passes the filter, in pieces. */
export async function* streamUrls(deps: Deps, browse: Browse, signal: AbortSignal): AsyncGenerator<readonly UrlRow[]> {
  const { store, filter } = await filterOf(deps, browse);
  let next: UrlCursor | undefined;
  do {
    signal.throwIfAborted();
    const step = await store.stepUrls(filter, next, STREAM_ROWS);
    if (step.rows.length > 0) yield step.rows;
    next = step.next;
    await yieldToEventLoop();
  } while (next !== undefined);
}

/** How many URL records there are by one of their properties, most first; `other` counts what is in no group shown. */
export async function groupUrls(
  deps: Deps,
  browse: Browse & { readonly by: UrlGrouping },
  signal: AbortSignal,
): Promise<{ readonly groups: readonly UrlGroup[]; readonly other: number }> {
  const { store, filter } = await filterOf(deps, browse);
  const counts = new Map<number | null, number>();
  let next: UrlCursor | undefined;
  do {
    signal.throwIfAborted();
    const step = await store.countUrlsBy(browse.by, filter, next);
    for (const { value, count } of step.counts) counts.set(value, (counts.get(value) ?? 0) + count);
    next = step.next;
    await yieldToEventLoop();
  } while (next !== undefined);
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, MAX_GROUPS);
  const names = await store.nameGroups(
    browse.by,
    shown.flatMap(([value]) => value ?? []),
  );
  return {
    groups: shown.map(([value, count]) => ({ value: value === null ? null : (names.get(value) ?? null), count })),
    other: sorted.slice(MAX_GROUPS).reduce((sum, [, count]) => sum + count, 0),
  };
}

async function filterOf(
  { engineStores }: Deps,
  { engineId, crawlerId, filter }: Browse,
): Promise<{ readonly store: EngineStore; readonly filter: UrlFilter }> {
  const store = await engineStores.of(engineId);
  const { host, ...rest } = filter;
  const hostIds = host === undefined ? undefined : await store.findHostIds(crawlerId, host);
  return { store, filter: { ...rest, crawlerId, hostIds } };
}

/**
 * What became of a URL and why, from what is stored: nothing is fetched, and a URL that nobody has named is explained
 * too. At most some 20 reads by key, and the links of 10,000 pages.
 */
export async function explainUrl(deps: ExplainUrlDeps, crawler: Crawler, text: string): Promise<UrlExplanation> {
  const rules = compileCrawlRules(crawler);
  const url = normalizeUrl(text, rules.urlRules);
  if (url === undefined) return noUrl(text);
  const inputs = await gatherInputs(deps, { crawler, rules, url });
  const { record, path, links, visits, document, visibleSeq, patternText, pattern } = inputs;
  const steps = stepsOf(text, inputs);
  const state = record?.facts.state;
  return {
    url: text,
    normalForm: url,
    ...judgeUrl(inputs, steps),
    steps,
    foundBy: {
      origin: record?.origin ?? 'none',
      path: path.slice(1).map((page) => page.url),
      inlinks: links.inlinks,
    },
    visits: visits.map(({ at, outcome, reason, httpStatus, bytes = 0, millis = 0 }) => ({
      at,
      outcome,
      reason,
      status: httpStatus,
      bytes,
      millis,
    })),
    aliasOf: state === 'duplicate' ? undefined : record?.targetUrl,
    duplicateOf: state === 'duplicate' ? record?.targetUrl : undefined,
    pattern: {
      text: pattern?.pattern ?? patternText,
      closedBy: pattern?.closedAt === undefined ? undefined : (pattern.closeRule ?? 'closed'),
      render: renderVerdict(pattern?.render),
    },
    next: nextVisit(inputs),
    document: document && {
      id: document.id,
      rid: document.rid,
      seq: document.seq,
      origin: document.origin,
      updatedAt: document.updatedAt,
      visibleSeq,
    },
  };
}

/** What stands in the way of a URL whose document is there is worth a note: the document stays for now. */
function stepsOf(text: string, inputs: ExplainInputs): readonly ExplainedStep[] {
  const normal = passed('normal-form', { sent: text, changed: text !== inputs.url });
  const steps = [normal, ...earlySteps(inputs), ...lateSteps(inputs)];
  if (inputs.document === undefined) return untilStop(steps);
  return steps.map((step) =>
    step.result === 'stop' && step.step !== 'index' ? { ...step, result: 'note' as const } : step,
  );
}

/** What comes behind the stop has not happened; but a URL that waits may have been asked for before. */
function untilStop(steps: readonly ExplainedStep[]): readonly ExplainedStep[] {
  const at = steps.findIndex(({ result }) => result === 'stop');
  if (at < 0) return steps;
  const compared = steps.filter(({ step, detail }) => step === 'fetch' && detail['status'] !== null);
  const isWaiting = steps[at]?.step === 'frontier';
  return [
    ...steps.slice(0, at + 1),
    ...(isWaiting ? compared.map((step) => ({ ...step, result: 'note' as const })) : []),
  ];
}

function noUrl(text: string): UrlExplanation {
  return {
    url: text,
    normalForm: undefined,
    verdict: 'unknown',
    reason: 'scheme',
    ...REASON_TEXTS.scheme,
    steps: [stopped('normal-form', 'scheme', { sent: text })],
    foundBy: { origin: 'none', path: [], inlinks: 0 },
    visits: [],
    aliasOf: undefined,
    duplicateOf: undefined,
    pattern: { text: '', closedBy: undefined, render: 'unknown' },
    next: { at: undefined, why: 'It is never visited' },
    document: undefined,
  };
}

function renderVerdict(render: string | undefined): string {
  const { verdict } = (render === undefined ? {} : JSON.parse(render)) as { readonly verdict?: unknown };
  return typeof verdict === 'string' ? verdict : 'unknown';
}
