import { ATTRIBUTE_BITS, attributeOf } from './attribute-bits.ts';
import type { PageElement, PageNode } from './page-tree.ts';

/** Signs, also of icon fonts, that stand for a link to the place where they stand. */
const SIGN = /^\s*(?:[¶§#◆∞¤\p{Co}]|(?:🔗|⚓)\ufe0f?)[\s\u200b]*$/u;
const MAX_SIGN_CHARS = 8;
const MAX_SIGN_NODES = 8;
/** Classes that generators of documentation give to such links. */
const PERMALINK_CLASS =
  /(?:^|[\s_-])(?:header-?link|header-?anchor|heading-?anchor|hash-?link|anchor-?link|anchorjs-link|perma-?link|anchor)(?:$|[\s_-])/i;
/** Elements around the link whose places it may lead to. */
const MAX_LEVELS = 4;
const MAX_SIBLINGS = 20;

/** Whether an element is a link that shows a sign and leads to its own place, so that its text says nothing. */
export function isPermalink(element: PageElement): boolean {
  if (!isSignedLink(element)) return false;
  return isNamedPermalink(element) || leadsToItself(element);
}

/** Whether its class says that it is a permalink. */
export function isNamedPermalink(element: PageElement): boolean {
  const words = attributeOf(element, 'class', ATTRIBUTE_BITS.class);
  return words !== undefined && PERMALINK_CLASS.test(words);
}

/** Whether a link to a place shows nothing but such a sign. */
export function isSignedLink(element: PageElement): boolean {
  return element.name === 'a' && leadsToPlace(element) && SIGN.test(shortTextOf(element));
}

function leadsToPlace({ attributes }: PageElement): boolean {
  return attributes['href']?.includes('#') === true;
}

/** `''` for a longer text than a sign. */
function shortTextOf(element: PageElement): string {
  const pending: PageNode[] = [element];
  let text = '';
  let nodes = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (++nodes > MAX_SIGN_NODES || text.length > MAX_SIGN_CHARS) return '';
    if (typeof node === 'string') text = node + text;
    else if (node.name !== 'svg') pending.push(...node.children.slice(0, MAX_SIGN_NODES));
  }
  return text;
}

/** The element that the link names holds it, or stands beside it or one of the elements around it. */
function leadsToItself(link: PageElement): boolean {
  const [, place = ''] = /#(.+)$/.exec(link.attributes['href'] ?? '') ?? [];
  const isNamed = ({ attributes }: PageElement) => attributes['id'] === place || attributes['name'] === place;
  let at: PageElement | undefined = link;
  for (let level = 0; at !== undefined && level < MAX_LEVELS && place !== ''; level++, at = at.parent) {
    if (isNamed(at)) return true;
    const beside = (level < 2 ? at.parent?.children.slice(0, MAX_SIBLINGS) : undefined) ?? [];
    if (beside.some((node) => typeof node !== 'string' && isNamed(node))) return true;
  }
  return false;
}
