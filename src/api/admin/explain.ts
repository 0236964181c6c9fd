import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { firstValue } from '../../core/document.ts';
import { valuesOf } from '../../core/filters.ts';
import { normalizeUrl } from '../../core/url.ts';
import { findUrlOwner, type LeftOutBy } from '../../crawl/explain/find-owner.ts';
import { REASON_TEXTS } from '../../crawl/rules/reasons.ts';
import {
  type ExplainDeps,
  type ExplainedHit,
  type ExplainedQuery,
  explainHit,
  explainQuery,
} from '../../search/explain-hit.ts';
import type { ScorePart } from '../../search-index/explanation.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { bind } from '../binding.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { SEARCH_REQUEST } from '../search/schemas.ts';
import { REASON } from './crawl-responses.ts';
import { idOf, queryOf } from './requests.ts';
import { shownExplanation, URL_EXPLANATION_BODY, type UrlExplanationDeps } from './url-explanation.ts';

export type ExplainRouteDeps = ExplainDeps &
  UrlExplanationDeps & { readonly store: Pick<AccountStore, 'findEngine' | 'listCrawlers'> };

const DEADLINE_MS = 30_000;

/** `search` = the body of a search, as v4 takes it. */
export const HIT_EXPLANATION = z.strictObject({
  id: z.string().min(1),
  crawler: z.int().min(1).optional(),
  search: z.record(z.string(), z.unknown()),
});

/** `search`: the same; `url`: of a document whose place, or absence, is to be told as well. */
export const QUERY_EXPLANATION = z.strictObject({
  search: z.record(z.string(), z.unknown()),
  url: z.string().min(1).optional(),
});
export const URL_QUESTION = z.strictObject({ url: z.string().min(1) });

/** Why a document stands where it stands in a search, or why it is not there. */
export function explainRoutes(deps: ExplainRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.post('/engines/:engineId/explain', { config: { access: 'editor' } }, async (request, reply) => {
      const engineId = idOf(request, 'engineId');
      const engine = requireRecord('engine', engineId, await deps.store.findEngine(engineId));
      const { id, crawler, search } = parseStrictly(HIT_EXPLANATION, request.body);
      const { request: asked } = bind(SEARCH_REQUEST.v4, search);
      const signal = requestSignal(reply, DEADLINE_MS);
      return explanationBody(await explainHit(deps, { engine, request: asked, crawlerId: crawler, id, signal }));
    });

    app.post('/engines/:engineId/explain-query', { config: { access: 'editor' } }, async (request, reply) => {
      const engineId = idOf(request, 'engineId');
      const engine = requireRecord('engine', engineId, await deps.store.findEngine(engineId));
      const { search, url } = parseStrictly(QUERY_EXPLANATION, request.body);
      const { request: asked } = bind(SEARCH_REQUEST.v4, search);
      const signal = requestSignal(reply, DEADLINE_MS);
      const id = url === undefined ? undefined : (normalizeUrl(url) ?? url);
      return queryExplanationBody(await explainQuery(deps, { engine, request: asked, id, signal }));
    });

    app.get('/engines/:engineId/explain', { config: { access: 'editor' } }, async (request) => {
      const engineId = idOf(request, 'engineId');
      requireRecord('engine', engineId, await deps.store.findEngine(engineId));
      const { url } = queryOf(URL_QUESTION, request);
      const { crawler, others } = await findUrlOwner(deps, await deps.store.listCrawlers({ engineId }), url);
      return {
        crawler: crawler?.id ?? null,
        explanation: crawler === undefined ? null : await shownExplanation(deps, crawler, url),
        others: others.map(leftOutBody),
      } satisfies Shown<typeof URL_OWNER_BODY>;
    });
  };
}

type PartBody = Pick<ScorePart, 'name' | 'value' | 'inputs'> & { readonly parts?: readonly PartBody[] | undefined };
const SCORE_PART: z.ZodType<PartBody> = z
  .object({
    name: z.string(),
    value: z.number(),
    inputs: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
    parts: z.array(z.lazy(() => SCORE_PART)).optional(),
  })
  .meta({ id: 'ScorePart', description: 'A number of a score, and what it is made of.' });

const MESSAGE = z.string();
/** A node of the tree of a query: its form follows the engine, and is for people. */
const NODE = z.record(z.string(), z.unknown());
const MISMATCH = z
  .union([
    z.object({ cause: z.enum(['unknown', 'deleted', 'waiting', 'missing', 'removed']), message: MESSAGE }),
    z.object({ cause: z.literal('words'), message: MESSAGE, clause: NODE.describe('What of the query keeps it out.') }),
    z.object({
      cause: z.enum(['filter', 'post-filter']),
      message: MESSAGE,
      condition: NODE.describe('The condition that keeps it out.'),
      values: z.array(z.string()).describe('What the document has in the field of the condition.'),
    }),
  ])
  .meta({ id: 'Mismatch' });
