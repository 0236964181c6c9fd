import type { Reason } from '../../core/crawl-words.ts';
import { robotsFailure } from '../rules/robots.ts';
import { judgeCopy } from '../visit/robots-copies.ts';
import { isHeld, type Wait } from '../why-not-now.ts';
import type { ExplainedStep } from './explanation.ts';
import type { ExplainInputs } from './inputs.ts';
import { outcomeStep, passed, stopped } from './outcome-steps.ts';

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
  const asked = askedUntil === undefined ? {} : { askedUntil: new Date(askedUntil).toISOString() };
  return { ...held, ...asked, causedBy: crawlerId, urls };
}
