import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { valuesOf } from '../../core/filters.ts';
import { type ExplainDeps, type ExplainedHit, explainHit } from '../../search/explain-hit.ts';
import type { ScorePart } from '../../search-index/explanation.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { bind } from '../binding.ts';
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
    app.post('/engines/:engineId/explain', async (request, reply) => {
      const engineId = idOf(request, 'engineId');
      const engine = requireRecord('engine', engineId, await deps.store.findEngine(engineId));
      const { id, crawler, search } = parseStrictly(HIT_EXPLANATION, request.body);
      const { request: asked } = bind(SEARCH_REQUEST.v4, search);
      const signal = requestSignal(reply, DEADLINE_MS);
      return explanationBody(await explainHit(deps, { engine, request: asked, crawlerId: crawler, id, signal }));
    });
  };
}

/** `reason` is null for a hit, `score` for a document that is none. */
function explanationBody({ seq, rank, pin, score, fixedQuery, ...rest }: ExplainedHit) {
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

type PartBody = Pick<ScorePart, 'name' | 'value' | 'inputs'> & { readonly parts?: readonly PartBody[] };

function partBody({ name, value, inputs, parts }: ScorePart): PartBody {
  return { name, value, inputs, ...(parts.length > 0 && { parts: parts.map(partBody) }) };
}

const ABSENCES = {
  unknown: 'The crawler has no document with this id',
  deleted: 'The document is deleted',
  waiting: 'The document is stored, but its last change is not indexed yet',
  missing: 'The document is stored, but the index lacks it: make the index anew',
} as const;

function reasonBody({ mismatch, absence, document }: Pick<ExplainedHit, 'mismatch' | 'absence' | 'document'>) {
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
