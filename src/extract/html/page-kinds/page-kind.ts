import type { PageKind } from '../../../core/document.ts';
import type { TextBlock } from '../blocks.ts';

/** Share of the text that is links, and links, from which on a page does nothing but lead to others. */
const LINK_SHARE = 0.7;
const MIN_LINKS = 30;
/** Pages of Javadoc that say where things are named, and not what they are. */
const USES_PATH = /\/class-use\/|\/package-(?:use|tree)\.html$|\/(?:serialized-form|overview-tree)\.html$/;
/** Listings of source code as generators of documentation write them. */
const SOURCE_PATH = /\/_modules\/|\/src-html\/|_8\w+_source\.html$/;
const SOURCE_TITLE = /^source code (?:for|of) |\bsource file$/i;
const HISTORY_PATH =
  /\/(?:releaselog|changelogs?|release-?notes|whatsnew)\/|\/(?:changelog|changes|release-notes)(?:\.\w+)?$/i;
const HISTORY_TITLE =
  /^(?:release|version)s? v?\d+(?:\.\d+)+\b|\b(?:release (?:notes|history)|change ?log|what.s new in)\b/i;

/**
 * What a page is for beside telling of its subject: an index that leads to other pages, a listing of source code, a
 * history of changes. They have many names of other pages, and are seldom what is looked for. O(blocks).
 */
export function pageKindOf(page: {
  readonly url: string;
  readonly title: string;
  readonly chosen: readonly TextBlock[];
}): PageKind | undefined {
  const path = URL.parse(page.url)?.pathname ?? '';
  if (USES_PATH.test(path)) return 'index';
  if (SOURCE_PATH.test(path) || SOURCE_TITLE.test(page.title)) return 'source';
  if (HISTORY_PATH.test(path) || HISTORY_TITLE.test(page.title)) return 'history';
  const chars = page.chosen.reduce((sum, { text }) => sum + text.length, 0);
  const linkChars = page.chosen.reduce((sum, own) => sum + own.linkChars, 0);
  const links = page.chosen.reduce((sum, own) => sum + own.links, 0);
  return links >= MIN_LINKS && linkChars >= LINK_SHARE * chars ? 'index' : undefined;
}
