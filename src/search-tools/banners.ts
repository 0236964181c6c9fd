import type { Banner } from '../storage/tool-store.ts';
import { fitsAudience, isTargeted } from './audience.ts';
import type { CustomerTools } from './tool-snapshot.ts';

export type ToolQuery = {
  readonly engineId: number;
  /** As sent. */
  readonly query: string;
  readonly traits: readonly string[];
};

/** The banners that a search shows, by ascending id. Contract: 2.10. */
export function shownBanners(
  { findBanners, bannersWithoutTerms }: CustomerTools,
  { engineId, query, traits }: ToolQuery,
  now: number,
): readonly Banner[] {
  const targeted = bannersWithoutTerms.filter(({ audiences }) => isTargeted(audiences));
  return [...findBanners(query), ...targeted]
    .filter((banner) => banner.engineId === engineId || banner.engineIds.includes(engineId))
    .filter((banner) => !banner.disabled && isWithin(banner, now) && fitsAudience(banner.audiences, traits))
    .sort((a, b) => a.id - b.id);
}

function isWithin({ from, to }: Banner, now: number): boolean {
  return (from === undefined || now >= Date.parse(from)) && (to === undefined || now <= Date.parse(to));
}
