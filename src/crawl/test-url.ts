import type { Outcome, Reason } from '../core/crawl-words.ts';
import type { Crawler } from '../core/records.ts';
import { normalizeUrl, originOf } from '../core/url.ts';
import type { Hop } from '../fetch/fetcher.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import {
  type DryRunPage,
  type DryRunVisit,
  type DryRunVisitDeps,
  type DryRunVisited,
  dryRunPage,
  prepareDryRun,
  visitWithoutTrace,
  withSlot,
} from './dry-run/dry-run-page.ts';
import { diffFields, type FieldDiff } from './dry-run/field-diff.ts';
import { type ExplainedStep, passed, stepOfReason, stopped } from './explain/outcome-steps.ts';
import type { HostHolds } from './host-holds.ts';
import { REASON_TEXTS } from './rules/reasons.ts';

export type TestUrlDeps = DryRunVisitDeps & {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly hostHolds: Pick<HostHolds, 'ofHost'>;
};

export type DryRunFetch = {
  readonly finalUrl: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly firstByteMs: number;
  readonly millis: number;
  readonly wireBytes: number;
  readonly bodyBytes: number;
};

/** What a visit would do now. Nothing of it is stored. */
export type UrlDryRun = {
  readonly url: string;
  readonly normalForm: string | undefined;
  /** Undefined when scope, robots.txt or login allow no visit. */
  readonly outcome: Outcome | undefined;
  readonly reason: Reason;
  readonly cause: string;
  readonly advice: string | null;
  readonly steps: readonly ExplainedStep[];
  readonly redirects: readonly Hop[];
  readonly fetch: DryRunFetch | undefined;
  readonly http: DryRunPage | undefined;
  /** Against the stored document; undefined when there is none, or would be none. */
  readonly diff: readonly FieldDiff[] | undefined;
};

/**
 * Visits a URL by the settings of `crawler`, which need not be stored, through egress gate, robots.txt and the slots
 * of its host, and stores nothing. Waits for a slot as long as the signal allows; a host that is held is told at once.
 */
export async function testUrl(
  deps: TestUrlDeps,
  input: { readonly crawler: Crawler; readonly url: string },
  signal: AbortSignal,
): Promise<UrlDryRun> {
  const { crawler, url: text } = input;
  const store = await deps.engineStores.of(crawler.engineId);
  const prepared = prepareDryRun(deps, { crawler, store });
  const { rules } = prepared;
  const url = normalizeUrl(text, rules.urlRules);
  if (url === undefined) return refused(text, undefined, [stopped('normal-form', 'scheme', { sent: text })]);
  const record = await store.findUrl(crawler.id, url);
  const steps = [passed('normal-form', { sent: text, changed: text !== url })];
  const scope = rules.scope({ url, depth: record?.depth ?? 0, queued: false, knownUrls: 0 });
  const rule = { rule: scope.rule === '' ? null : scope.rule };
  if (!scope.in) return refused(text, url, [...steps, stopped('scope', scope.reason, rule)]);
  steps.push(passed('scope', rule));
  const hold = deps.hostHolds.ofHost(originOf(url) ?? '', deps.clock.now());
  if (hold !== undefined) {
    const detail = { heldUntil: new Date(hold.until).toISOString(), crawler: hold.crawlerId };
    return refused(text, url, [...steps, stopped('fetch', hold.reason, detail)]);
  }
  const visit: DryRunVisit = { crawler, store, url, record, ...prepared };
  return withSlot(deps, { visit, signal }, async () => {
    const robots = await robotsStep(visit, signal);
    if (robots.result === 'stop') return refused(text, url, [...steps, robots]);
    const dryRun = await visitWithoutTrace(deps, visit, signal);
    return dryRunOf(visit, { text, dryRun, steps: [...steps, robots] });
  });
}

