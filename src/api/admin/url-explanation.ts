import type { DryRunPage } from '../../crawl/dry-run/dry-run-page.ts';
import type { UrlExplanation } from '../../crawl/explain/outcome-steps.ts';
import type { UrlDryRun } from '../../crawl/test-url.ts';
import { timeText } from './responses.ts';

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

function stepBody({ step, result, reason, detail, at }: UrlExplanation['steps'][number]) {
  return { step, result, reason: reason ?? null, detail, at: timeText(at) };
}

export function urlDryRunBody({ normalForm, outcome, steps, fetch, http, diff, ...rest }: UrlDryRun) {
  return {
    ...rest,
    normalForm: normalForm ?? null,
    outcome: outcome ?? null,
    steps: steps.map(stepBody),
    fetch: fetch === undefined ? null : { ...fetch, headers: Object.fromEntries(fetch.headers) },
    http: http === undefined ? null : dryRunPageBody(http),
    diff: diff ?? null,
  };
}

export function dryRunPageBody({ fields, links, directives, sections, blocks, ...page }: DryRunPage) {
  return {
    ...page,
    language: page.language ?? null,
    languageFrom: page.languageFrom ?? null,
    canonicalUrl: page.canonicalUrl ?? null,
    refreshUrl: page.refreshUrl ?? null,
    renderWanted: page.renderWanted ?? null,
    directives: { ...directives, unavailableAfter: timeText(directives.unavailableAfter) },
    fields: fields.map(({ name, values, source }) => ({ name, values, source: source ?? null })),
    sections: sections.map(({ page: number, anchor, ...section }) => ({
      ...section,
      page: number ?? null,
      anchor: anchor ?? null,
    })),
    blocks: blocks.map(({ probability, rule, ...block }) => ({
      ...block,
      probability: probability ?? null,
      rule: rule ?? null,
    })),
    links: links.map(({ reason, rule, ...link }) => ({ ...link, reason: reason ?? null, rule: rule ?? null })),
  };
}
