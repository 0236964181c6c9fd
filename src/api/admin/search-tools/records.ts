import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../../accounts/account-change.ts';
import { parseStrictly } from '../../../accounts/problems.ts';
import { BANNER, QUERY_TEXT, QUICKLINK } from '../../../accounts/tool-settings.ts';
import type { Engine } from '../../../core/records.ts';
import { checkTools, type LinkDeps, linkWarnings, listBroken } from '../../../search-tools/check-tools.ts';
import { calledUp, draftRanking } from '../../../search-tools/edit-rankings.ts';
import { linksOf } from '../../../search-tools/sanitize.ts';
import { isActive } from '../../../search-tools/tool-snapshot.ts';
import { createTool, removeTool, replaceTool, type ToolDeps } from '../../../search-tools/tools.ts';
import type { AccountStore } from '../../../storage/system/accounts.ts';
import type { SynonymStore } from '../../../storage/system/synonym-groups.ts';
import { draftBanner, draftTerms } from '../../../storage/system/tool-drafts.ts';
import type { ToolDrafts, ToolKind, ToolRecords, ToolStore } from '../../../storage/system/tools.ts';
import type { Shown } from '../../openapi/json-schema.ts';
import { requestSignal } from '../../request-signal.ts';
import { actorOf } from '../access.ts';
import { isMatched, sendTagged } from '../record-tag.ts';
import { idOf, LIST_QUERY, pageOf, queryOf } from '../requests.ts';
import { TIME, timeText } from '../responses.ts';
import {
  BANNER_BODY,
  bannerBody,
  QUICKLINK_BODY,
  quicklinkBody,
  RANKING,
  RANKING_BODY,
  rankingBody,
  wantedRanking,
} from './bodies.ts';

export type ToolRouteDeps = LinkDeps &
  ToolDeps<keyof ToolStore> & {
    readonly store: Pick<AccountStore, 'findEngine' | 'listCrawlers'>;
    readonly systemStore: SynonymStore;
  };

export const EDITOR = { config: { access: 'editor' } } as const;
/** Less than the command waits. */
const CHECK_DEADLINE_MS = 110_000;
export const TOOL_DEADLINE_MS = 30_000;

export const TOOL_LIST = z.strictObject({
  ...LIST_QUERY,
  query: QUERY_TEXT.optional().describe('Only those that this query calls up.'),
});
const NOTHING = z.strictObject({});

/** Banners, rankings and quicklinks of an engine, as editors keep them. */
export function searchToolRoutes(deps: ToolRouteDeps): FastifyPluginAsync {
  const { clock } = deps;
  return async (app) => {
    addRecordRoutes(app, deps, {
      kind: 'ranking',
      path: 'rankings',
      schema: RANKING,
      draft: ({ engine, present, signal }, sent) =>
        draftRanking(deps.pages, { engineId: engine.id, wanted: wantedRanking(sent), present, signal }),
      body: rankingBody,
      links: () => [],
    });
    addRecordRoutes(app, deps, {
      kind: 'banner',
      path: 'banners',
      schema: BANNER,
      draft: async ({ engine, present }, sent) => draftBanner(present?.engineId ?? engine.id, sent, present?.terms),
      body: (banner) => bannerBody(banner, isActive(banner, clock.now())),
      links: ({ html }) => linksOf(html),
    });
    addRecordRoutes(app, deps, {
      kind: 'quicklink',
      path: 'quicklinks',
      schema: QUICKLINK,
      draft: async ({ engine, present }, { url, queries }) => ({
        engineId: engine.id,
        url,
        terms: draftTerms(queries, present?.terms),
      }),
      body: quicklinkBody,
      links: ({ url }) => [url],
    });
    addCheckRoutes(app, deps);
  };
}

type EngineTool = Exclude<ToolKind, 'hidden-page'>;
type DraftInput<Kind extends EngineTool> = {
  readonly engine: Engine;
  readonly present: ToolRecords[Kind] | undefined;
  readonly signal: AbortSignal;
};
type RecordRoutes<Kind extends EngineTool, Sent> = {
  readonly kind: Kind;
  readonly path: string;
  readonly schema: z.ZodType<Sent>;
  readonly draft: (input: DraftInput<Kind>, sent: Sent) => Promise<ToolDrafts[Kind]>;
  readonly body: (record: ToolRecords[Kind]) => object;
  /** What is looked at when it is stored. */
  readonly links: (record: ToolRecords[Kind]) => readonly string[];
};

