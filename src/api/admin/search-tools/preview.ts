import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { parseStrictly } from '../../../accounts/problems.ts';
import { BANNER, QUICKLINK, SYNONYMS } from '../../../accounts/tool-settings.ts';
import { escapeHtml } from '../../../core/escape-html.ts';
import { joinFragments } from '../../../core/join-fragments.ts';
import type { Engine } from '../../../core/records.ts';
import { type Cause, type Preview, previewSearch, storedId } from '../../../search/preview-search.ts';
import type { SearchHit } from '../../../search/read-hits.ts';
import type { SearchDeps } from '../../../search/search.ts';
import {
  FIRST_UNSAVED_ID,
  NOTHING_UNSAVED,
  type UnsavedTools,
  withUnsaved,
} from '../../../search-tools/draft-tools.ts';
import { draftPlacement, draftRanking } from '../../../search-tools/edit-rankings.ts';
import { requirePage } from '../../../search-tools/page-finder.ts';
import { listToolRecords, type ToolRecordLists } from '../../../search-tools/tool-snapshot.ts';
import { draftBanner, draftTerms } from '../../../storage/system/tool-drafts.ts';
import { bind } from '../../binding.ts';
import type { Shown } from '../../openapi/json-schema.ts';
import { requestSignal } from '../../request-signal.ts';
import { SEARCH_REQUEST } from '../../search/schemas.ts';
import { PAGE_BODY, PAGE_NAME, pageNameOf, RANKING, wantedRanking } from './bodies.ts';
import { NEW_PIN } from './pins.ts';
import { EDITOR, engineOf, TOOL_DEADLINE_MS, type ToolRouteDeps } from './records.ts';

export type PreviewRouteDeps = ToolRouteDeps & SearchDeps;

const MAX_DRAFTS = 100;
const IDS = z.array(z.int().min(1)).max(1_000).default([]);
const drafts = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .array(
      z.strictObject({
        ...shape,
        id: z.int().min(1).nullish().describe('Of the stored one in whose place it stands.'),
      }),
    )
    .max(MAX_DRAFTS)
    .default([]);

const UNSAVED = z.strictObject({
  rankings: drafts(RANKING.shape),
  banners: drafts(BANNER.shape),
  quicklinks: drafts(QUICKLINK.shape),
  synonyms: drafts(SYNONYMS.shape),
  hiddenPages: z.array(PAGE_NAME).max(MAX_DRAFTS).default([]),
  pins: z
    .array(NEW_PIN)
    .max(MAX_DRAFTS)
    .default([])
    .describe('As `POST …/pins` would store them, one after the other.'),
  remove: z
    .strictObject({ rankings: IDS, banners: IDS, quicklinks: IDS, synonyms: IDS, hiddenPages: IDS })
    .prefault({}),
});

export const TOOL_PREVIEW = z.strictObject({
  query: z.string().max(300),
  page: z.int().min(1).default(1),
  perPage: z.int().min(1).max(100).optional(),
  filters: z.record(z.string(), z.unknown()).default({}).describe('As a search takes them.'),
  language: z.string().max(20).optional().describe('Short for a filter on the field Language.'),
  sort: z.unknown().optional(),
  traits: z.unknown().optional(),
  at: z.iso.datetime({ offset: true }).optional().describe('When the search would be; absent: now.'),
  search: z.record(z.string(), z.unknown()).default({}).describe('Further members of a search, as v4 takes them.'),
  tools: UNSAVED.prefault({}).describe('What is not stored: in place of the tools of the same id, or beside them.'),
  withoutTools: z.boolean().default(false).describe('No tool acts at all, stored or not.'),
});

/** A search with tools that are not stored. */
export function previewRoutes(deps: PreviewRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.post('/engines/:engineId/preview', EDITOR, async (request, reply) => {
      const startedAt = deps.clock.now();
      const engine = await engineOf(deps, request);
      const sent = parseStrictly(TOOL_PREVIEW, request.body);
      const search = searchOf(sent);
      const signal = requestSignal(reply, TOOL_DEADLINE_MS);
      const records = await actingTools(deps, engine, { sent, signal });
      const at = sent.at === undefined ? startedAt : Date.parse(sent.at);
      const preview = await previewSearch(deps, { engine, request: search, records, at, signal });
      const { page, perPage = engine.settings.perPage } = search;
      return previewBody(preview, { page, perPage, durationMs: deps.clock.now() - startedAt });
    });
  };
}

