import { z } from 'zod';
import { firstValue } from '../../core/document.ts';
import { type PageYield, parseRenderVerdict, type RenderVerdict, UNKNOWN_VERDICT } from '../../core/render-verdict.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Extraction, MediaKind } from '../../extract/extraction.ts';
import type { Renderer } from '../../fetch/renderer.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { PatternStore } from '../../storage/engine/patterns.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import {
  countWords,
  isRenderDue,
  RENDER_CAUSES,
  type RenderCause,
  renderChoiceOfPage,
} from '../rules/render-policy.ts';
import { keepRecheck } from './decide-guarded.ts';
import { type Decision, decision, type FetchedFacts, type PageRendering, type VisitFacts } from './decision.ts';

export type RenderingDeps = {
  readonly store: Pick<PatternStore, 'findPattern'>;
  /** Undefined without Chromium. */
  readonly renderer: Pick<Renderer, 'render'> | undefined;
  readonly reservations: Reservations;
};

/** Patterns for which a page that is not recorded yet goes to the browser, to tell for all. */
export type Reservations = {
  has(patternId: number): boolean;
  add(patternId: number): void;
};

/** A visit is recorded long before. */
const RESERVED_MS = 1_000;

export function openReservations(): Reservations {
  const reserved = new Map<number, number>();
  return {
    has: (patternId) => performance.now() - (reserved.get(patternId) ?? Number.NEGATIVE_INFINITY) < RESERVED_MS,
    add: (patternId) => reserved.set(patternId, performance.now()),
  };
}

type RenderRequest = {
  readonly row: DueRow;
  readonly rules: CrawlRules;
  readonly fetched: FetchedFacts;
  readonly now: number;
  /** Undefined: the bytes are those of the last visit. */
  readonly extraction: Extraction | undefined;
};

/** Whether a page that was fetched over HTTP goes on to the browser, or is all there is. */
export async function renderingOf(deps: RenderingDeps, request: RenderRequest): Promise<PageRendering | undefined> {
  const detail = readRenderDetail(request.row);
  if (detail !== undefined && 'rendered' in detail) {
    return detail.rendered === 'failed' ? { kind: 'thin', reason: 'render-failed' } : undefined;
  }
  const { fetched, extraction } = request;
  if (fetched.isFile) return undefined;
  if (extraction === undefined) return againOf(deps, request);
  return MADE_OF_TAGS.has(extraction.trace.media) ? choiceOf(deps, request, extraction) : undefined;
}

/** Other text is shown as it is. */
const MADE_OF_TAGS: ReadonlySet<MediaKind> = new Set(['html', 'xml']);

async function choiceOf(
  { store, renderer, reservations }: RenderingDeps,
  { row, rules, fetched, now }: RenderRequest,
  extraction: Extraction,
): Promise<PageRendering | undefined> {
  const { patternId, urlId } = row;
  const { by, why, observation } = renderChoiceOfPage({
    setting: rules.settings.render,
    canRender: renderer !== undefined,
    signal: extraction.renderWanted,
    // It counts for pages alone that ask for a browser.
    verdict: extraction.renderWanted === undefined ? UNKNOWN_VERDICT : await verdictOf(store, row, wordsIn(extraction)),
    urlId,
    now,
    isReserved: patternId !== undefined && reservations.has(patternId),
  });
  if (patternId !== undefined && (observation?.kind === 'claimed' || observation?.kind === 'sampled'))
    reservations.add(patternId);
  if (by === 'thin') return { kind: 'thin', reason: 'thin' };
  const observed = patternId === undefined || observation === undefined ? undefined : { patternId, observation };
  if (why === undefined) return observed === undefined ? undefined : { kind: 'http', observed };
  return { kind: 'needed', detail: detailOf(why, fetched, yieldOf(extraction, row, rules)), observed };
}

/** Bytes as before: what scripts make of them may have changed. */
async function againOf(
  { store, renderer }: RenderingDeps,
  { row, rules, fetched, now }: RenderRequest,
): Promise<PageRendering | undefined> {
  const { render, interval } = rules.settings;
  const isDue = isRenderDue(row.record.renderedAt, interval.maxDays, now);
  if (!isDue || renderer === undefined || render === 'never') return undefined;
  if (render === 'auto' && (await verdictOf(store, row, 0)).verdict === 'http') return undefined;
  const { etag, lastModified, bodyHash, hasEndTag: hasTag } = row.record;
  const end = fetched.end ?? { isReported: true, hasTag };
  const kept = { ...fetched, bodyHash: fetched.bodyHash ?? bodyHash, end, validators: { etag, lastModified } };
  return { kind: 'needed', detail: detailOf('again', kept, undefined), observed: undefined };
}

