import type { UrlTrial } from '../../../crawl/test-url.ts';
import type { TriedPage } from '../../../crawl/trial/tried-page.ts';
import { timeText } from '../responses.ts';
import { stepBody } from '../urls/explanation.ts';

export function urlTrialBody({ normalForm, outcome, steps, fetch, http, diff, ...rest }: UrlTrial) {
  return {
    ...rest,
    normalForm: normalForm ?? null,
    outcome: outcome ?? null,
    steps: steps.map(stepBody),
    fetch: fetch === undefined ? null : { ...fetch, headers: Object.fromEntries(fetch.headers) },
    http: http === undefined ? null : triedPageBody(http),
    diff: diff ?? null,
  };
}

export function triedPageBody({ fields, links, directives, sections, blocks, ...page }: TriedPage) {
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
