import type { FindNamedPage } from '../accounts/provision-tools.ts';
import { systemClock } from '../core/clock.ts';
import { createPageFinder } from '../search/find-pages.ts';
import { createSanitizer } from '../search-tools/sanitize.ts';
import { createToolSnapshot } from '../search-tools/tool-snapshot.ts';
import type { SystemStore } from '../storage/system-store.ts';

/** Longest look-up of a page that a provision file names. */
const FIND_WITHIN_MS = 5_000;

export function openSearchTools(opened: Parameters<typeof createPageFinder>[0] & { readonly store: SystemStore }) {
  const pages = createPageFinder(opened);
  const findPage: FindNamedPage = (engineId, name) => pages.find(engineId, name, AbortSignal.timeout(FIND_WITHIN_MS));
  return {
    tools: createToolSnapshot({ store: opened.store, clock: systemClock }),
    pages,
    findPage,
    sanitizeHtml: createSanitizer(),
  };
}
