import type { ToolDeps, WordDeps } from '../../src/search/search.ts';
import { createSanitizer } from '../../src/search-tools/sanitize.ts';
import { customerTools } from '../../src/search-tools/tool-snapshot.ts';

const NOTHING = customerTools({ banners: [], rankings: [], quicklinks: [], hiddenPages: [], synonymGroups: [] });

const NO_QUERIES = { queries: [], stems: [], byStem: new Map(), matching: new Map<string, boolean>() };

/** What a search asks for tools and for queries of visitors, where there are none. */
export const NO_TOOLS: Pick<ToolDeps & WordDeps, 'tools' | 'sanitizeHtml' | 'queryNeighbours'> = {
  queryNeighbours: { of: async () => NO_QUERIES, ready: () => NO_QUERIES, together: async () => new Set() },
  tools: { of: async () => NOTHING },
  sanitizeHtml: createSanitizer(),
};
