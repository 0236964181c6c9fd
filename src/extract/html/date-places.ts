import type { DateSource } from './date-source.ts';
import type { PageFacts } from './page-facts.ts';
import { articleOf, foldText, type PageElement, textOf } from './page-tree.ts';

const OUTSIDE =
  /(?:^|[\s_-])(?:comments?|comment-?list|commentaires?|commentarii|comentarios?|comentários?|commenti|kommentare?|reacties|reactions|repl(?:y|ies)|responses?|related|sidebar|recommended)(?:$|[\s_-])|(?:^|\s)(?:widgets?|(?:site-|page-)?footer)(?:$|\s)/i;

/** True of elements outside of navigation, comments, sidebars and lists of other pages. */
export function placeTest({ facts, blocks, title }: DateSource): (element: PageElement) => boolean {
  const known = new Map<PageElement, boolean>();
  // What holds the title is the page, whatever it is called.
  const titled = blocks.find(({ text }) => text === title)?.element;
  for (const heading of [...facts.h1.slice(0, MAX_H1), ...(titled === undefined ? [] : [titled])]) {
    for (let at: PageElement | undefined = heading.parent; at !== undefined && !known.has(at); at = at.parent)
      known.set(at, true);
  }
  const isIn = (element: PageElement): boolean => {
    const chain: PageElement[] = [];
    let at: PageElement | undefined = element;
    for (; at !== undefined && !known.has(at); at = at.parent) chain.push(at);
    let answer = at === undefined ? true : (known.get(at) ?? true);
    for (const link of chain.reverse()) {
      answer &&= !isOutside(link);
      known.set(link, answer);
    }
    return answer;
  };
  return isIn;
}

function isOutside(element: PageElement): boolean {
  const { name, attributes } = element;
  if (name === 'aside' || name === 'nav') return true;
  // Of an article it names author and day.
  if (name === 'footer') return articleOf(element) === undefined;
  if (name === 'html' || name === 'body' || name === 'main' || name === 'article') return false;
  const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`;
  return OUTSIDE.test(names) && !POSTS.test(names);
}

/** The part of Blogger's pages that holds the post is a widget like those around it. */
const POSTS = /\bwidget Blog\b/;
const MAX_H1 = 3;

/** Of several articles only the one with the title is the page, and none when the title stands elsewhere. */
export function mainArticleTest({ h1, marked }: PageFacts): (element: PageElement) => boolean {
  const dated = [...marked.dated.time, ...marked.dated.named, ...marked.dated.property]
    .map(articleOf)
    .filter((article) => article !== undefined);
  if (new Set(dated).size <= 1) return () => true;
  const main = h1
    .slice(0, MAX_H1)
    .map(articleOf)
    .find((article) => article !== undefined);
  return (element) => {
    const own = articleOf(element);
    return own === undefined || own === main;
  };
}

export function isInText(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === 'header' || at.name === 'article' || at.name === 'main') return true;
  }
  return false;
}

const OF_OTHERS = /(?:^|[\s_-])(?:comments?|related|recommended|recent|popular|latest|teasers?|cards?)(?:$|[\s_-])/i;

/** True of elements in the frame of the page and in lists of others, by any word for them. */
export function isOfOthers(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === 'footer' || at.name === 'nav') return true;
    if (OF_OTHERS.test(`${at.attributes['class'] ?? ''} ${at.attributes['id'] ?? ''}`)) return true;
  }
  return false;
}

const HEADING_CHARS = 200;

/** Elements that share the innermost element with the title first, the others by the same measure; else in their order. */
export function closestFirst({
  facts,
  blocks,
  title,
}: DateSource): (elements: readonly PageElement[]) => readonly PageElement[] {
  const heading =
    facts.h1.find((element) => foldText(textOf(element, HEADING_CHARS)) === title) ??
    blocks.find(({ text }) => text === title)?.element;
  const around: PageElement[] = [];
  for (let at = heading; at !== undefined; at = at.parent) around.push(at);
  const distances = new Map(around.map((element, distance) => [element, distance]));
  const distanceOf = (element: PageElement) => {
    let at: PageElement | undefined = element;
    while (at !== undefined && !distances.has(at)) at = at.parent;
    return at === undefined ? around.length : (distances.get(at) ?? 0);
  };
  return (elements) => {
    if (heading === undefined || elements.length < 2) return elements;
    const measured = elements.map((element) => ({ element, distance: distanceOf(element) }));
    return measured.sort((a, b) => a.distance - b.distance).map(({ element }) => element);
  };
}
