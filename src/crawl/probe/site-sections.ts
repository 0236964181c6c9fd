/** A folder below the root, `/docs/`, or `/` for what lies in the root itself. */
export type SiteSection = { readonly path: string; readonly urls: number };

const MAX_SECTIONS = 20;

/** The first parts of the paths of a site, those with most pages first. */
export function sectionsOf(urls: Iterable<string>): readonly SiteSection[] {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const path = sectionOf(url);
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return [...counts]
    .map(([path, count]) => ({ path, urls: count }))
    .sort((a, b) => b.urls - a.urls || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_SECTIONS);
}

/** URLs of all sections in turn, the largest section first. */
export function spreadOverSections(urls: Iterable<string>, count: number): readonly string[] {
  const bySection = Map.groupBy(urls, sectionOf);
  const queues = [...bySection.values()].sort((a, b) => b.length - a.length);
  const chosen: string[] = [];
  for (let round = 0; chosen.length < count && queues.some((queue) => queue.length > round); round++) {
    for (const queue of queues) {
      const url = queue[round];
      if (url !== undefined && chosen.length < count) chosen.push(url);
    }
  }
  return chosen;
}

function sectionOf(url: string): string {
  const { pathname } = new URL(url);
  const [, first = ''] = /^\/([^/]+)\//.exec(pathname) ?? [];
  return first === '' ? '/' : `/${first}/`;
}
