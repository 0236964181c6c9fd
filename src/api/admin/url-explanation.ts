import { z } from 'zod';
import { OUTCOMES, URL_ORIGINS } from '../../core/crawl-words.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS } from '../../core/document.ts';
import type { Crawler } from '../../core/records.ts';
import { explainUrl } from '../../crawl/browse-urls.ts';
import type { DryRunPage } from '../../crawl/dry-run/dry-run-page.ts';
import { EXPLAIN_STEPS, URL_VERDICTS, type UrlExplanation } from '../../crawl/explain/outcome-steps.ts';
import type { ExplainUrlDeps } from '../../crawl/explain/verdict.ts';
import type { UrlDryRun } from '../../crawl/test-url.ts';
import { EXTRACTION_STATUSES } from '../../extract/extraction.ts';
import { findHiddenPage } from '../../search-tools/hidden-pages.ts';
import type { HiddenPage, ToolStore } from '../../storage/system/tools.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { REASON } from './crawl-responses.ts';
import { MANAGED_BY, TIME, timeText } from './responses.ts';

const STEP = z
  .object({
    step: z.enum(EXPLAIN_STEPS),
    result: z.enum(['pass', 'stop', 'note']),
    reason: REASON.nullable(),
    detail: z
      .record(z.string(), z.unknown())
      .describe('What belongs to the step: a rule, a line of robots.txt, a status.'),
    at: TIME.nullable(),
  })
  .meta({ id: 'UrlStep', description: 'A step from the URL to its place in the index; `stop`: here its way ends.' });
const JUDGED = {
  url: z.string().describe('As it was asked for.'),
  normalForm: z.string().nullable(),
  reason: REASON,
  cause: z.string(),
  advice: z.string().nullable(),
  steps: z.array(STEP),
};

const HIDDEN = z.object({
  id: z.int().describe('Of the hidden page.'),
  note: z.string().nullable(),
  hiddenAt: TIME,
  managedBy: MANAGED_BY,
  command: z.string().describe('What shows it again.'),
});

export const URL_EXPLANATION_BODY = z
  .object({
    ...JUDGED,
    verdict: z.enum([...URL_VERDICTS, 'hidden']).describe('`hidden`: indexed, and shown to no visitor.'),
    hidden: HIDDEN.nullable().describe('What hides its document from every search and answer.'),
    foundBy: z.object({
      origin: z.enum([...URL_ORIGINS, 'none']),
      path: z.array(z.string()).describe('Pages that lead to it, the nearest first, at most 20.'),
      inlinks: z.int(),
    }),
    visits: z
      .array(
        z.object({
          at: TIME,
          outcome: z.enum(OUTCOMES),
          reason: REASON,
          status: z.int().nullable(),
          bytes: z.int(),
          millis: z.number(),
        }),
      )
      .describe('The newest 8.'),
    aliasOf: z.string().nullable(),
    duplicateOf: z.string().nullable(),
    pattern: z.object({ text: z.string(), closedBy: z.string().nullable(), render: z.string() }),
    next: z.object({ at: TIME.nullable(), why: z.string() }).describe('When it is visited next.'),
    document: z
      .object({
        id: z.string(),
        rid: z.int(),
        seq: z.int(),
        origin: z.enum(DOCUMENT_ORIGINS),
        updatedAt: TIME,
        visibleSeq: z.int().describe('The last change that searches see.'),
      })
      .nullable(),
  })
  .meta({ id: 'UrlExplanation' });

export type UrlExplanationDeps = ExplainUrlDeps & { readonly systemStore: Pick<ToolStore, 'listTools'> };

/** What became of a URL, and whether an editor hides its document. */
export async function shownExplanation(deps: UrlExplanationDeps, crawler: Crawler, url: string) {
  const explained = await explainUrl(deps, crawler, url);
  const body = urlExplanationBody(explained);
  const { customerId, engineId } = crawler;
  const documentId = explained.document?.id;
  if (documentId === undefined) return body;
  const hidden = await findHiddenPage(deps, { customerId, engineId, documentId });
  return hidden === undefined ? body : { ...body, ...hiddenBody(hidden, explained.verdict) };
}

const HIDDEN_CAUSE = 'The page is in the index, and an editor hides it from every search and answer.';

function hiddenBody({ id, engineId, note, hiddenAt, managedBy }: HiddenPage, verdict: UrlExplanation['verdict']) {
  const command = managedBy === undefined ? `fossick hide remove ${engineId} ${id}` : 'fossick apply';
  const hidden = { id, note: note ?? null, hiddenAt: timeText(hiddenAt), managedBy: managedBy ?? null, command };
  if (verdict !== 'searchable') return { hidden };
  const advice =
    managedBy === undefined
      ? `Show it again: ${command}`
      : `Take it out of hiddenPages in ${managedBy} and run ${command}`;
  return { hidden, verdict: 'hidden' as const, cause: HIDDEN_CAUSE, advice };
}

