import type { Crawler } from '../core/records.ts';
import { normalizeUrl } from '../core/url.ts';
import { earlySteps } from './explain/early-steps.ts';
import type { ExplainedStep, UrlExplanation } from './explain/explanation.ts';
import { type ExplainInputs, type ExplainUrlDeps, gatherInputs } from './explain/inputs.ts';
import { nextVisit } from './explain/next-visit.ts';
import { lateSteps, passed, stopped } from './explain/outcome-steps.ts';
import { judgeUrl } from './explain/verdict.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { REASON_TEXTS } from './rules/reasons.ts';

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
