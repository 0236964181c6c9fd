import { ATTRIBUTE_BITS, attributeOf } from './attribute-bits.ts';
import type { PageElement } from './page-tree.ts';

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'quote' | 'button';

/** `level`: of a heading 1 to 6, 7 for a disclosure; else 0. */
export type OwnKind = { readonly kind: BlockKind; readonly level: number };

/** What an element makes of the text in it; undefined when it says nothing of that. */
export function kindOf(element: PageElement, dataTables: ReadonlySet<PageElement>): OwnKind | undefined {
  const { name, attributes } = element;
  const level = name.length === 2 && name.startsWith('h') ? HEADINGS.indexOf(name) : -1;
  if (level > 0) return { kind: 'heading', level };
  if (attributeOf(element, 'role', ATTRIBUTE_BITS.role) === 'heading')
    return { kind: 'heading', level: Number(attributes['aria-level']) || 2 };
  if (name === 'summary' || (name === 'button' && 'aria-expanded' in attributes)) return { kind: 'heading', level: 7 };
  const kind = dataTables.has(element) ? 'table' : KIND_BY_NAME.get(name);
  return kind === undefined ? undefined : { kind, level: 0 };
}

/** By level. */
const HEADINGS = ['', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const KIND_BY_NAME: ReadonlyMap<string, BlockKind> = new Map([
  ['button', 'button'],
  ['ul', 'list'],
  ['ol', 'list'],
  ['dl', 'list'],
  ['menu', 'list'],
  ['blockquote', 'quote'],
  ['pre', 'code'],
]);
