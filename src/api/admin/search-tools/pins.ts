import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../../accounts/account-change.ts';
import { parseStrictly } from '../../../accounts/problems.ts';
import { PAGE_MEMBERS, QUERY_TEXT } from '../../../accounts/tool-settings.ts';
import { calledUp, placePage, releasePage } from '../../../search-tools/edit-rankings.ts';
import { hidePage } from '../../../search-tools/hidden-pages.ts';
import { removeTool } from '../../../search-tools/tools.ts';
import type { Shown } from '../../openapi/json-schema.ts';
import { requestSignal } from '../../request-signal.ts';
import { actorOf } from '../access.ts';
import { digits, idOf, LIST_QUERY, pageOf, queryOf } from '../requests.ts';
import {
  HIDDEN_PAGE,
  hiddenPageBody,
  ONE_PAGE,
  PAGE_BODY,
  PIN_BODY,
  pageBody,
  pageNameOf,
  pinBody,
  RANKING_BODY,
  rankingBody,
} from './bodies.ts';
import { EDITOR, engineOf, TOOL_DEADLINE_MS, TOOL_LIST, type ToolRouteDeps } from './records.ts';

export const NEW_PIN = z
  .strictObject({
    ...PAGE_MEMBERS,
    query: QUERY_TEXT,
    place: z.int().min(1).max(10_000).default(1),
    hidden: z.boolean().default(false).describe('Takes the page out of the results of the query.'),
  })
  .refine(ONE_PAGE.check, ONE_PAGE.rule);
export const REMOVED_PIN = z.strictObject({ ...PAGE_MEMBERS, query: QUERY_TEXT }).refine(ONE_PAGE.check, ONE_PAGE.rule);
export const PAGE_SEARCH = z.strictObject({
  near: z.string().trim().min(1).max(1_000).describe('An address, a part of one, or words.'),
  limit: digits(1, 50).default(10),
});
export const HIDDEN_PAGE_LIST = z.strictObject(LIST_QUERY);

/** One page of one query: pinned, hidden, or neither; and pages that are hidden for every query. */
export function pinRoutes(deps: ToolRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/engines/:engineId/pins', EDITOR, async (request) => {
      const { id: engineId, customerId } = await engineOf(deps, request);
      const { query, ...page } = queryOf(TOOL_LIST, request);
      const rankings = await deps.systemStore.listTools('ranking', { customerId, engineId });
      const wanted = query === undefined ? rankings : calledUp(rankings, query);
      const pins = wanted.flatMap((ranking) => ranking.pins.map((pin) => ({ id: pin.id, pin, ranking })));
      const ascending = pins.toSorted((a, b) => a.id - b.id);
      return pageOf(ascending, page, ({ pin, ranking }): Shown<typeof LISTED_PIN_BODY> => {
        const { id, name, queries, managedBy } = rankingBody(ranking);
        return { ...pinBody(pin, ranking.broken), ranking: { id, name, queries, managedBy } };
      });
    });

    app.post('/engines/:engineId/pins', EDITOR, async (request, reply) => {
      const engine = await engineOf(deps, request);
      const { query, place, hidden, ...page } = parseStrictly(NEW_PIN, request.body);
      const pinned = await placePage(deps, {
        engine,
        query,
        actor: actorOf(request),
        page: pageNameOf(page),
        place: hidden ? 'hidden' : place,
        signal: requestSignal(reply, TOOL_DEADLINE_MS),
      });
      reply.code(201);
      return {
        ranking: rankingBody(pinned.ranking),
        pin: pinBody(pinned.pin, undefined),
        shifted: pinned.shifted.map(({ from, to, ...moved }) => ({ ...pageBody(moved), from, to })),
        warnings: [...pinned.warnings],
      } satisfies Shown<typeof PINNED_BODY>;
    });

    app.delete('/engines/:engineId/pins', EDITOR, async (request) => {
      const engine = await engineOf(deps, request);
      const { query, ...page } = queryOf(REMOVED_PIN, request);
      const input = { engine, query, actor: actorOf(request), page: pageNameOf(page) };
      const { ranking } = await releasePage(deps, input);
      return { ranking: ranking === undefined ? null : rankingBody(ranking) } satisfies Shown<typeof RELEASED_BODY>;
    });

    app.get('/engines/:engineId/pages', EDITOR, async (request, reply) => {
      const { id } = await engineOf(deps, request);
      const { near, limit } = queryOf(PAGE_SEARCH, request);
      const signal = requestSignal(reply, TOOL_DEADLINE_MS);
      const exact = await deps.pages.find(id, { url: near }, signal);
      const nearest = await deps.pages.nearest(id, { near, limit }, signal);
      const others = nearest.filter(({ documentId }) => documentId !== exact?.documentId);
      const items = [...(exact === undefined ? [] : [exact]), ...others].slice(0, limit).map(pageBody);
      return { items } satisfies Shown<typeof FOUND_PAGES_BODY>;
    });

    addHiddenPageRoutes(app, deps);
  };
}

function addHiddenPageRoutes(app: FastifyInstance, deps: ToolRouteDeps): void {
  app.get('/engines/:engineId/hidden-pages', EDITOR, async (request) => {
    const { id: engineId, customerId } = await engineOf(deps, request);
    const hidden = await deps.systemStore.listTools('hidden-page', { customerId, engineId });
    return pageOf(hidden, queryOf(HIDDEN_PAGE_LIST, request), hiddenPageBody);
  });

  app.post('/engines/:engineId/hidden-pages', EDITOR, async (request, reply) => {
    const engine = await engineOf(deps, request);
    const { note, ...page } = parseStrictly(HIDDEN_PAGE, request.body);
    const signal = requestSignal(reply, TOOL_DEADLINE_MS);
    const input = { engine, actor: actorOf(request), page: pageNameOf(page), note: note ?? undefined, signal };
    reply.code(201);
    return hiddenPageBody(await hidePage(deps, input));
  });

  app.delete('/engines/:engineId/hidden-pages/:hiddenPageId', EDITOR, async (request, reply) => {
    const { id: engineId, customerId } = await engineOf(deps, request);
    const id = idOf(request, 'hiddenPageId');
    const found = await deps.systemStore.findTool('hidden-page', { customerId, id });
    const present = requireRecord('hidden page', id, found?.engineId === engineId ? found : undefined);
    await removeTool(deps, { kind: 'hidden-page', present, actor: actorOf(request) });
    return reply.code(204).send();
  });
}

export const LISTED_PIN_BODY = PIN_BODY.extend({
  ranking: RANKING_BODY.pick({ id: true, name: true, queries: true, managedBy: true }),
}).meta({ id: 'ListedPin' });
const WARNINGS = z.array(z.string()).describe('What keeps the change from showing as it was wanted.');
export const PINNED_BODY = z
  .object({
    ranking: RANKING_BODY,
    pin: PIN_BODY,
    shifted: z
      .array(PAGE_BODY.extend({ from: z.int(), to: z.int() }))
      .describe('Pages that made room, with their places before and now.'),
    warnings: WARNINGS,
  })
  .meta({ id: 'PlacedPage' });
export const RELEASED_BODY = z
  .object({ ranking: RANKING_BODY.nullable().describe('null: it held nothing else and is gone.') })
  .meta({ id: 'ReleasedPage' });
export const FOUND_PAGES_BODY = z.object({ items: z.array(PAGE_BODY) }).meta({ id: 'NearestPages' });
