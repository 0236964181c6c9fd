import type { Reason } from '../../core/crawl-words.ts';
import { REASON_TEXTS, type ReasonText } from '../rules/reasons.ts';
import { isHeld } from '../why-not-now.ts';
import type { ExplainedStep, StepName, UrlVerdict } from './explanation.ts';
import type { ExplainInputs } from './inputs.ts';
import { hasNoText, presentReason } from './outcome-steps.ts';

type Judged = ReasonText & { readonly verdict: UrlVerdict; readonly reason: Reason };

const UNKNOWN: ReasonText = {
  cause: 'No page, sitemap, feed or person has named this URL.',
  advice: 'Link to it from a page that is crawled, list it in a sitemap, or queue it.',
};
const NOT_YET_INDEXED: ReasonText = {
  cause: 'The document is stored and will be found as soon as the index has it.',
  advice: null,
};
const PUSHED: ReasonText = { cause: 'The document was pushed through the API.', advice: null };
const NEXT_RUN: ReasonText = {
  cause: 'The URL is known and has not been visited yet.',
  advice: 'Start a run, or queue the URL.',
};
const IN_LINE: ReasonText = { cause: 'The URL waits for its visit.', advice: null };
const DELETED: ReasonText = {
  cause: 'The page was read, but its document was deleted since.',
  advice: 'Queue the URL to store it again.',
};

/** The one cause: that a document is there, or the first step that stops the way to one. */
export function judgeUrl(inputs: ExplainInputs, steps: readonly ExplainedStep[]): Judged {
  const { document, record } = inputs;
  const stop = steps.find(({ result }) => result === 'stop');
  if (document !== undefined) {
    if (stop !== undefined) return { verdict: 'stored', reason: storedReason(inputs), ...NOT_YET_INDEXED };
    const reason = storedReason(inputs);
    const text = record === undefined && document.origin === 'pushed' ? PUSHED : REASON_TEXTS[reason];
    return { verdict: 'searchable', reason, ...text };
  }
  const reason = stop?.reason ?? 'none';
  const verdict = verdictOf(inputs, stop?.step);
  return { verdict, reason, ...textOf(inputs, { verdict, reason, step: stop?.step }) };
}

/** Why its host is left alone; else the log tells what the last visit did to the document. */
function storedReason(inputs: ExplainInputs): Reason {
  if (inputs.wait !== undefined && isHeld(inputs.wait)) return inputs.wait.reason;
  if (hasNoText(inputs)) return 'empty';
  return inputs.visits[0]?.reason ?? presentReason(inputs) ?? 'new';
}

function verdictOf({ record, visits, waiting, left }: ExplainInputs, step: StepName | undefined): UrlVerdict {
  if (step === 'discovery' && record === undefined && left === undefined) return 'unknown';
  if (step === 'document' || (AFTER_VISIT.has(step) && wasRemoved(visits))) return 'removed';
  return step === 'frontier' || (waiting !== undefined && step === 'robots') ? 'waiting' : 'not-indexed';
}

/** Steps whose stop may have taken a document away. */
const AFTER_VISIT: ReadonlySet<StepName | undefined> = new Set([
  'scope',
  'fetch',
  'directives',
  'canonical',
  'duplicate',
  'extract',
]);

function wasRemoved(visits: ExplainInputs['visits']): boolean {
  return visits.some(({ outcome }) => outcome === 'removed');
}

function textOf(
  { waiting }: ExplainInputs,
  input: { readonly verdict: UrlVerdict; readonly reason: Reason; readonly step: StepName | undefined },
): ReasonText {
  if (input.step === 'document' && input.reason === 'removed') return DELETED;
  if (input.reason !== 'none') return REASON_TEXTS[input.reason];
  if (input.verdict === 'unknown') return UNKNOWN;
  return waiting === undefined ? NEXT_RUN : IN_LINE;
}