export const HIT_EXPLANATION_BODY = z
  .object({
    isHit: z.boolean(),
    rank: z.int().nullable().describe('Place among all hits from 1; null behind the first 10,000.'),
    pin: z.int().nullable().describe('The place that a ranking gives it.'),
    score: SCORE_PART.nullable().describe('null for what is no hit.'),
    reason: MISMATCH.nullable().describe('null for a hit.'),
    fixedQuery: z.string().describe('The corrected query that was run; "" = the one that was sent.'),
    rid: z.int().nullable(),
    indexSeq: z.int().describe('The last change that searches see.'),
    documentSeq: z.int().nullable().describe('The last change of the document.'),
  })
  .meta({ id: 'HitExplanation' });

function explanationBody(explained: ExplainedHit): Shown<typeof HIT_EXPLANATION_BODY> {
  const { seq, rank, pin, score, fixedQuery, ...rest } = explained;
  return {
    isHit: rest.mismatch === undefined,
    rank: rank ?? null,
    pin: pin ?? null,
    score: score === undefined ? null : partBody(score),
    reason: reasonBody(rest),
    fixedQuery,
    rid: rest.document?.rid ?? null,
    indexSeq: seq,
    documentSeq: rest.document?.seq ?? null,
  };
}

function partBody({ name, value, inputs, parts }: ScorePart): PartBody {
  return { name, value, inputs, ...(parts.length > 0 && { parts: parts.map(partBody) }) };
}

const ABSENCES = {
  unknown: 'The crawler has no document with this id',
  deleted: 'The document is deleted',
  waiting: 'The document is stored, but its last change is not indexed yet',
  missing: 'The document is stored, but the index lacks it: make the index anew',
} as const;

function reasonBody({
  mismatch,
  absence,
  document,
}: Pick<ExplainedHit, 'mismatch' | 'absence' | 'document'>): Shown<typeof MISMATCH> | null {
  if (mismatch === undefined) return null;
  switch (mismatch.cause) {
    case 'absent':
      return { cause: absence ?? 'unknown', message: ABSENCES[absence ?? 'unknown'] };
    case 'removed':
      return { cause: 'removed', message: 'A ranking of this query hides the document, or it is a hidden page' };
    case 'words': {
      const { node, isExcluded } = mismatch;
      const message = isExcluded
        ? 'The document has what the query excludes'
        : 'The document lacks what the query asks';
      return { cause: 'words', message, clause: node };
    }
    default: {
      const { cause, filter, isExcluded } = mismatch;
      const values = 'field' in filter && document !== undefined ? valuesOf(document, filter.field) : [];
      const message = isExcluded
        ? 'The document passes a condition that excludes it'
        : 'The document fails a condition';
      return { cause, message, condition: filter, values };
    }
  }
}

const EXPLAINED_HIT = z.object({
  rank: z.int().describe('From 1, over all pages.'),
  pin: z.int().nullable().describe('The place that a ranking gives it.'),
  rid: z.int(),
  crawler: z.int(),
  id: z.string(),
  title: z.string(),
  url: z.string(),
  score: SCORE_PART.nullable(),
});
export const QUERY_EXPLANATION_BODY = z
  .object({
    total: z.int(),
    fixedQuery: z.string().describe('The corrected query that was run; "" = the one that was sent.'),
    hits: z.array(EXPLAINED_HIT),
    document: HIT_EXPLANATION_BODY.nullable().describe('Of `url`; null when none was named.'),
  })
  .meta({ id: 'QueryExplanation' });

function queryExplanationBody(explained: ExplainedQuery): Shown<typeof QUERY_EXPLANATION_BODY> {
  const { total, fixedQuery, hits, document } = explained;
  return {
    total,
    fixedQuery,
    hits: hits.map(({ rank, pin, score, document: { rid, crawlerId, id, fields } }) => ({
      rank,
      pin: pin ?? null,
      rid,
      crawler: crawlerId,
      id,
      title: firstValue(fields, 'Title'),
      url: firstValue(fields, 'Url') || id,
      score: score === undefined ? null : partBody(score),
    })),
    document: document === undefined ? null : explanationBody(document),
  };
}

const LEFT_OUT_BY = z.object({
  crawler: z.int(),
  name: z.string(),
  reason: REASON,
  cause: z.string(),
  advice: z.string().nullable(),
  rule: z.string().nullable().describe('The rule of the crawler that leaves it out.'),
});
export const URL_OWNER_BODY = z
  .object({
    crawler: z.int().nullable().describe('Who knows the URL or would visit it; null: no crawler of the engine.'),
    explanation: URL_EXPLANATION_BODY.nullable(),
    others: z.array(LEFT_OUT_BY).describe('Crawlers whose rules leave it out, the nearest first.'),
  })
  .meta({ id: 'UrlOwner' });

function leftOutBody({ crawler, reason, rule }: LeftOutBy): Shown<typeof LEFT_OUT_BY> {
  const { id, name } = crawler;
  return { crawler: id, name, reason, ...REASON_TEXTS[reason], rule: rule === '' ? null : rule };
}
