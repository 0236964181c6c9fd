import type { Outcome, Reason, UrlOrigin } from '../../core/crawl-words.ts';
import { type DocumentOrigin, firstValue } from '../../core/document.ts';
import type { UrlFacts } from '../../storage/engine/urls.ts';
import { robotsFailure } from '../rules/robots.ts';
import { judgeCopy } from '../visit/robots-copies.ts';
import { isHeld, type Wait } from '../work-on.ts';
import type { ExplainInputs } from './verdict.ts';

type Detail = ExplainedStep['detail'];

export function passed(step: StepName, detail: Detail): ExplainedStep {
  return { step, result: 'pass', reason: undefined, detail, at: undefined };
}

export function stopped(step: StepName, reason: Reason, detail: Detail): ExplainedStep {
  return { step, result: 'stop', reason, detail, at: undefined };
}

/** What the last visit met, from its answer to the index. */
export function lateSteps(inputs: ExplainInputs): readonly ExplainedStep[] {
  const { record, pattern } = inputs;
  if (record === undefined || record.visits === 0) return inputs.document === undefined ? [] : indexSteps(inputs);
  const { facts } = record;
  const target = record.targetUrl ?? null;
  return [
    fetchStep(inputs),
    outcomeStep(inputs, 'render', { verdict: pattern?.render ?? null }),
    outcomeStep(inputs, 'directives', ruleOf(inputs)),
    outcomeStep(inputs, 'canonical', { target: facts.state === 'duplicate' ? null : target }),
    outcomeStep(inputs, 'duplicate', { target: facts.state === 'duplicate' ? target : null }),
    extractStep(inputs, facts),
    ...indexSteps(inputs),
  ];
}

/** A stop where the present reason of the URL belongs to the step, else a pass. */
function outcomeStep(inputs: ExplainInputs, step: StepName, detail: Detail): ExplainedStep {
  const reason = presentReason(inputs);
  const at = inputs.visits[0]?.at ?? inputs.record?.visitedAt;
  if (reason === undefined || stepOfReason(reason) !== step) return { ...passed(step, detail), at };
  return { ...stopped(step, reason, detail), at };
}

/** Of the newest visit where it is the one that the record was last changed by, or a failed try since. */
export function presentReason({ record, visits }: ExplainInputs): Reason | undefined {
  const last = visits[0];
  if (record === undefined || record.visits === 0) return last?.reason;
  const isLater = last !== undefined && (last.outcome === 'deferred' || last.outcome === 'failed');
  return isLater ? last.reason : record.facts.reason;
}

function fetchStep(inputs: ExplainInputs): ExplainedStep {
  const { record, visits } = inputs;
  const last = visits.find(({ httpStatus }) => httpStatus !== undefined);
  const { redirects } = detailOf(visits[0]?.detail);
  const status = visits[0]?.httpStatus ?? record?.facts.httpStatus ?? null;
  const detail = {
    status,
    bytes: last?.bytes ?? null,
    millis: last?.millis ?? null,
    ...(redirects ? { redirects } : {}),
  };
  return outcomeStep(inputs, 'fetch', detail);
}

function extractStep(inputs: ExplainInputs, { contentChars, kind }: UrlFacts): ExplainedStep {
  const cuts = cutsOf(inputs);
  const detail = { chars: contentChars ?? null, kind, ...(cuts.length > 0 && { cuts }) };
  if (hasNoText(inputs)) return stopped('extract', 'empty', detail);
  const step = outcomeStep(inputs, 'extract', detail);
  return cuts.length > 0 && step.result === 'pass' ? { ...step, result: 'note', reason: 'cut-short' } : step;
}

/** What of the page or file was not read. */
export function cutsOf({ document }: ExplainInputs): readonly string[] {
  return document?.structure?.cuts ?? [];
}

/** A document of a title only. */
export function hasNoText({ record, document }: ExplainInputs): boolean {
  return document?.origin === 'crawled' && record?.facts.state === 'live' && record.facts.contentChars === 0;
}

function ruleOf({ visits }: ExplainInputs): Detail {
  const { rule } = detailOf(visits[0]?.detail);
  return rule === undefined || rule === '' ? {} : { rule };
}

function detailOf(detail: string | undefined): Readonly<Record<string, unknown>> {
  return detail === undefined ? {} : (JSON.parse(detail) as Readonly<Record<string, unknown>>);
}

function indexSteps(inputs: ExplainInputs): readonly ExplainedStep[] {
  const { document, visibleSeq } = inputs;
  if (document === undefined) {
    const reason = presentReason(inputs);
    const own = reason === undefined ? undefined : stepOfReason(reason);
    return [stopped('document', own === 'document' && reason !== undefined ? reason : 'removed', {})];
  }
  const { rid, seq, origin, updatedAt: at, fields } = document;
  const isVisible = seq <= visibleSeq;
  return [
    { ...passed('document', { rid, origin, title: firstValue(fields, 'Title') }), at },
    isVisible ? passed('index', { seq, visibleSeq }) : stopped('index', 'none', { seq, visibleSeq }),
  ];
}

