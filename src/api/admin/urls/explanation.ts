import type { UrlExplanation } from '../../../crawl/explain/explanation.ts';
import { timeText } from '../responses.ts';

export function urlExplanationBody(explained: UrlExplanation) {
  const { normalForm, steps, visits, aliasOf, duplicateOf, pattern, next, document, ...rest } = explained;
  return {
    ...rest,
    normalForm: normalForm ?? null,
    steps: steps.map(stepBody),
    visits: visits.map((visit) => ({ ...visit, at: timeText(visit.at), status: visit.status ?? null })),
    aliasOf: aliasOf ?? null,
    duplicateOf: duplicateOf ?? null,
    pattern: { ...pattern, closedBy: pattern.closedBy ?? null },
    next: { at: timeText(next.at), why: next.why },
    document: document === undefined ? null : { ...document, updatedAt: timeText(document.updatedAt) },
  };
}

export function stepBody({ step, result, reason, detail, at }: UrlExplanation['steps'][number]) {
  return { step, result, reason: reason ?? null, detail, at: timeText(at) };
}
