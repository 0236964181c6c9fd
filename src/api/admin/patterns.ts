import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import type { Clock } from '../../core/clock.ts';
import { findDuplicates } from '../../crawl/duplicates.ts';
import { browsePatterns, type ShownPattern, switchPattern } from '../../crawl/patterns.ts';
import { CLOSE_RULES } from '../../storage/engine/patterns.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { tellAudit } from './access.ts';
import { NEAR_DUPLICATES_BODY } from './crawl-responses.ts';
import { crawlerOf, idOf, LIST_QUERY, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

export type PatternRouteDeps = {
  readonly store: Pick<AccountStore, 'findCrawler' | 'recordAction'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
};

export const PATTERN_LIST = z.strictObject({ ...LIST_QUERY, closed: z.enum(['true', 'false']).default('false') });
export const DUPLICATE_LIST = z.strictObject(LIST_QUERY);

/** Families of URLs, the operator's word about them, and pages with the same content. */
export function patternRoutes(deps: PatternRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers/:crawlerId/patterns', { config: { access: 'editor' } }, async (request) => {
      const crawler = await crawlerOf(deps.store, request);
      const { limit, after = 0, closed } = queryOf(PATTERN_LIST, request);
      const { patterns, next } = await browsePatterns(deps, crawler, { limit, after, closed: closed === 'true' });
      return { items: patterns.map(patternBody), next: next ?? null };
    });

    for (const action of ['open', 'close'] as const) {
      app.post(`/crawlers/:crawlerId/patterns/:patternId/${action}`, async (request) => {
        const crawler = await crawlerOf(deps.store, request);
        const patternId = idOf(request, 'patternId');
        const target = `crawler:${crawler.id}/pattern:${patternId}`;
        await tellAudit(deps, request, { action: `${action}-pattern`, target });
        return patternBody(
          requireRecord('pattern', patternId, await switchPattern(deps, crawler, { patternId, action })),
        );
      });
    }

    app.get('/crawlers/:crawlerId/duplicates', { config: { access: 'editor' } }, async (request) => {
      const crawler = await crawlerOf(deps.store, request);
      const { limit, after = 0 } = queryOf(DUPLICATE_LIST, request);
      const { duplicates, next, near } = await findDuplicates(deps, crawler, { limit, after });
      return { items: duplicates, next: next ?? null, near } satisfies Shown<typeof DUPLICATES_BODY>;
    });
  };
}

export const DUPLICATES_BODY = z
  .object({
    items: z.array(z.object({ url: z.string(), duplicateOf: z.string(), cause: z.string() })),
    next: z.int().nullable(),
    near: NEAR_DUPLICATES_BODY.nullable().describe(
      'Pages that are nearly the same, as the last full run counted them.',
    ),
  })
  .meta({ id: 'Duplicates' });

export const PATTERN_BODY = z
  .object({
    id: z.int(),
    host: z.string(),
    pattern: z.string(),
    known: z.int().describe('URLs of it that are known.'),
    visited: z.int().describe('First visits that were made.'),
    informative: z.int().describe('Those of them that brought something of their own.'),
    quarantine: z.boolean().describe('It brought so little that its URLs come last.'),
    closedAt: TIME.nullable(),
    rule: z.enum(CLOSE_RULES).nullable().describe('What closed it; `kept-open`: no rule may close it.'),
    examples: z.array(z.string()).describe('Of a closed one: URLs of pages that brought nothing.'),
  })
  .meta({ id: 'Pattern' });

function patternBody(shown: ShownPattern): Shown<typeof PATTERN_BODY> {
  const { id, origin: host, pattern, known, visited, informative, quarantine, closedAt, closeRule, examples } = shown;
  const counts = { known, visited, informative };
  return { id, host, pattern, ...counts, quarantine, closedAt: timeText(closedAt), rule: closeRule ?? null, examples };
}