export const URL_VERDICTS = ['searchable', 'stored', 'waiting', 'not-indexed', 'removed', 'unknown'] as const;
export type UrlVerdict = (typeof URL_VERDICTS)[number];

export const EXPLAIN_STEPS = [
  'normal-form',
  'scope',
  'discovery',
  'robots',
  'frontier',
  'fetch',
  'render',
  'directives',
  'canonical',
  'duplicate',
  'extract',
  'document',
  'index',
] as const;
export type StepName = (typeof EXPLAIN_STEPS)[number];

/** `stop`: here the way of the URL into the index ends · `note`: worth knowing. */
export type ExplainedStep = {
  readonly step: StepName;
  readonly result: 'pass' | 'stop' | 'note';
  readonly reason: Reason | undefined;
  /** Rule, line, status …; JSON values. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: number | undefined;
};

export type ExplainedVisit = {
  readonly at: number;
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly status: number | undefined;
  readonly bytes: number;
  readonly millis: number;
};

/** What became of a URL, and why (crawling 23). Times are epoch milliseconds. */
export type UrlExplanation = {
  readonly url: string;
  readonly normalForm: string | undefined;
  readonly verdict: UrlVerdict;
  readonly reason: Reason;
  readonly cause: string;
  readonly advice: string | null;
  readonly steps: readonly ExplainedStep[];
  /** `path`: referrers back to where the crawler began, nearest first, at most 20. */
  readonly foundBy: { readonly origin: UrlOrigin | 'none'; readonly path: readonly string[]; readonly inlinks: number };
  /** Newest 8. */
  readonly visits: readonly ExplainedVisit[];
  readonly aliasOf: string | undefined;
  readonly duplicateOf: string | undefined;
  readonly pattern: { readonly text: string; readonly closedBy: string | undefined; readonly render: string };
  readonly next: { readonly at: number | undefined; readonly why: string };
  readonly document: ExplainedDocument | undefined;
};

export type ExplainedDocument = {
  readonly id: string;
  readonly rid: number;
  readonly seq: number;
  readonly origin: DocumentOrigin;
  readonly updatedAt: number;
  readonly visibleSeq: number;
};

const words = (text: string) => text.split(' ') as Reason[];

/** Reasons by the step that they belong to; what stands in none is good news. */
const REASONS_OF_STEP: Readonly<Partial<Record<StepName, readonly Reason[]>>> = {
  scope: words(
    'out-of-domain excluded not-included too-long too-deep page-limit trap file-type unreadable-type scheme',
  ),
  discovery: words('nofollow'),
  robots: words('robots robots-unreachable'),
  frontier: words('none host-held no-slot shutdown lease-lost inactive stopped run-limit'),
  fetch: words(
    'dns-temporary dns-not-found refused reset truncated protocol server-error timeout tls rate-limited forbidden ' +
      'not-found gone client-error redirect-loop too-many-redirects redirected-out blocked-address private-name blocked-port ' +
      'too-large bomb bad-encoding crashed',
  ),
  render: words('render-failed thin'),
  directives: words('noindex expired follow-only'),
  canonical: words('canonical canonical-broken canonical-shared canonical-elsewhere redirect'),
  duplicate: words('duplicate'),
  extract: words(
    'unsupported-type malformed encrypted over-limit unparsable soft-404 login-wall robot-wall identical-pages ' +
      'needs-confirmation empty required-field',
  ),
  document: words('removal-suspected removal-held removed pushed-protected'),
};

const STEP_OF_REASON: ReadonlyMap<Reason, StepName> = new Map(
  Object.entries(REASONS_OF_STEP).flatMap(([step, reasons]) =>
    reasons.map((reason) => [reason, step as StepName] as const),
  ),
);

/** The step at which a URL with this reason ends; undefined for good news. */
export function stepOfReason(reason: Reason): StepName | undefined {
  return STEP_OF_REASON.get(reason);
}

/** Scope, discovery, robots.txt and frontier as they are now, whatever the last visit met. */
export function earlySteps(inputs: ExplainInputs): readonly ExplainedStep[] {
  return [scopeStep(inputs), discoveryStep(inputs), robotsStep(inputs), frontierStep(inputs)];
}

function scopeStep({ url, rules, record, pattern, waiting, run, left }: ExplainInputs): ExplainedStep {
  const depth = record?.depth ?? left?.depth ?? 0;
  const named = record !== undefined && NAMED.has(record.origin);
  const closedBy = pattern?.closedAt === undefined || named ? undefined : (pattern.closeRule ?? 'closed');
  const queued = run?.kind === 'urls' || (waiting === undefined && record?.origin === 'queued');
  const verdict = rules.scope({ url, depth, queued, knownUrls: 0, closedBy });
  const parsed = new URL(url);
  const only = (name: 'noIndex' | 'noFollow') => rules[name].find((rule) => rule.matches(parsed))?.text;
  const detail = {
    depth,
    rule: verdict.rule === '' ? null : verdict.rule,
    ...(only('noIndex') !== undefined && { noIndex: only('noIndex') }),
    ...(only('noFollow') !== undefined && { noFollow: only('noFollow') }),
  };
  if (!verdict.in) return stopped('scope', verdict.reason, detail);
  if (left?.reason !== 'page-limit') return passed('scope', detail);
  return { ...stopped('scope', 'page-limit', { ...detail, rule: String(rules.settings.limits.pages) }), at: left.at };
}

/** Named by a list or a person: visited whatever its URL template is like. */
const NAMED: ReadonlySet<string> = new Set(['seed', 'sitemap', 'feed', 'queued']);

function discoveryStep(inputs: ExplainInputs): ExplainedStep {
  const { record, path, links } = inputs;
  if (record === undefined) return unknownStep(inputs);
  const { origin, depth, firstSeenAt: at } = record;
  const detail = { origin, depth, from: path[1]?.url ?? null, ...links };
  return { ...passed('discovery', detail), at };
}

function unknownStep({ crawler, left, discarded, path }: ExplainInputs): ExplainedStep {
  const from = path[1]?.url ?? null;
  if (left?.reason === 'nofollow') return { ...stopped('discovery', 'nofollow', { from }), at: left.at };
  if (discarded !== undefined) return { ...stopped('discovery', discarded.reason, {}), at: discarded.at };
  return stopped('discovery', crawler.active ? 'none' : 'inactive', { from });
}

function robotsStep({ url, rules, host, now }: ExplainInputs): ExplainedStep {
  if (rules.settings.robots === 'ignore') return passed('robots', { ignored: true });
  const copy = host?.robots;
  if (host === undefined || copy === undefined) return { ...passed('robots', { read: false }), result: 'note' };
  const file = { file: `${host.origin}/robots.txt`, status: copy.status > 0 ? copy.status : null };
  const policy = judgeCopy(copy, rules.settings.robotsToken, { now, heldUntil: host.heldUntil });
  if (policy.kind === 'unreachable') {
    return { ...stopped('robots', robotsFailure(copy.status) ?? 'robots-unreachable', file), at: copy.at };
  }
  const { allowed, rule } = policy.judge(url);
  const detail = { ...file, line: rule?.line ?? null, rule: rule?.text ?? null };
  return { ...(allowed ? passed('robots', detail) : stopped('robots', 'robots', detail)), at: copy.at };
}

function frontierStep(inputs: ExplainInputs): ExplainedStep {
  const { crawler, record, waiting, wait, run, visits } = inputs;
  if (waiting !== undefined && wait !== undefined) {
    const { stage, priority, dueAt, attempts, crashes, isLeased } = waiting;
    const row = { run: waiting.runId, runState: run?.state, stage, priority, attempts, crashes, isLeased };
    const detail = { ...row, dueAt: new Date(dueAt).toISOString(), waitsFor: wait.cause, ...heldDetail(wait) };
    return { ...stopped('frontier', waitReason(inputs, wait), detail), at: dueAt };
  }
  if (!crawler.active && record?.facts.state === 'known') return stopped('frontier', 'inactive', {});
  const last = visits[0];
  if (record?.facts.state === 'known' && last === undefined) return stopped('frontier', 'none', {});
  return outcomeStep(inputs, 'frontier', {});
}

/** What a waiting URL waits for: its own last failure says more than the hold of its host. */
function waitReason({ visits, waiting }: ExplainInputs, wait: Wait): Reason {
  const last = visits[0];
  if (last?.outcome === 'deferred' && last.runId === waiting?.runId) return last.reason;
  return isHeld(wait) ? 'host-held' : 'none';
}

function heldDetail(wait: Wait): ExplainedStep['detail'] {
  const { until, reason, hold } = wait;
  if (until === undefined || !isHeld(wait)) return {};
  const held = { heldUntil: new Date(until).toISOString(), holdReason: reason };
  if (hold === undefined) return held;
  const { askedUntil, crawlerId, urls } = hold;
  const requested = askedUntil === undefined ? {} : { askedUntil: new Date(askedUntil).toISOString() };
  return { ...held, ...requested, causedBy: crawlerId, urls };
}
