import type { RenderObservation } from '../../core/render-verdict.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { RenderedPage, Renderer } from '../../fetch/renderer.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import { attemptOfRow } from '../rules/render-policy.ts';
import { CRASH_BUDGET, isFailureReason } from '../rules/retry-policy.ts';
import { decideVisit } from './decide-visit.ts';
import { type Decision, decision, type FetchedFacts, type VisitFacts } from './decision.ts';
import { namedTarget, redirectTarget } from './find-target.ts';
import { sharesOf } from './host-templates.ts';
import { judgeVisit } from './judge-visit.ts';
import { goesBack, type HttpFacts, readRenderDetail, verdictOf, yieldOf } from './page-rendering.ts';
import { sourceHeaders } from './source-headers.ts';
import {
  duplicateOf,
  factsOf,
  failureOf,
  mayFollow,
  type VisitDeps,
  type Visited,
  type VisitRow,
} from './visit-url.ts';

/**
 * One try at a page in the browser: render, extract, decide. A row whose pattern needs none goes back to HTTP, one
 * whose pattern's first page is still being rendered waits for it. Records nothing.
 */
export const visitRendered: VisitRow = async (deps, visit, signal) => {
  const { row, rules } = visit;
  const facts = factsOf(deps, { row, rules, host: await deps.store.findHost(row.hostId) });
  const detail = readRenderDetail(row);
  const { renderer } = deps;
  if (renderer === undefined || detail === undefined || !('render' in detail))
    return alone(goesBack(facts, 'not-needed'));
  if (row.crashes >= CRASH_BUDGET) return alone(goesBack(facts, 'failed'));
  const { render: why, http } = detail;
  const verdict = await verdictOf(deps.store, row, http.yields?.words ?? 0);
  const attempt = attemptOfRow({ setting: rules.settings.render, why, verdict, urlId: row.urlId, now: facts.now });
  if (attempt.kind === 'http') return alone(goesBack(facts, 'not-needed'));
  if (attempt.kind === 'wait') return alone(waits(facts, attempt.untilAt));
  try {
    return await inBrowser({ deps, renderer, facts, http, crawlerId: visit.crawlerId }, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    const failure = failureOf(error);
    if (failure !== undefined) return alone(failedIn({ ...facts, failure }));
    return { ...alone(failedIn({ ...facts, failure: { reason: 'render-failed', detail: undefined } })), error };
  }
};

type InBrowser = {
  readonly deps: VisitDeps;
  readonly renderer: Pick<Renderer, 'render'>;
  readonly facts: VisitFacts;
  readonly http: HttpFacts;
  readonly crawlerId: number;
};

function alone(decided: Decision): Visited {
  return { decision: decided, extraction: undefined };
}

function waits({ row }: VisitFacts, dueAt: number): Decision {
  return decision({ log: undefined, next: { dueAt, priority: row.priority, attempts: row.attempts }, pace: 'unused' });
}

/** Attempts spent on the browser leave the page to HTTP. */
function failedIn(facts: VisitFacts): Decision {
  const { row, failure } = facts;
  const decided = decideVisit(facts);
  const isSpent = failure?.reason === 'render-failed' && decided.next === 'done';
  return withObservation(row, isSpent ? goesBack(facts, 'failed') : decided, { kind: 'given-up', urlId: row.urlId });
}

function withObservation({ patternId }: DueRow, decided: Decision, observation: RenderObservation): Decision {
  return patternId === undefined ? decided : { ...decided, rendering: { patternId, observation } };
}

async function inBrowser(rendering: InBrowser, signal: AbortSignal): Promise<Visited> {
  const { deps, renderer, facts, http, crawlerId } = rendering;
  const { row, rules } = facts;
  const { url, limits, access, headers } = { ...rules, url: row.url };
  const page = await renderer.render({ url, headers, limits, access, settings: renderSettings(facts) }, signal);
  const known = { ...facts, fetched: fetchedFacts(page, http) };
  const elsewhere = await leadsElsewhere(rendering, page, signal);
  if (elsewhere?.failure !== undefined) return alone(failedIn({ ...known, ...elsewhere }));
  if (elsewhere !== undefined) {
    const decided = await judgeVisit(deps, crawlerId, { ...known, ...elsewhere });
    return {
      ...alone(withObservation(row, decided, { kind: 'given-up', urlId: row.urlId })),
      target: elsewhere.target,
    };
  }
  if (page.status === 429 || page.status === 503) return alone(failedIn(known));
  if (page.status < 200 || page.status > 299) {
    const detail = JSON.stringify({ status: page.status });
    return alone(failedIn({ ...known, failure: { reason: 'render-failed', detail } }));
  }
  const input = {
    url,
    body: page.body,
    source: 'rendered',
    headers: sourceHeaders(page, rules.extract),
    settings: rules.extract,
    now: facts.now,
  } as const;
  const sampleSize = await deps.templates.sampledPagesFor(row);
  const extraction = await deps.extract({ ...input, ...sharesOf(sampleSize) }, signal);
  const rendered = yieldOf(extraction, row, rules);
  const observation: RenderObservation =
    page.isComplete && http.yields !== undefined
      ? { kind: 'pair', http: http.yields, rendered }
      : { kind: 'given-up', urlId: row.urlId };
  const judged = await withOthers(rendering, { ...known, rendering: { kind: 'done' } }, extraction);
  const isLess = rules.settings.render === 'auto' && rendered.words < (http.yields?.words ?? 0);
  const decided = isLess ? goesBack(facts, 'not-needed') : await judgeVisit(deps, crawlerId, judged);
  return {
    decision: { ...withObservation(row, decided, observation), isRendered: true },
    extraction,
    read: input,
    target: judged.target,
  };
}

/** The page with those that it names as itself or is equal to. */
async function withOthers(
  { deps, crawlerId }: InBrowser,
  facts: VisitFacts,
  extraction: Extraction,
): Promise<VisitFacts> {
  const { row, rules } = facts;
  const named = await namedTarget(deps, { crawlerId, row, rules }, extraction);
  return { ...facts, extraction, ...named, duplicate: await duplicateOf(deps, crawlerId, { row, rules, extraction }) };
}

function renderSettings({ rules }: VisitFacts) {
  const { waitFor, settleMs, timeoutMs, block } = rules.settings.rendering;
  return { waitFor, settleMs, timeoutMs, block };
}

/** Redirects of the server or of scripts to another page. */
async function leadsElsewhere(
  { deps, facts, crawlerId }: InBrowser,
  page: RenderedPage,
  signal: AbortSignal,
): Promise<Pick<VisitFacts, 'target' | 'failure'> | undefined> {
  const { row, rules } = facts;
  const url = normalizeUrl(page.url, rules.urlRules) ?? page.url;
  if (page.redirects.length === 0 || url === row.url) return undefined;
  const verdict = await mayFollow(deps, { row, rules }, page.url, signal);
  if (verdict.follow) {
    const target = await redirectTarget(deps, { crawlerId }, { url, isTemporary: true });
    return { target, failure: undefined };
  }
  const detail = JSON.stringify({ redirects: page.redirects, refusal: verdict.reason });
  const reason = isFailureReason(verdict.reason) ? verdict.reason : 'redirected-out';
  return { target: undefined, failure: { reason, detail } };
}

/** Validators and hash stay those of the HTTP answer: they tell whether it has changed. */
function fetchedFacts(page: RenderedPage, http: HttpFacts): FetchedFacts {
  const headers = new Map(page.headers);
  headers.delete('etag');
  headers.delete('last-modified');
  if (http.etag !== undefined) headers.set('etag', http.etag);
  if (http.lastModified !== undefined) headers.set('last-modified', http.lastModified);
  const { status, wireBytes, millis, redirects } = page;
  return {
    status,
    headers,
    millis,
    isFile: false,
    bodyHash: http.bodyHash,
    end: http.hasEndTag === undefined ? undefined : { isReported: true, hasTag: http.hasEndTag },
    wireBytes: wireBytes + http.bytes,
    detail: JSON.stringify({ rendered: true, ...(redirects.length > 0 && { redirects }) }),
  };
}