type Acting = { readonly sent: z.infer<typeof TOOL_PREVIEW>; readonly signal: AbortSignal };

async function actingTools(deps: PreviewRouteDeps, engine: Engine, { sent, signal }: Acting): Promise<ToolRecordLists> {
  if (sent.withoutTools) return { banners: [], rankings: [], quicklinks: [], hiddenPages: [], synonymGroups: [] };
  const stored = await listToolRecords(deps.systemStore, engine.customerId);
  const unsaved = await unsavedTools(deps, { engine, sent: sent.tools, stored, signal });
  return withUnsaved(stored, engine.customerId, unsaved);
}

function searchOf({ search, filters, language, query, page, perPage, sort, traits }: z.infer<typeof TOOL_PREVIEW>) {
  const named = language === undefined ? filters : { ...filters, Language: [language] };
  const { request } = bind(SEARCH_REQUEST.v4, { ...search, query, page, perPage, filters: named, sort, traits });
  return request;
}

type Unsaved = {
  readonly engine: Engine;
  readonly sent: z.infer<typeof UNSAVED>;
  readonly stored: ToolRecordLists;
  readonly signal: AbortSignal;
};

async function unsavedTools(deps: PreviewRouteDeps, { engine, sent, stored, signal }: Unsaved): Promise<UnsavedTools> {
  const engineId = engine.id;
  const rankings = await unsavedPins(deps, { engine, sent, stored, signal });
  for (const { id, ...ranking } of sent.rankings) {
    const present = stored.rankings.find((each) => each.id === id);
    const draft = await draftRanking(deps.pages, { engineId, wanted: wantedRanking(ranking), present, signal });
    rankings.push({ id: id ?? undefined, draft });
  }
  const hiddenPages: UnsavedTools['hiddenPages'][number][] = [];
  for (const name of sent.hiddenPages) {
    const page = await requirePage(deps.pages, { engineId, name: pageNameOf(name), signal });
    hiddenPages.push({ id: undefined, draft: { engineId, ...page, note: undefined, hiddenAt: 0 } });
  }
  const { synonyms, ...removed } = sent.remove;
  return {
    rankings,
    hiddenPages,
    banners: sent.banners.map(({ id, ...banner }) => ({ id: id ?? undefined, draft: draftBanner(engineId, banner) })),
    quicklinks: sent.quicklinks.map(({ id, url, queries }) => ({
      id: id ?? undefined,
      draft: { engineId, url, terms: draftTerms(queries) },
    })),
    synonymGroups: sent.synonyms.map(({ id, ...group }) => ({ id: id ?? undefined, draft: group })),
    removed: { ...removed, synonymGroups: synonyms },
  };
}

/** Each is made of the rankings as the one before would leave them. */
async function unsavedPins(
  deps: PreviewRouteDeps,
  { engine, sent, stored, signal }: Unsaved,
): Promise<UnsavedTools['rankings'][number][]> {
  const drafts = new Map<number, UnsavedTools['rankings'][number]>();
  let records = stored;
  for (const { query, place, hidden, ...named } of sent.pins) {
    const page = await requirePage(deps.pages, { engineId: engine.id, name: pageNameOf(named), signal });
    const own = records.rankings.filter(({ engineId }) => engineId === engine.id);
    const placing = { engineId: engine.id, query, page, place: hidden ? ('hidden' as const) : place };
    const placed = draftPlacement(own, placing);
    const id = placed.own?.id ?? FIRST_UNSAVED_ID + drafts.size;
    drafts.set(id, { id, draft: placed.draft });
    const unsaved = { ...NOTHING_UNSAVED, rankings: [...drafts.values()] };
    records = withUnsaved(stored, engine.customerId, unsaved);
  }
  return [...drafts.values()];
}

