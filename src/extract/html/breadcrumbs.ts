import { metaOf, type PageFacts } from './page-facts.ts';
import { foldText, type PageElement, textOf, walkTree } from './page-tree.ts';
import { type DataItem, isOfType, membersAt, textAt } from './structured-data.ts';

const MAX_LEVEL_CHARS = 60;
const MAX_LEVELS = 8;
const HOME =
  /^(?:home|home ?page|start|startseite|forside|hjem|hem|etusivu|accueil|inicio|início|principal|startpagina|strona główna|⌂)$/i;
const MARKS = /^[\s/›»>→|·•\\-]+|[\s/›»>→|·•\\-]+$/g;

export type PickedCategory = { readonly levels: readonly string[]; readonly source: string };

/** The way from the home page to this page, without both: structured data, then visible breadcrumbs, then the section. */
export function pickCategory(facts: PageFacts, items: readonly DataItem[], title: string): PickedCategory {
  const candidates: readonly (readonly [string, readonly string[]])[] = [
    ['json-ld', levelsOfItems(items)],
    ...facts.breadcrumbs.map((element) => ['breadcrumb', levelsOfElement(element)] as const),
  ];
  for (const [source, found] of candidates) {
    if (found.length < 2 || found.length > MAX_LEVELS) continue;
    const levels = withoutEnds(found, title);
    if (levels.length > 0) return { levels, source };
  }
  const section = metaOf(facts, 'article:section');
  return section === '' ? { levels: [], source: 'none' } : { levels: [section], source: 'meta article:section' };
}

function levelsOfItems(items: readonly DataItem[]): readonly string[] {
  const list = items.find((item) => isOfType(item, /^BreadcrumbList$/));
  const entries = membersAt(list?.data, 'itemListElement');
  return entries
    .map((entry) => ({
      position: Number(textAt(entry, 'position')),
      name: textAt(entry, 'name') || textAt(entry, 'item.name'),
    }))
    .sort((a, b) => a.position - b.position)
    .map(({ name }) => foldText(name))
    .filter(isLevel);
}

/** Texts of its list items, or of its links and the text that stands beside them. */
function levelsOfElement(element: PageElement): readonly string[] {
  const entries: PageElement[] = [];
  const links: PageElement[] = [];
  walkTree(element, {
    enter: (inner) => {
      if (inner.name === 'li') entries.push(inner);
      if (inner.name === 'a') links.push(inner);
      return undefined;
    },
  });
  const chosen = entries.length >= 2 ? entries : links;
  const levels = chosen.map((entry) => levelText(textOf(entry))).filter(isLevel);
  if (chosen !== links || links.length === 0) return levels;
  const own = textOf(element);
  const after = own.slice(own.lastIndexOf(textOf(links.at(-1) ?? element)) + (levels.at(-1)?.length ?? 0));
  const last = levelText(after);
  return isLevel(last) ? [...levels, last] : levels;
}

/** Without the marks around it; longer texts are no level. */
function levelText(text: string): string {
  return text.slice(0, 2 * MAX_LEVEL_CHARS).replace(MARKS, '');
}

function isLevel(text: string): boolean {
  return text !== '' && text.length <= MAX_LEVEL_CHARS;
}

function withoutEnds(levels: readonly string[], title: string): readonly string[] {
  const from = HOME.test(levels[0] ?? '') ? 1 : 0;
  const isOwn = (levels.at(-1) ?? '').toLowerCase() === title.toLowerCase();
  return levels.slice(from, isOwn ? -1 : undefined);
}
