import type { Reason } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import type { UrlFacts } from '../../storage/frontier-store.ts';
import type { ExplainedStep, StepName } from './explanation.ts';
import type { ExplainInputs } from './inputs.ts';
import { stepOfReason } from './reason-steps.ts';

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
export function outcomeStep(inputs: ExplainInputs, step: StepName, detail: Detail): ExplainedStep {
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
  const detail = { chars: contentChars ?? null, kind };
  return hasNoText(inputs) ? stopped('extract', 'empty', detail) : outcomeStep(inputs, 'extract', detail);
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
