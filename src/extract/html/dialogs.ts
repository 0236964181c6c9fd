import { ATTRIBUTE_BITS, attributeOf, mayHave } from './attribute-bits.ts';
import type { TextBlock } from './blocks.ts';
import { isWithin, type PageElement } from './page-tree.ts';

const DIALOG_ROLE = /^(?:alert)?dialog$/i;
/** Names of what covers a page until somebody answers it. */
const DIALOG_NAME =
  /(?:^|[\s_-])(?:exit|leaving|consent|cookies?|gdpr|modal|dialog|pop-?up|lightbox|interstitial)(?:$|[\s_-])/i;
/** Their names are about the page. */
const WHOLE_PAGE = new Set(['#root', 'html', 'body', 'main', 'article']);
/** Dialogs ask a question or show a form; what holds more is a text about cookies, or the page itself. */
const MAX_DIALOG_WORDS = 150;
const MAX_DIALOG_SHARE = 0.5;
/** More are entries of a list with such a name. */
const MAX_DIALOGS = 20;

/** Headings of small dialogs: what a page asks is none of what it says. O(headings · depth + blocks · depth · dialogs). */
export function dialogHeadings(blocks: readonly TextBlock[]): ReadonlySet<TextBlock> {
  const headings = Map.groupBy(
    blocks.filter(({ kind }) => kind === 'heading'),
    ({ element }) => dialogAround(element),
  );
  const found = [...headings].filter(([dialog]) => dialog !== undefined);
  if (found.length === 0 || found.length > MAX_DIALOGS) return new Set();
  const all = wordsOf(blocks);
  const small = found.filter(([dialog]) => {
    const words = dialog === undefined ? 0 : wordsOf(blocks.filter(({ element }) => isWithin(element, dialog)));
    return words <= MAX_DIALOG_WORDS && words < all * MAX_DIALOG_SHARE;
  });
  return new Set(small.flatMap(([, own]) => own));
}

function wordsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}

/** The outermost dialog that holds an element. */
function dialogAround(element: PageElement): PageElement | undefined {
  let dialog: PageElement | undefined;
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) if (isDialog(at)) dialog = at;
  return dialog;
}

function isDialog(element: PageElement): boolean {
  const { name, attributes } = element;
  if (WHOLE_PAGE.has(name)) return false;
  if (name === 'dialog' || DIALOG_ROLE.test(attributeOf(element, 'role', ATTRIBUTE_BITS.role) ?? '')) return true;
  if ('aria-modal' in attributes && attributes['aria-modal'] !== 'false') return true;
  if (!mayHave(element, ATTRIBUTE_BITS.class | ATTRIBUTE_BITS.id)) return false;
  return DIALOG_NAME.test(attributes['class'] ?? '') || DIALOG_NAME.test(attributes['id'] ?? '');
}
