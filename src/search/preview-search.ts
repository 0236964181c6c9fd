import type { Engine } from '../core/records.ts';
import type { FacetCounts } from '../search-index/search-index.ts';
import { isUnsaved } from '../search-tools/draft-tools.ts';
import type { FoundPage } from '../search-tools/page-finder.ts';
import {
  customerTools,
  type ShownQuicklink,
  shownRankings,
  type ToolRecordLists,
} from '../search-tools/tool-snapshot.ts';
import type { Ranking } from '../storage/system/tools.ts';
import type { SearchRequest } from './query/plan-query.ts';
import type { SearchHit } from './read-hits.ts';
import { findHits, type SearchDeps, type ShownBanner, search } from './search.ts';

export type PreviewInput = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  /** The tools of the customer as they would be. */
  readonly records: ToolRecordLists;
  /** When the search would be: banners have their times. */
  readonly at: number;
  readonly signal: AbortSignal;
};

/** The tool that gives a page its place, or takes it out; `id` undefined = it is not stored. */
export type Cause = {
  readonly tool: 'ranking' | 'hidden-page';
  readonly id: number | undefined;
  readonly name: string;
};

export type PreviewedHit = {
  readonly hit: SearchHit;
  readonly pinnedBy: Cause | undefined;
  /** Its place without any tools; undefined = it is none, or behind the first 1,000. */
  readonly placeBefore: number | undefined;
};

export type Preview = {
  readonly total: number;
  readonly fixedQuery: string;
  readonly hits: readonly PreviewedHit[];
  /** What the search would find without tools, and does not. */
  readonly removed: readonly (FoundPage & { readonly placeBefore: number; readonly hiddenBy: Cause })[];
  readonly rankings: readonly Cause[];
  readonly banners: readonly ShownBanner[];
  readonly quicklinks: readonly ShownQuicklink[];
  readonly synonyms: readonly string[];
  readonly suggestions: readonly string[];
  readonly facets: readonly FacetCounts[];
  readonly before: { readonly total: number; readonly fixedQuery: string };
};

/** Places that are compared. */
const COMPARED = 1_000;
const NO_TOOLS = customerTools({ banners: [], rankings: [], quicklinks: [], hiddenPages: [], synonymGroups: [] });
/** Snippets are shown as HTML by who edits. */
const MARKS = { preTag: '<b>', postTag: '</b>' };

/**
 * A search as visitors would have it with these tools at this time, beside what it would be without any. Never counted.
 * Costs two searches.
 * @throws AppError as `search`
 */
export async function previewSearch(deps: SearchDeps, input: PreviewInput): Promise<Preview> {
  const { records, at, signal } = input;
  const settings = { ...input.engine.settings, highlight: { ...input.engine.settings.highlight, ...MARKS } };
  const engine = { ...input.engine, settings };
  const request = { ...input.request, counted: false, highlight: true };
  const tools = customerTools(records);
  const clock = { now: () => at };
  const shown = await search({ ...deps, clock, tools: { of: async () => tools } }, { engine, request, signal });
  const whole = { ...request, page: 1, perPage: Math.min(COMPARED, deps.maxResultWindow) };
  const bare = { ...deps, clock, tools: { of: async () => NO_TOOLS } };
  const { run } = await findHits(bare, { engine, request: whole, signal });
  const places = new Map(run.found.hits.map(({ id }, index) => [id, index + 1]));
  const rankings = shownRankings(tools, { engineId: engine.id, query: request.query, traits: request.traits });
  const hits: PreviewedHit[] = [];
  for await (const hit of shown.hits) {
    hits.push({ hit, pinnedBy: pinOf(rankings, hit.id), placeBefore: places.get(hit.id) });
  }
  return {
    total: shown.total,
    fixedQuery: shown.fixedQuery,
    hits,
    removed: removedHits({ engineId: engine.id, rankings, records, places }),
    rankings: rankings.map(causeOf),
    banners: shown.banners,
    quicklinks: shown.quicklinks,
    synonyms: shown.synonyms,
    suggestions: shown.suggestions,
    facets: shown.facets,
    before: { total: run.found.total, fixedQuery: run.fixedQuery },
  };
}

function causeOf({ id, name }: Ranking): Cause {
  return { tool: 'ranking', id: storedId(id), name };
}

export function storedId(id: number): number | undefined {
  return isUnsaved(id) ? undefined : id;
}

/** The first ranking that has the page goes first. */
function pinOf(rankings: readonly Ranking[], documentId: string): Cause | undefined {
  const ranking = rankings.find(({ pins }) => pins.some((pin) => pin.shown && pin.page.documentId === documentId));
  return ranking && causeOf(ranking);
}

type Removal = {
  readonly engineId: number;
  readonly rankings: readonly Ranking[];
  readonly records: ToolRecordLists;
  readonly places: ReadonlyMap<string, number>;
};

function removedHits({ engineId, rankings, records, places }: Removal): Preview['removed'] {
  const everywhere = records.hiddenPages
    .filter((page) => page.engineId === engineId)
    .map(({ id, documentId, url, title }) => {
      const hiddenBy: Cause = { tool: 'hidden-page', id: storedId(id), name: title || url };
      return { documentId, url, title, hiddenBy };
    });
  const here = rankings.flatMap((ranking) =>
    ranking.pins
      .filter(({ shown }) => !shown)
      .map(({ page }) => ({
        documentId: page.documentId,
        url: page.url,
        title: page.name,
        hiddenBy: causeOf(ranking),
      })),
  );
  const found = [...everywhere, ...here].flatMap((page) => {
    const placeBefore = places.get(page.documentId);
    return placeBefore === undefined ? [] : [{ ...page, placeBefore }];
  });
  const first = new Map(found.toReversed().map((page) => [page.documentId, page]));
  return [...first.values()].toSorted((a, b) => a.placeBefore - b.placeBefore);
}
