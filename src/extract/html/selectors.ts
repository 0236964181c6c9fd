import { compile } from 'css-select';
import { type PageElement, type PageNode, textOf, walkTree } from './page-tree.ts';
import type { PageWork } from './work.ts';

/** Whether an element is selected; false when the work of the page is used up. */
export type ElementTest = (element: PageElement, work: PageWork) => boolean;

/**
 * Compiles CSS selectors over the tree of a page; an element that one of them matches is selected.
 * @throws Error that says what is wrong with the text
 */
export function compileSelectors(selectors: readonly string[]): ElementTest {
  const query = compile<PageNode, PageElement>(selectors.join(', '), { adapter: ADAPTER });
  return (element, work) => {
    present = work;
    try {
      return query(element);
    } catch (error) {
      if (error instanceof WorkSpent) return false;
      throw error;
    }
  };
}

/** @throws Error that says what is wrong with the text */
export function compileOneSelector(selector: string): ElementTest {
  if (selector.trim() === '') throw new SyntaxError('is empty');
  return compileSelectors([selector]);
}

/** Elements below `root` that are selected, in document order; at most `limit`. */
export function selectAll(
  root: PageElement,
  test: ElementTest,
  { work, limit }: { readonly work: PageWork; readonly limit: number },
): readonly PageElement[] {
  const found: PageElement[] = [];
  walkTree(root, {
    isDone: () => found.length >= limit || !work.visit(1),
    enter: (element) => {
      if (element !== root && test(element, work)) found.push(element);
      return undefined;
    },
  });
  return found;
}

/** Ends a query in the middle: the interface of the adapter has no other way out. */
class WorkSpent extends Error {}

/** Of the page that is being read: queries are compiled once and run synchronously. */
let present: PageWork = { visit: () => true, match: () => true, notes: () => [] };

function charge(nodes: number): void {
  if (!present.visit(nodes)) throw new WorkSpent();
}

function childrenOf(node: PageNode): PageNode[] {
  if (typeof node === 'string') return [];
  charge(node.children.length + 1);
  return node.children;
}

function parentOf(element: PageElement): PageElement | null {
  charge(1);
  // The element around the whole page is none of the page's.
  return element.parent?.parent === undefined ? null : element.parent;
}

function findAll(test: (element: PageElement) => boolean, nodes: PageNode[], limit: number): PageElement[] {
  const found: PageElement[] = [];
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    walkTree(node, {
      isDone: () => found.length >= limit,
      enter: (element) => {
        charge(1);
        if (found.length < limit && test(element)) found.push(element);
        return undefined;
      },
    });
  }
  return found;
}

/** What css-select asks of a tree. Siblings of text are never asked for: it has no parent. */
const ADAPTER = {
  isTag: (node: PageNode): node is PageElement => typeof node !== 'string',
  existsOne: (test: (element: PageElement) => boolean, nodes: PageNode[]) => findAll(test, nodes, 1).length > 0,
  getAttributeValue: ({ attributes }: PageElement, name: string) =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined,
  getChildren: childrenOf,
  getName: ({ name }: PageElement) => name,
  getParent: parentOf,
  getSiblings: (node: PageNode) =>
    typeof node === 'string' || node.parent === undefined ? [node] : childrenOf(node.parent),
  getText: (node: PageNode) => {
    if (typeof node === 'string') return node;
    charge(node.children.length + 1);
    return textOf(node);
  },
  hasAttrib: ({ attributes }: PageElement, name: string) => Object.hasOwn(attributes, name),
  removeSubsets: (nodes: PageNode[]) => nodes,
  findAll: (test: (element: PageElement) => boolean, nodes: PageNode[]) =>
    findAll(test, nodes, Number.POSITIVE_INFINITY),
  findOne: (test: (element: PageElement) => boolean, nodes: PageNode[]) => findAll(test, nodes, 1)[0] ?? null,
};