function detailOf(
  render: RenderCause,
  fetched: FetchedFacts & { readonly validators?: Pick<HttpFacts, 'etag' | 'lastModified'> },
  yields: PageYield | undefined,
): string {
  const { headers, bodyHash, wireBytes: bytes, end, validators } = fetched;
  const etag = headers.get('etag') ?? validators?.etag;
  const lastModified = headers.get('last-modified') ?? validators?.lastModified;
  const http = { etag, lastModified, bodyHash, bytes, yields, hasEndTag: end?.hasTag };
  return JSON.stringify({ render, http } satisfies RenderDetail);
}

/** A page with so many words over HTTP has something to say without a browser. */
const OWN_WORDS = 10;

/**
 * The verdict of the row's pattern; while that is unknown, of a page with `words` of its own, that of the URL template: on a
 * site that tells browsers without scripts so on every page, hundreds of patterns would each be tried.
 */
export async function verdictOf(
  store: RenderingDeps['store'],
  { patternId }: DueRow,
  words: number,
): Promise<RenderVerdict> {
  const pattern = patternId === undefined ? undefined : await store.findPattern(patternId);
  const verdict = parseRenderVerdict(pattern?.render);
  if (verdict.verdict !== 'unknown' || words < OWN_WORDS || pattern?.urlTemplateId === undefined) return verdict;
  const urlTemplate = parseRenderVerdict((await store.findPattern(pattern.urlTemplateId))?.render);
  return urlTemplate.verdict === 'http' ? { ...verdict, verdict: 'http' } : verdict;
}

/** Words chosen, and different links that the crawler may follow. */
export function yieldOf(extraction: Extraction, row: DueRow, rules: CrawlRules): PageYield {
  const links = new Set<string>();
  for (const { url: text, follow } of extraction.outlinks) {
    const url = follow ? normalizeUrl(text, rules.urlRules) : undefined;
    if (url === undefined || url === row.url || links.has(url)) continue;
    if (rules.scope({ url, depth: row.depth + 1, queued: false, knownUrls: 0 }).in) links.add(url);
  }
  return { words: wordsIn(extraction), links: links.size };
}

function wordsIn({ fields }: Extraction): number {
  return countWords(firstValue(fields, 'Content'));
}

/**
 * A page that had no browser, or whose browser failed, is read anew as soon as there is one: to the visit it is as if
 * it had never been read.
 */
export function asUnread(row: DueRow, rules: CrawlRules, renderer: RenderingDeps['renderer']): DueRow {
  const { reason } = row.record;
  const isThin = reason === 'thin' || reason === 'render-failed';
  const isOpen = isThin && renderer !== undefined && rules.settings.render !== 'never';
  return isOpen ? { ...row, record: { ...row.record, extractVersion: undefined } } : row;
}

const pageYield = z.object({ words: z.number(), links: z.number() });
const httpFacts = z.object({
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  bodyHash: z.string().optional(),
  bytes: z.number(),
  yields: pageYield.optional(),
  hasEndTag: z.boolean().optional(),
});
export type HttpFacts = z.infer<typeof httpFacts>;

/** What a row carries from stage to stage: why it goes to the browser, or why it comes back from there. */
const renderDetail = z.union([
  z.object({ render: z.enum(RENDER_CAUSES), http: httpFacts }),
  z.object({ rendered: z.enum(['not-needed', 'failed']) }),
]);
type RenderDetail = z.infer<typeof renderDetail>;

export function readRenderDetail({ detail }: DueRow): RenderDetail | undefined {
  return detail === undefined ? undefined : renderDetail.safeParse(JSON.parse(detail)).data;
}

/** The row goes on to the browser's stage; nothing of the page is recorded yet. */
export function goesOn(
  { row, now }: VisitFacts,
  { detail, observed }: Extract<PageRendering, { kind: 'needed' }>,
): Decision {
  const next = {
    dueAt: now,
    priority: row.priority,
    attempts: 0,
    to: { stage: 'render', detail: keepRecheck(row, detail) },
  } as const;
  return decision({ log: undefined, answer: 'good', next, rendering: observed });
}

/** The row goes back to HTTP, and what is read there is the page. */
export function goesBack({ row, now }: VisitFacts, rendered: 'not-needed' | 'failed'): Decision {
  const detail = keepRecheck(row, JSON.stringify({ rendered } satisfies RenderDetail));
  const next = { dueAt: now, priority: row.priority, attempts: 0, to: { stage: 'page', detail } } as const;
  return decision({ log: undefined, next, pace: 'unused' });
}
