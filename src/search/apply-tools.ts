import type { Clock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import { shownBanners } from '../search-tools/banners.ts';
import { type ShownQuicklink, shownQuicklinks } from '../search-tools/quicklinks.ts';
import { type Placement, placementOf } from '../search-tools/rankings.ts';
import type { CustomerTools } from '../search-tools/tool-snapshot.ts';
import type { SearchRequest } from './search-request.ts';

export type ToolDeps = {
  readonly tools: { of(customerId: number): Promise<CustomerTools> };
  readonly sanitizeHtml: (html: string) => string;
  readonly clock: Clock;
};

export type ShownBanner = {
  readonly id: number;
  readonly name: string;
  readonly html: string;
  readonly engineId: number;
};

/** What the editors of an engine want shown with a search. */
export type AppliedTools = Placement & {
  readonly banners: readonly ShownBanner[];
  readonly quicklinks: readonly ShownQuicklink[];
};

/** The tools that a query calls up, from memory; banners are sanitised here, whatever was stored. Contract: 2.10. */
export async function applyTools(
  { tools, sanitizeHtml, clock }: ToolDeps,
  { engine, request }: { readonly engine: Engine; readonly request: SearchRequest },
): Promise<AppliedTools> {
  const { query, traits } = request;
  const own = await tools.of(engine.customerId);
  const toolQuery = { engineId: engine.id, query, traits };
  const htmlOf = engine.settings.rawBannerHtml ? (html: string) => html : sanitizeHtml;
  return {
    ...placementOf(own, toolQuery),
    banners: shownBanners(own, toolQuery, clock.now()).map(({ id, name, html, engineId }) => ({
      id,
      name,
      engineId,
      html: htmlOf(html),
    })),
    quicklinks: shownQuicklinks(own, toolQuery),
  };
}
