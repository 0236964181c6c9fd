import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findQuicklinks } from '../../search-tools/quicklinks.ts';
import { createTool, replaceTool } from '../../search-tools/tools.ts';
import type { ToolDrafts, ToolKind, ToolRecords, ToolStore } from '../../storage/tool-store.ts';
import { bind } from '../binding.ts';
import { customerAccess, type GuardDeps } from '../guard.ts';
import { knownId } from '../match-route.ts';
import { queryMembers } from '../query-string.ts';
import { bannerBody, quicklinkBody, rankingBody } from './responses.ts';
import { BANNER, QUICKLINK, RANKING, SEARCH_WORD, type Sent } from './schemas.ts';

export type ToolDeps = GuardDeps & { readonly systemStore: ToolStore };

const MANAGEMENT = { scheme: 'basic', rate: 'management' } as const;

type ToolRoutes<Kind extends ToolKind> = {
  readonly kind: Kind;
  readonly path: string;
  readonly schema: z.ZodType<Sent<ToolDrafts[Kind]>>;
  readonly bodyOf: (record: ToolRecords[Kind]) => object;
};

/** Banners, rankings and quicklinks. Contract: 10.1, 10.2. */
export function toolRoutes(deps: ToolDeps): FastifyPluginAsync {
  return async (app) => {
    addRecordRoutes(app, deps, { kind: 'banner', path: '/api/banners', schema: BANNER, bodyOf: bannerBody });
    addRecordRoutes(app, deps, { kind: 'ranking', path: '/api/rankings', schema: RANKING, bodyOf: rankingBody });
    addRecordRoutes(app, deps, {
      kind: 'quicklink',
      path: '/api/quicklinks',
      schema: QUICKLINK,
      bodyOf: quicklinkBody,
    });
    addListRoutes(app, deps);
  };
}

function addRecordRoutes<Kind extends ToolKind>(app: FastifyInstance, deps: ToolDeps, routes: ToolRoutes<Kind>): void {
  const { kind, path, schema, bodyOf } = routes;
  const customer = customerAccess(deps, MANAGEMENT);
  const record = customerAccess(deps, {
    ...MANAGEMENT,
    find: async (customerId, params) => {
      const id = knownId(params['id']);
      return id === undefined ? undefined : deps.systemStore.findTool(kind, { customerId, id });
    },
  });
  app.post(path, { onRequest: customer.check }, async (request) => {
    const { customerId } = customer.of(request);
    return bodyOf(await createTool(deps, { kind, customerId, ...bind(schema, request.body) }));
  });
  app.get(`${path}/:id`, { onRequest: record.check }, async (request) => bodyOf(record.of(request).found));
  app.put(`${path}/:id`, { onRequest: record.check }, async (request) => {
    const { customerId, found } = record.of(request);
    const { draft } = bind(schema, request.body);
    return bodyOf(await replaceTool(deps, { kind, key: { customerId, id: found.id }, draft }));
  });
  app.delete(`${path}/:id`, { onRequest: record.check }, async (request, reply) => {
    const { customerId, found } = record.of(request);
    await deps.systemStore.removeTool(kind, { customerId, id: found.id });
    return reply.code(204).send();
  });
}

function addListRoutes(app: FastifyInstance, deps: ToolDeps): void {
  const customer = customerAccess(deps, MANAGEMENT);
  const onRequest = customer.check;
  const { systemStore } = deps;
  const engineOf = (request: FastifyRequest): { customerId: number; engineId: number } => {
    const { engineId } = request.params as { engineId: string };
    return { customerId: customer.of(request).customerId, engineId: Number(engineId) };
  };
  app.get('/api/rankings', { onRequest }, async (request) => {
    const { customerId } = customer.of(request);
    return (await systemStore.listTools('ranking', { customerId })).map(rankingBody);
  });
  app.get('/api/banners/site/:engineId', { onRequest }, async (request) =>
    (await systemStore.listTools('banner', engineOf(request))).map(bannerBody),
  );
  app.get('/api/rankings/site/:engineId', { onRequest }, async (request) =>
    (await systemStore.listTools('ranking', engineOf(request))).map(rankingBody),
  );
  app.get('/api/engine/:engineId/quicklinks', { onRequest }, async (request) =>
    (await systemStore.listTools('quicklink', engineOf(request))).map(quicklinkBody),
  );
  app.get('/api/engine/:engineId/quicklinkterms', { onRequest }, async (request) => {
    const { searchword } = bind(SEARCH_WORD, queryMembers(request));
    return (await findQuicklinks(deps, { ...engineOf(request), query: searchword })).map(quicklinkBody);
  });
}
