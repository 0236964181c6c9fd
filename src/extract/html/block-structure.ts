import type { BlockOrder } from './block-order.ts';
import type { DomTable } from './dom-table.ts';
import type { HeadingContext } from './heading-context.ts';
import { valueAt } from './numbers.ts';

/** What blocks have in common. Equal numbers stand together; -1 = none. */
export type BlockStructure = {
  /** Of each block: the block of its heading, and of the heading above that. */
  readonly heading: Int32Array;
  readonly upper: Int32Array;
  /** Names and classes over four levels. */
  readonly path: Int32Array;
  /** The innermost and the outermost group of elements that repeat beside each other. */
  readonly inner: Int32Array;
  readonly outer: Int32Array;
  /** Number of the element that holds the block. */
  readonly container: Int32Array;
  /** Of each element, which is larger than its parent's number. */
  readonly parent: Int32Array;
  /** Of each element: nearest one above with more text. */
  readonly larger: Int32Array;
};

const MIN_ALIKE = 3;

/** O(blocks × depth). */
export function placesOf(shape: DomTable, { pathOf }: BlockOrder, { heading, upper }: HeadingContext): BlockStructure {
  const { table, groups, container } = shape;
  const inner = new Int32Array(container.length).fill(-1);
  const outer = new Int32Array(container.length).fill(-1);
  for (let block = 0; block < container.length; block++) {
    for (let at = valueAt(container, block); at !== 0; at = valueAt(table.parent, at)) {
      const group = valueAt(table.group, at);
      if (valueAt(groups.size, group) < MIN_ALIKE) continue;
      if (inner[block] === -1) inner[block] = group;
      outer[block] = group;
    }
  }
  return { heading, upper, path: pathOf, inner, outer, container, parent: table.parent, larger: table.larger };
}
