import { ATTRIBUTE_BITS, attributeOf, mayHave } from './attribute-bits.ts';
import type { TextBlock } from './blocks.ts';
import type { PageElement } from './page-tree.ts';

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

/** Headings of small dialogs: what a page asks is none of what it says. O(elements around blocks). */
export function dialogHeadings(blocks: readonly TextBlock[]): ReadonlySet<TextBlock> {
  const dialogAround = dialogFinder();
  const headings = blocks.filter(({ kind, element }) => kind === 'heading' && dialogAround(element) !== undefined);
  const dialogs = new Set(headings.map(({ element }) => dialogAround(element)));
  if (dialogs.size === 0 || dialogs.size > MAX_DIALOGS) return new Set();
  const words = new Map<PageElement | undefined, number>();
  let all = 0;
  for (const block of blocks) {
    const dialog = dialogAround(block.element);
    words.set(dialog, (words.get(dialog) ?? 0) + block.words);
    all += block.words;
  }
  const isSmall = (count: number) => count <= MAX_DIALOG_WORDS && count < all * MAX_DIALOG_SHARE;
  return new Set(headings.filter(({ element }) => isSmall(words.get(dialogAround(element)) ?? 0)));
}

/** Finds the outermost dialog that holds an element; each element is asked once. */
function dialogFinder(): (element: PageElement) => PageElement | undefined {
  const known = new Map<PageElement, PageElement | undefined>();
  return (element) => {
    const path: PageElement[] = [];
    let at: PageElement | undefined = element;
    for (; at !== undefined && !known.has(at); at = at.parent) path.push(at);
    let dialog = at === undefined ? undefined : known.get(at);
    for (const inner of path.reverse()) {
      dialog ??= isDialog(inner) ? inner : undefined;
      known.set(inner, dialog);
    }
    return dialog;
  };
}

function isDialog(element: PageElement): boolean {
  const { name, attributes } = element;
  if (WHOLE_PAGE.has(name)) return false;
  if (name === 'dialog' || DIALOG_ROLE.test(attributeOf(element, 'role', ATTRIBUTE_BITS.role) ?? '')) return true;
  if ('aria-modal' in attributes && attributes['aria-modal'] !== 'false') return true;
  if (!mayHave(element, ATTRIBUTE_BITS.class | ATTRIBUTE_BITS.id)) return false;
  return DIALOG_NAME.test(attributes['class'] ?? '') || DIALOG_NAME.test(attributes['id'] ?? '');
}
