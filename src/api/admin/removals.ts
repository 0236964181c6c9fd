import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { parseStrictly } from '../../accounts/problems.ts';
import type { Clock } from '../../core/clock.ts';
import { REASONS, REMOVAL_CLASSES, REMOVAL_STATES } from '../../core/crawl-words.ts';
import { approveRemovals, undoRemovals } from '../../crawl/removals.ts';
import { REMOVAL_ACTIONS, type Removal } from '../../storage/engine/removals.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { tellAudit } from './access.ts';
import { REASON } from './crawl-responses.ts';
import { crawlerOf, LIST_QUERY, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

export type RemovalRouteDeps = {
  readonly store: Pick<AccountStore, 'findCrawler' | 'recordAction'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
};

const MAX_RIDS = 1_000;
const MAX_GROUPS = 100;
const id = z.int().positive();
const text = z.string().min(1).max(2_048);

export const REMOVAL_LIST = z.strictObject({ ...LIST_QUERY, state: z.enum(REMOVAL_STATES).default('held') });
export const REMOVAL_GROUPS = z.strictObject({ state: z.enum(REMOVAL_STATES).default('held') });
const GROUP = z.strictObject({
  class: z.enum(REMOVAL_CLASSES).optional(),
  cause: z.enum(REASONS).optional(),
  host: text.optional(),
  pattern: text.optional(),
});
/** Without members: all. */
export const REMOVAL_CHOICE = z.strictObject({
  run: id.optional(),
  group: GROUP.optional(),
  rids: z.array(id).min(1).max(MAX_RIDS).optional(),
});

const ANSWERS = { 'approve-removals': approveRemovals, 'undo-removals': undoRemovals } as const;

/** Documents that left or wait to leave, and the operator's decision about them. */
export function removalRoutes(deps: RemovalRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers/:crawlerId/removals', { config: { access: 'editor' } }, async (request) => {
      const { id: crawlerId, engineId } = await crawlerOf(deps.store, request);
      const { state, limit, after = 0 } = queryOf(REMOVAL_LIST, request);
      const store = await deps.engineStores.of(engineId);
      const found = await store.listRemovals({ crawlerId, state, after, limit: limit + 1 });
      const items = found.slice(0, limit);
      return { items: items.map(removalBody), next: found.length > limit ? (items.at(-1)?.rid ?? null) : null };
    });

    app.get('/crawlers/:crawlerId/removals/groups', { config: { access: 'editor' } }, async (request) => {
      const { id: crawlerId, engineId } = await crawlerOf(deps.store, request);
      const { state } = queryOf(REMOVAL_GROUPS, request);
      const store = await deps.engineStores.of(engineId);
      const groups = await store.groupRemovals({ crawlerId, state, limit: MAX_GROUPS });
      return { groups: groups.map(({ origin, ...group }) => ({ ...group, host: origin })) } satisfies Shown<
        typeof REMOVAL_GROUPS_BODY
      >;
    });

    for (const [path, answer] of Object.entries(ANSWERS)) {
      app.post(`/crawlers/:crawlerId/${path}`, async (request) => {
        const crawler = await crawlerOf(deps.store, request);
        const choice = parseStrictly(REMOVAL_CHOICE, request.body ?? {});
        const { run, group, rids } = choice;
        await tellAudit(deps, request, { action: path, target: `crawler:${crawler.id}`, after: choice });
        const { host, ...rest } = group ?? {};
        const decided = await answer(deps, crawler, { ...rest, origin: host, runId: run, rids });
        return decided satisfies Shown<typeof DECIDED_REMOVALS_BODY>;
      });
    }
  };
}

const OF_GROUP = {
  class: z.enum(REMOVAL_CLASSES),
  cause: REASON,
  host: z.string(),
  pattern: z.string(),
};
export const REMOVAL_BODY = z
  .object({
    rid: z.int(),
    url: z.string(),
    ...OF_GROUP,
    state: z.enum(REMOVAL_STATES),
    run: z.int().nullable(),
    firstAt: TIME.describe('When the page was first seen missing.'),
    at: TIME.describe('Of the last change of state.'),
    asked: z.enum(REMOVAL_ACTIONS).nullable().describe('What an operator asked for and is not done yet.'),
    approved: z.boolean(),
  })
  .meta({ id: 'Removal' });
export const REMOVAL_GROUPS_BODY = z
  .object({
    groups: z.array(
      z.object({ ...OF_GROUP, count: z.int(), samples: z.array(z.string()).describe('URLs, at most three.') }),
    ),
  })
  .meta({ id: 'RemovalGroups' });
export const DECIDED_REMOVALS_BODY = z
  .object({
    asked: z.int().describe('Documents that were chosen.'),
    applied: z.int().describe('Those of them that are done already; the others follow.'),
  })
  .meta({ id: 'DecidedRemovals' });

function removalBody(removal: Removal): Shown<typeof REMOVAL_BODY> {
  const { runId, firstAt, at, asked, origin, ...rest } = removal;
  return {
    ...rest,
    host: origin,
    run: runId ?? null,
    firstAt: timeText(firstAt),
    at: timeText(at),
    asked: asked ?? null,
  };
}