const PLACE = z.int().nullable().describe('Place without any tools; null: none, or behind the first 1,000.');
const STORED_ID = z.int().nullable().describe('null: it is not stored.');
const NAMED = z.object({ id: STORED_ID, name: z.string() });

export const TOOL_PREVIEW_BODY = z
  .object({
    total: z.int(),
    page: z.int(),
    perPage: z.int(),
    fixedQuery: z.string().describe('The corrected query that was run; "" = the one that was sent.'),
    durationMs: z.number(),
    hits: z.array(
      PAGE_BODY.extend({
        place: z.int(),
        crawler: z.int(),
        snippet: z.string().describe('Escaped HTML, with what was found in `<b>`.'),
        score: z.number(),
        pinnedBy: NAMED.nullable(),
        placeBefore: PLACE,
      }),
    ),
    removed: z
      .array(
        PAGE_BODY.extend({
          placeBefore: z.int(),
          hiddenBy: NAMED.extend({ tool: z.enum(['ranking', 'hidden-page']) }),
        }),
      )
      .describe('What the search would find without tools, and does not.'),
    rankings: z.array(NAMED).describe('Those that the query calls up.'),
    banners: z.array(NAMED.extend({ html: z.string().describe('As visitors get it.') })),
    quicklinks: z.array(z.object({ id: STORED_ID, url: z.string(), term: z.string() })),
    synonyms: z.array(z.string()).describe('Expansions that took part.'),
    suggestions: z.array(z.string()),
    facets: z.array(z.object({ name: z.string(), items: z.array(z.object({ key: z.string(), count: z.int() })) })),
    before: z.object({ total: z.int(), fixedQuery: z.string() }).describe('The same search without any tools.'),
  })
  .meta({ id: 'ToolPreview' });

type Around = { readonly page: number; readonly perPage: number; readonly durationMs: number };

function previewBody(preview: Preview, around: Around): Shown<typeof TOOL_PREVIEW_BODY> {
  return {
    ...around,
    total: preview.total,
    fixedQuery: preview.fixedQuery,
    hits: preview.hits.map(hitBody),
    removed: preview.removed.map(({ documentId, url, title, placeBefore, hiddenBy }) => ({
      documentId,
      url,
      title,
      placeBefore,
      hiddenBy: { ...named(hiddenBy), tool: hiddenBy.tool },
    })),
    rankings: preview.rankings.map(named),
    banners: preview.banners.map(({ id, name, html }) => ({ id: storedId(id) ?? null, name, html })),
    quicklinks: preview.quicklinks.map(({ id, url, term }) => ({ id: storedId(id) ?? null, url, term })),
    synonyms: [...preview.synonyms],
    suggestions: [...preview.suggestions],
    facets: preview.facets.map(({ name, items }) => ({ name, items: items.map(({ key, count }) => ({ key, count })) })),
    before: preview.before,
  };
}

function named({ id, name }: Cause): Shown<typeof NAMED> {
  return { id: id ?? null, name };
}

function hitBody({
  hit,
  pinnedBy,
  placeBefore,
}: Preview['hits'][number]): Shown<typeof TOOL_PREVIEW_BODY>['hits'][number] {
  const first = (name: string) => hit.fields.find((field) => field.name === name)?.values[0] ?? '';
  return {
    place: hit.rank,
    documentId: hit.id,
    crawler: hit.crawlerId,
    url: first('Url') || hit.id,
    title: first('Title'),
    snippet: snippetOf(hit),
    score: hit.score,
    pinnedBy: pinnedBy === undefined ? null : named(pinnedBy),
    placeBefore: placeBefore ?? null,
  };
}

const MAX_SNIPPET_CHARS = 300;

/** What was found in the text, else what the page says of itself. */
function snippetOf({ fields }: SearchHit): string {
  const content = fields.find(({ name }) => name === 'Content');
  if (content !== undefined && content.highlights.length > 0) return joinFragments(content.highlights);
  const description = fields.find(({ name }) => name === 'Description')?.values[0];
  return escapeHtml((description || content?.values[0] || '').slice(0, MAX_SNIPPET_CHARS).toWellFormed());
}
