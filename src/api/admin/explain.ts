import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { valuesOf } from '../../core/filters.ts';
import { type ExplainDeps, type ExplainedHit, explainHit } from '../../search/explain-hit.ts';
import type { ScorePart } from '../../search-index/explanation.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { bind } from '../binding.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { SEARCH_REQUEST } from '../search/schemas.ts';
import { idOf } from './requests.ts';

export type ExplainRouteDeps = ExplainDeps & { readonly store: Pick<AccountStore, 'findEngine' | 'listCrawlers'> };

const DEADLINE_MS = 30_000;

/** `search` = the body of a search, as v4 takes it. */
export const HIT_EXPLANATION = z.strictObject({
  id: z.string().min(1),
  crawler: z.int().min(1).optional(),
  search: z.record(z.string(), z.unknown()),
});

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
      return { cause: 'removed', message: 'A ranking hides the document for this query' };
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
