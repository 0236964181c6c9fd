import type { ToolDeps } from '../../src/search/apply-tools.ts';
import { createSanitizer } from '../../src/search-tools/sanitize.ts';

const NOTHING = {
  findBanners: () => [],
  bannersWithoutTerms: [],
  findRankings: () => [],
  findQuicklinks: () => [],
  synonymGroups: [],
};

/** What a search asks for tools, of customers that have none. */
export const NO_TOOLS: Pick<ToolDeps, 'tools' | 'sanitizeHtml'> = {
  tools: { of: async () => NOTHING },
  sanitizeHtml: createSanitizer(),
};
