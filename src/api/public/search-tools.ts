import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { instantText, isLink } from '../../accounts/tool-settings.ts';
import { AppError } from '../../core/errors.ts';
import { findQuicklinks } from '../../search-tools/tool-snapshot.ts';
import { createTool, removeTool, replaceTool } from '../../search-tools/tools.ts';
import type {
  BannerDraft,
  QuicklinkDraft,
  RankingDraft,
  ToolDrafts,
  ToolKind,
  ToolRecords,
  ToolStore,
} from '../../storage/system/tools.ts';
import { bind, boolean, formOf, integer, listOf, members, queryMembers, text, textLike, UNTOLD } from '../binding.ts';
import { customerAccess, type GuardDeps } from '../guard.ts';
import { knownId } from '../route-table.ts';
import { bannerBody, quicklinkBody, rankingBody } from './tool-responses.ts';

export type ToolDeps = GuardDeps & { readonly systemStore: ToolStore };

const MANAGEMENT = { scheme: 'basic', rate: 'management', scope: 'tools' } as const;

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

/**
 * Who may not change a record because a file manages it is told so by 403, as no answer of the contract is a 409.
 * Contract: 11.
 */
export async function refuseByContract<T>(change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'record.managed') throw error;
    throw new AppError('auth.forbidden', error.message, { cause: error });
  });
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
    const { customerId, actor } = customer.of(request);
    const sent = bind(schema, request.body);
    return bodyOf(await refuseByContract(createTool(deps, { kind, customerId, actor, ...sent })));
  });
  app.get(`${path}/:id`, { onRequest: record.check }, async (request) => bodyOf(record.of(request).found));
  app.put(`${path}/:id`, { onRequest: record.check }, async (request) => {
    const { actor, found: present } = record.of(request);
    const { draft } = bind(schema, request.body);
    return bodyOf(await refuseByContract(replaceTool(deps, { kind, present, actor, draft })));
  });
  app.delete(`${path}/:id`, { onRequest: record.check }, async (request, reply) => {
    const { actor, found: present } = record.of(request);
    await refuseByContract(removeTool(deps, { kind, present, actor }));
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

/** Names of contract 10 as callers send them. */

const HIGHEST_ID = 2_147_483_647;
const engineId = integer({ min: 1, max: HIGHEST_ID });
const ENGINE_ALIAS = { engineId: 'websiteid' } as const;

const filledText = textLike(/\S/, 'must be text that is not empty');

/** An id that a body repeats. What cannot be an id is ignored. */
const sentId = z
  .unknown()
  .transform((sent) => integer({ min: 1, max: HIGHEST_ID }).safeParse(sent).data)
  .meta({ type: 'integer', minimum: 1 })
  .optional()
  .transform((id) => id);

const termMembers = members({ id: sentId, name: filledText });
const term = z
  .preprocess((sent) => (typeof sent === 'string' ? { name: sent } : sent), termMembers)
  .meta({ ...UNTOLD, anyOf: [formOf(filledText), formOf(termMembers)] });
const terms = listOf(term).default([]);

const AUDIENCE = z
  .unknown()
  .refine((entry) => entry !== null, 'must not be null')
  .meta({ not: { type: 'null' } });
const audiences = listOf(AUDIENCE).optional();

export const BANNER = members(
  {
    name: filledText,
    htmlcode: filledText,
    websiteid: engineId,
    bannerterms: terms,
    isDisabled: boolean().default(false),
    from: instant('from').optional(),
    to: instant('to').optional(),
    audiences,
    engineIds: listOf(engineId).optional(),
    frequency: z.unknown().optional(),
    daysOfWeek: z.unknown().optional(),
    cssCode: text().optional(),
    jsonOption: text().optional(),
    editorType: text().optional(),
  },
  ENGINE_ALIAS,
)
  .refine(({ from = '', to = '' }) => !(Date.parse(from) > Date.parse(to)), {
    path: ['from'],
    message: 'must not be after "to"',
  })
  .transform(
    (sent): Sent<BannerDraft> => ({
      sentId: undefined,
      draft: {
        engineId: sent.websiteid,
        name: sent.name,
        html: sent.htmlcode,
        terms: sent.bannerterms,
        disabled: sent.isDisabled,
        from: sent.from,
        to: sent.to,
        audiences: sent.audiences,
        engineIds: sent.engineIds ?? [sent.websiteid],
        frequency: sent.frequency ?? null,
        daysOfWeek: sent.daysOfWeek ?? null,
        cssCode: sent.cssCode,
        jsonOption: sent.jsonOption,
        editorType: sent.editorType,
      },
    }),
  );

const pin = members(
  {
    id: sentId,
    websiteid: engineId.optional(),
    rank: integer({ min: 1, max: HIGHEST_ID }),
    showpage: boolean(),
    page: members(
      {
        name: filledText,
        pageid: filledText,
        pageurl: filledText,
        searchable: boolean().default(true),
        websiteid: engineId.optional(),
      },
      ENGINE_ALIAS,
    ),
  },
  ENGINE_ALIAS,
);

export const RANKING = members(
  { id: sentId, WebsiteId: engineId, name: filledText, rankingterms: terms, audiences, pages: listOf(pin).default([]) },
  { engineId: 'WebsiteId' },
).transform(
  (sent): Sent<RankingDraft> => ({
    sentId: sent.id,
    draft: {
      engineId: sent.WebsiteId,
      name: sent.name,
      terms: sent.rankingterms,
      audiences: sent.audiences,
      pins: sent.pages.map(({ id, websiteid = sent.WebsiteId, rank, showpage, page }) => ({
        id,
        engineId: websiteid,
        rank,
        shown: showpage,
        page: {
          name: page.name,
          documentId: page.pageid,
          url: page.pageurl,
          searchable: page.searchable,
          engineId: page.websiteid ?? sent.WebsiteId,
        },
      })),
    },
  }),
);

export const QUICKLINK = members(
  {
    id: sentId,
    url: filledText
      .refine(isLink, 'must be an absolute http or https URL, or a path that starts with /')
      .meta({ examples: ['/contact', 'https://example.com/contact'] }),
    websiteid: engineId,
    terms,
  },
  ENGINE_ALIAS,
).transform(
  (sent): Sent<QuicklinkDraft> => ({
    sentId: sent.id,
    draft: { engineId: sent.websiteid, url: sent.url, terms: sent.terms },
  }),
);

/** `sentId` is what a POST may update. */
export type Sent<Draft> = { readonly sentId: number | undefined; readonly draft: Draft };

/** Parameters of `quicklinkterms`. */
export const SEARCH_WORD = members({ searchword: filledText });

/** ISO 8601 with zone; what names a whole unit means its first instant as `from`, its last as `to`. */
function instant(edge: 'from' | 'to') {
  const read = text().transform((sent, context): string => {
    const read = instantText(edge, sent);
    if (read !== undefined) return read;
    context.issues.push({ code: 'custom', input: sent, message: 'must be a date or date-time in ISO 8601' });
    return z.NEVER;
  });
  return read.meta({
    description: 'Date or date-time in ISO 8601; included.',
    examples: ['2026-01-31', '2026-01-31T12:00:00+01:00'],
  });
}
