import { originOf } from '../../core/url.ts';
import { refuseSitemap } from '../rules/crawl-rules.ts';
import { sitemapsOf } from '../rules/host-sitemaps.ts';
import { isSitemap, listKindOf, visitSitemap } from './visit-sitemap.ts';
import { type VisitRow, visitUrl } from './visit-url.ts';

type Visit = Parameters<VisitRow>[1];

/**
 * A visit of the stage of pages. A sitemap or feed that was taken for a page, because it is a seed or was known before
 * its host named it, is fetched and read once more as what it is, and stays that.
 */
export const visitPageOrSitemap: VisitRow = async (deps, visit, signal) => {
  if (isSitemap(visit.row)) return visitSitemap(deps, visit, signal);
  const visited = await visitUrl(deps, visit, signal);
  const kind = visited?.extraction && listKindOf(visited.extraction);
  if (kind === undefined || !(await isWanted(deps, visit, kind))) return visited;
  const { row } = visit;
  return visitSitemap(deps, { ...visit, row: { ...row, record: { ...row.record, kind } } }, signal);
};

/** Whether the operator or the host wants it to be read. */
async function isWanted(
  { robots }: Parameters<VisitRow>[0],
  { row: { url }, rules }: Visit,
  kind: 'sitemap' | 'feed',
): Promise<boolean> {
  if (refuseSitemap(rules, { url, kind }) !== undefined) return false;
  if (rules.seeds.includes(url)) return true;
  if (rules.settings.sitemaps !== 'auto') return false;
  const origin = originOf(url) ?? '';
  const policy = await robots.known(origin);
  const named = policy?.kind === 'rules' ? policy.sitemaps : [];
  return sitemapsOf(origin, rules, named).some((list) => list.url === url);
}