async function robotsStep({ robots, rules, url }: DryRunVisit, signal: AbortSignal): Promise<ExplainedStep> {
  if (rules.settings.robots === 'ignore') return passed('robots', { ignored: true });
  const policy = await robots.of(originOf(url) ?? '', signal);
  if (policy.kind === 'unreachable') return stopped('robots', 'robots-unreachable', {});
  const { allowed, rule } = policy.judge(url);
  const detail = { line: rule?.line ?? null, rule: rule?.text ?? null };
  return allowed ? passed('robots', detail) : stopped('robots', 'robots', detail);
}

function refused(url: string, normalForm: string | undefined, steps: readonly ExplainedStep[]): UrlDryRun {
  const reason = steps.at(-1)?.reason ?? 'none';
  const nothing = { outcome: undefined, redirects: [], fetch: undefined, http: undefined, diff: undefined };
  return { url, normalForm, reason, ...REASON_TEXTS[reason], steps, ...nothing };
}

type DryRunResult = { readonly text: string; readonly dryRun: DryRunVisited; readonly steps: readonly ExplainedStep[] };

async function dryRunOf(visit: DryRunVisit, { text, dryRun, steps }: DryRunResult): Promise<UrlDryRun> {
  const { visited, resource, hops, loginRefusal } = dryRun;
  const { url, rules, record } = visit;
  const log = visited?.decision.log;
  const reason = log?.reason ?? (loginRefusal === undefined ? 'none' : 'login-wall');
  const { document } = visited?.decision ?? {};
  const isStored = document !== undefined && 'put' in document;
  const diff = isStored ? await diffWithStored(visit, document.put.fields) : undefined;
  const extraction = visited?.extraction;
  return {
    url: text,
    normalForm: url,
    outcome: log?.outcome,
    reason,
    ...(isStored && storedAs(diff)),
    ...(isStored ? STORED : REASON_TEXTS[reason]),
    steps: [...steps, ...lateSteps({ reason, isStored, status: resource?.status, detail: log?.detail, loginRefusal })],
    redirects: hops,
    fetch: resource && {
      finalUrl: resource.url,
      status: resource.status,
      headers: resource.headers,
      firstByteMs: resource.firstByteMs,
      millis: resource.millis,
      wireBytes: resource.wireBytes,
      bodyBytes: resource.bodyBytes,
    },
    http: extraction && dryRunPage(extraction, rules, record?.depth ?? 0),
    diff,
  };
}

const STORED = { cause: 'The page can be read and would be stored.', advice: null };

function storedAs(diff: readonly FieldDiff[] | undefined): Pick<UrlDryRun, 'outcome' | 'reason'> {
  if (diff === undefined) return { outcome: 'added', reason: 'new' };
  if (diff.length === 0) return { outcome: 'unchanged', reason: 'same-content' };
  return { outcome: 'changed', reason: 'content-changed' };
}

async function diffWithStored(
  { store, crawler, url }: { readonly store: EngineStore; readonly crawler: Crawler; readonly url: string },
  fields: Parameters<typeof diffFields>[1],
): Promise<readonly FieldDiff[] | undefined> {
  const stored = await store.findDocument(crawler.id, url);
  return stored === undefined ? undefined : diffFields(stored.fields, fields);
}

type Ended = {
  readonly reason: Reason;
  readonly isStored: boolean;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly loginRefusal: string | undefined;
};

function lateSteps({ reason, isStored, status, detail, loginRefusal }: Ended): readonly ExplainedStep[] {
  const fetched = { status: status ?? null, ...(loginRefusal !== undefined && { login: loginRefusal }) };
  if (isStored) return [passed('fetch', fetched), passed('extract', {}), passed('document', {})];
  const step = stepOfReason(reason) ?? 'document';
  const told = detail === undefined ? {} : (JSON.parse(detail) as Readonly<Record<string, unknown>>);
  if (step === 'fetch') return [stopped('fetch', reason, { ...fetched, ...told })];
  return [passed('fetch', fetched), stopped(step, reason, told)];
}