function urlExplanationBody(explained: UrlExplanation): Shown<typeof URL_EXPLANATION_BODY> {
  const { normalForm, steps, visits, aliasOf, duplicateOf, pattern, next, document, ...rest } = explained;
  return {
    ...rest,
    hidden: null,
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

function stepBody({ step, result, reason, detail, at }: UrlExplanation['steps'][number]): Shown<typeof STEP> {
  return { step, result, reason: reason ?? null, detail, at: timeText(at) };
}

const FETCHED = z.object({
  finalUrl: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  firstByteMs: z.number(),
  millis: z.number(),
  wireBytes: z.int(),
  bodyBytes: z.int(),
});
const READ_FIELD = z.object({
  name: z.string(),
  values: z.array(z.string()),
  source: z.string().nullable().describe('Where the page says it: `h1`, `og:title`, `json-ld`.'),
});
const READ_SECTION = z.object({
  headings: z.array(z.string()),
  anchor: z.string().nullable(),
  page: z.int().nullable(),
  grounding: z.boolean().describe('It may be quoted, and be a source of an answer.'),
  chars: z.int(),
  text: z.string().describe('Its beginning.'),
});
const READ_BLOCK = z.object({
  text: z.string(),
  kind: z.string(),
  probability: z.number().nullable().describe('That it is main text, where a model was asked.'),
  share: z.number().describe('Share of the known pages of the site that hold it.'),
  rule: z.enum(['include', 'exclude']).nullable(),
  chosen: z.boolean(),
  why: z.string(),
});
const FIELD_RULE = z.object({
  path: z.string().describe('`content.fields[2]`.'),
  name: z.string(),
  raw: z.array(z.string()).describe('What its source gave.'),
  values: z.array(z.string()),
  dropped: z.int().describe('Values that were not of the wanted form.'),
  outcome: z.enum(['used', 'no-value', 'kept', 'not-meant']),
});
const LINK = z.object({
  url: z.string(),
  text: z.string(),
  follow: z.boolean().describe('The page allows to follow it.'),
  inScope: z.boolean(),
  reason: REASON.nullable(),
  rule: z.string().nullable(),
});
const READ_PAGE_BODY = z
  .object({
    status: z.enum(EXTRACTION_STATUSES),
    note: z.string(),
    kind: z.enum(DOCUMENT_KINDS),
    media: z.string(),
    charset: z.string(),
    language: z.string().nullable(),
    languageFrom: z.string().nullable(),
    canonicalUrl: z.string().nullable(),
    refreshUrl: z.string().nullable(),
    renderWanted: z.string().nullable().describe('Why a browser would see more.'),
    directives: z.object({
      index: z.boolean(),
      follow: z.boolean(),
      snippet: z.boolean(),
      unavailableAfter: TIME.nullable(),
      sources: z.array(z.string()),
    }),
    fields: z.array(READ_FIELD),
    sections: z.array(READ_SECTION),
    blocks: z.array(READ_BLOCK),
    rules: z.array(FIELD_RULE),
    hiddenChars: z.int(),
    notes: z.array(z.string()),
    links: z.array(LINK),
    linkCount: z.int().describe('Of all links, shown or not.'),
  })
  .meta({ id: 'ReadPage' });

export const URL_DRY_RUN_BODY = z
  .object({
    ...JUDGED,
    outcome: z.enum(OUTCOMES).nullable().describe('null where scope, robots.txt or login allow no visit.'),
    redirects: z.array(z.object({ from: z.string(), to: z.string(), status: z.int() })),
    fetch: FETCHED.nullable(),
    http: READ_PAGE_BODY.nullable().describe('What was read from the page.'),
    diff: z
      .array(
        z.object({
          field: z.string(),
          change: z.enum(['added', 'removed', 'changed']),
          lines: z.array(z.string()).describe('Of a unified diff.'),
        }),
      )
      .nullable()
      .describe('Against the stored document.'),
  })
  .meta({ id: 'UrlDryRun' });

export function urlDryRunBody(dryRun: UrlDryRun): Shown<typeof URL_DRY_RUN_BODY> {
  const { normalForm, outcome, steps, fetch, http, diff, ...rest } = dryRun;
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

export function dryRunPageBody({
  fields,
  links,
  directives,
  sections,
  blocks,
  ...page
}: DryRunPage): Shown<typeof READ_PAGE_BODY> {
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
