import { fitsAudience } from './audience.ts';
import type { ToolQuery } from './banners.ts';
import type { CustomerTools } from './tool-snapshot.ts';

/** Documents with a place of their own, in order of precedence, and those that are taken out. */
export type Placement = {
  readonly pins: readonly { readonly id: string; readonly rank: number }[];
  readonly removed: readonly string[];
};

/** What the rankings of a query say about its results: lower ranking ids go first. Contract: 2.10. */
export function placementOf({ findRankings }: CustomerTools, { engineId, query, traits }: ToolQuery): Placement {
  const fitting = findRankings(query).filter(
    (ranking) => ranking.engineId === engineId && fitsAudience(ranking.audiences, traits),
  );
  const pages = fitting.flatMap(({ pins }) => pins);
  return {
    pins: pages.filter(({ shown }) => shown).map(({ rank, page }) => ({ id: page.documentId, rank })),
    removed: pages.filter(({ shown }) => !shown).map(({ page }) => page.documentId),
  };
}