function addRecordRoutes<Kind extends EngineTool, Sent>(
  app: FastifyInstance,
  deps: ToolRouteDeps,
  { kind, path, schema, draft, body, links }: RecordRoutes<Kind, Sent>,
): void {
  const list = `/engines/:engineId/${path}`;
  const one = `${list}/:toolId`;
  const foundAt = async (request: FastifyRequest) => {
    const engine = await engineOf(deps, request);
    const id = idOf(request, 'toolId');
    const found = await deps.systemStore.findTool(kind, { customerId: engine.customerId, id });
    return { engine, present: requireRecord(kind, id, found && isShownOn(found, engine.id) ? found : undefined) };
  };
  const draftOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    on: Pick<DraftInput<Kind>, 'engine' | 'present'>,
  ) => {
    const signal = requestSignal(reply, TOOL_DEADLINE_MS);
    return { signal, draft: await draft({ ...on, signal }, parseStrictly(schema, request.body)) };
  };
  const stored = async (reply: FastifyReply, engine: Engine, record: ToolRecords[Kind], signal: AbortSignal) => {
    const warnings = await linkWarnings(deps, { engineId: engine.id, links: links(record), signal });
    return sendTagged(reply, { ...body(record), warnings }, editable(record));
  };

  app.get(list, EDITOR, async (request) => {
    const { id: engineId, customerId } = await engineOf(deps, request);
    const { query, ...page } = queryOf(TOOL_LIST, request);
    const all = await deps.systemStore.listTools(kind, { customerId });
    const own = all.filter((record) => isShownOn(record, engineId));
    return pageOf(query === undefined ? own : calledUp(own, query), page, body);
  });
  app.post(list, EDITOR, async (request, reply) => {
    const engine = await engineOf(deps, request);
    const made = await draftOf(request, reply, { engine, present: undefined });
    const { customerId } = engine;
    const record = await createTool(deps, { kind, customerId, actor: actorOf(request), draft: made.draft });
    reply.code(201);
    return stored(reply, engine, record, made.signal);
  });
  app.get(one, EDITOR, async (request, reply) => {
    const { present } = await foundAt(request);
    return sendTagged(reply, body(present), editable(present));
  });
  app.put(one, EDITOR, async (request, reply) => {
    const { engine, present } = await foundAt(request);
    const change = { kind, present, actor: actorOf(request), isMatched: isMatched(request, editable(present)) };
    const made = await draftOf(request, reply, { engine, present });
    return stored(reply, engine, await replaceTool(deps, { ...change, draft: made.draft }), made.signal);
  });
  app.delete(one, EDITOR, async (request, reply) => {
    const { present } = await foundAt(request);
    const matched = isMatched(request, editable(present));
    await removeTool(deps, { kind, present, actor: actorOf(request), isMatched: matched });
    return reply.code(204).send();
  });
}

/** A banner is seen wherever it is shown. */
function isShownOn(tool: ToolRecords[EngineTool], engineId: number): boolean {
  return tool.engineId === engineId || ('engineIds' in tool && tool.engineIds.includes(engineId));
}

/** What a check finds changes by itself. */
export function editable(record: object): object {
  return { ...record, broken: undefined };
}

export async function engineOf(
  { store }: { readonly store: Pick<AccountStore, 'findEngine'> },
  request: FastifyRequest,
): Promise<Engine> {
  const id = idOf(request, 'engineId');
  return requireRecord('engine', id, await store.findEngine(id));
}

function addCheckRoutes(app: FastifyInstance, deps: ToolRouteDeps): void {
  const shown = async (engine: Engine): Promise<Shown<typeof TOOL_CHECK_BODY>> => ({
    checkedAt: timeText(await deps.systemStore.toolsCheckedAt(engine.id)),
    items: (await listBroken(deps, engine)).map(({ kind, id, name, targets, foundAt }) => ({
      tool: kind,
      id,
      name,
      targets: [...targets],
      foundAt: timeText(foundAt),
    })),
  });
  app.get('/engines/:engineId/tools/broken', EDITOR, async (request) => {
    queryOf(NOTHING, request);
    return shown(await engineOf(deps, request));
  });
  app.post('/engines/:engineId/tools/check', EDITOR, async (request, reply) => {
    const engine = await engineOf(deps, request);
    parseStrictly(NOTHING, request.body ?? {});
    await checkTools(deps, { engine, signal: requestSignal(reply, CHECK_DEADLINE_MS) });
    return shown(engine);
  });
}

const WARNINGS = { warnings: z.array(z.string()).describe('Links to pages that the engine does not have.') };
export const STORED_RANKING_BODY = RANKING_BODY.extend(WARNINGS).meta({ id: 'StoredRanking' });
export const STORED_BANNER_BODY = BANNER_BODY.extend(WARNINGS).meta({ id: 'StoredBanner' });
export const STORED_QUICKLINK_BODY = QUICKLINK_BODY.extend(WARNINGS).meta({ id: 'StoredQuicklink' });

export const TOOL_CHECK_BODY = z
  .object({
    checkedAt: TIME.nullable().describe('null: they were never looked at.'),
    items: z.array(
      z.object({
        tool: z.enum(['ranking', 'banner', 'quicklink', 'hidden-page']),
        id: z.int(),
        name: z.string(),
        targets: z.array(z.string()).describe('Ids of documents that are gone, links to pages that were removed.'),
        foundAt: TIME,
      }),
    ),
  })
  .meta({ id: 'ToolCheck' });
