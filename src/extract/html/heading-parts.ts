import { ATTRIBUTE_BITS, attributeOf } from './attribute-bits.ts';
import { NOT_TEXT, type PageElement, textOf, walkTree } from './page-tree.ts';
import { isNamedPermalink, isSignedLink } from './permalinks.ts';

/** What a heading element holds. */
export type HeadingParts = {
  readonly element: PageElement;
  /** Elements that are no part of its text: buttons, messages of scripts, links to itself. None when there is no other text. */
  readonly asides: ReadonlySet<PageElement>;
};

/** Longer ones hold a text, or are not closed. */
const MAX_HEADING_CHARS = 400;
const MESSAGE_ROLES = /^(?:button|status|alert|log|tooltip)$/i;
/** What no heading holds: the element was not closed. */
const NO_PART = new Set('h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote section article form'.split(' '));

/** Undefined for an element that holds more than one heading. O(nodes). */
export function headingPartsOf(element: PageElement): HeadingParts | undefined {
  const asides = new Set<PageElement>();
  const mayHoldHeading = !NO_PART.has(element.name);
  let isOne = true;
  let paragraphs = 0;
  let chars = 0;
  walkTree(element, {
    isDone: () => !isOne,
    enter: (inner) => {
      if (inner === element) return undefined;
      if (NOT_TEXT.has(inner.name)) return false;
      if (isAside(inner)) {
        asides.add(inner);
        return false;
      }
      if (inner.name === 'p') paragraphs++;
      isOne = paragraphs <= 1 && (!NO_PART.has(inner.name) || (mayHoldHeading && /^h\d$/.test(inner.name)));
      return undefined;
    },
    text: (text) => {
      chars += text.trim().length;
      isOne &&= chars <= MAX_HEADING_CHARS;
    },
  });
  if (!isOne) return undefined;
  return { element, asides: chars === 0 ? new Set() : asides };
}

/** The text of a heading without what is no part of it. */
export function headingText(element: PageElement, maxChars: number): string {
  return textOf(element, maxChars, headingPartsOf(element)?.asides);
}

/** What screen readers are told of a permalink. */
const PERMALINK_LABEL = /^\W*(?:(?:copy|direct|permanent) )?(?:perma-?link|link|anchor|section titled)\b/i;
const MAX_LABEL_CHARS = 200;
/** Links to change a section of a wiki. */
const EDIT_CLASS = /(?:^|\s)mw-editsection(?:$|\s)/;

function isAside(element: PageElement): boolean {
  const { name, attributes } = element;
  if (name === 'button' || isSignedLink(element)) return true;
  if (name === 'a' && isNamedPermalink(element)) return PERMALINK_LABEL.test(textOf(element, MAX_LABEL_CHARS));
  if (EDIT_CLASS.test(attributeOf(element, 'class', ATTRIBUTE_BITS.class) ?? '')) return true;
  if (MESSAGE_ROLES.test(attributeOf(element, 'role', ATTRIBUTE_BITS.role) ?? '')) return true;
  return 'aria-live' in attributes && attributes['aria-live'] !== 'off';
}
