import type { Reason } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import type { UrlFacts } from '../../storage/frontier-store.ts';
import type { Evidence } from './evidence.ts';
import type { ExplainedStep, StepName } from './explanation.ts';
import { stepOfReason } from './reason-steps.ts';

type Detail = ExplainedStep['detail'];

export function passed(step: StepName, detail: Detail): ExplainedStep {
  return { step, result: 'pass', reason: undefined, detail, at: undefined };
}

export function stopped(step: StepName, reason: Reason, detail: Detail): ExplainedStep {
  return { step, result: 'stop', reason, detail, at: undefined };
}

/** What the last visit met, from its answer to the index. */
export function lateSteps(evidence: Evidence): readonly ExplainedStep[] {
  const { record, pattern } = evidence;
  if (record === undefined || record.visits === 0) return evidence.document === undefined ? [] : indexSteps(evidence);
  const { facts } = record;
  const target = record.targetUrl ?? null;
  return [
    fetchStep(evidence),
    outcomeStep(evidence, 'render', { verdict: pattern?.render ?? null }),
    outcomeStep(evidence, 'directives', ruleOf(evidence)),
    outcomeStep(evidence, 'canonical', { target: facts.state === 'twin' ? null : target }),
    outcomeStep(evidence, 'twin', { target: facts.state === 'twin' ? target : null }),
    extractStep(evidence, facts),
    ...indexSteps(evidence),
  ];
}

/** A stop where the present reason of the URL belongs to the step, else a pass. */
export function outcomeStep(evidence: Evidence, step: StepName, detail: Detail): ExplainedStep {
  const reason = presentReason(evidence);
  const at = evidence.visits[0]?.at ?? evidence.record?.visitedAt;
  if (reason === undefined || stepOfReason(reason) !== step) return { ...passed(step, detail), at };
  return { ...stopped(step, reason, detail), at };
}

/** Of the newest visit where it is the one that the record was last changed by, or a failed try since. */
export function presentReason({ record, visits }: Evidence): Reason | undefined {
  const last = visits[0];
  if (record === undefined || record.visits === 0) return last?.reason;
  const isLater = last !== undefined && (last.outcome === 'deferred' || last.outcome === 'failed');
  return isLater ? last.reason : record.facts.reason;
}

function fetchStep(evidence: Evidence): ExplainedStep {
  const { record, visits } = evidence;
  const last = visits.find(({ httpStatus }) => httpStatus !== undefined);
  const { redirects } = detailOf(visits[0]?.detail);
  const status = visits[0]?.httpStatus ?? record?.facts.httpStatus ?? null;
  const detail = {
    status,
    bytes: last?.bytes ?? null,
    millis: last?.millis ?? null,
    ...(redirects ? { redirects } : {}),
  };
  return outcomeStep(evidence, 'fetch', detail);
}

function extractStep(evidence: Evidence, { contentChars, kind }: UrlFacts): ExplainedStep {
  const detail = { chars: contentChars ?? null, kind };
  return hasNoText(evidence) ? stopped('extract', 'empty', detail) : outcomeStep(evidence, 'extract', detail);
}

/** A document of a title only. */
export function hasNoText({ record, document }: Evidence): boolean {
  return document?.origin === 'crawled' && record?.facts.state === 'live' && record.facts.contentChars === 0;
}

function ruleOf({ visits }: Evidence): Detail {
  const { rule } = detailOf(visits[0]?.detail);
  return rule === undefined || rule === '' ? {} : { rule };
}

function detailOf(detail: string | undefined): Readonly<Record<string, unknown>> {
  return detail === undefined ? {} : (JSON.parse(detail) as Readonly<Record<string, unknown>>);
}

function indexSteps(evidence: Evidence): readonly ExplainedStep[] {
  const { document, visibleSeq } = evidence;
  if (document === undefined) {
    const reason = presentReason(evidence);
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
