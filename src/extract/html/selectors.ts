import { type CheerioAPI, load } from 'cheerio/slim';
import { isTraversal, parse, type Selector, SelectorType } from 'css-what';
import { Document, Element, Text } from 'domhandler';
import { type PageElement, walkTree } from './page-tree.ts';
import type { PageWork } from './work.ts';

/** CSS selectors that were checked; an element that one of them matches is selected. */
export type CompiledSelectors = {
  readonly text: string;
  readonly steps: SelectorSteps;
};

/** What a selector asks of each element: itself, those around it or within it, those beside it. */
type SelectorSteps = { nodes: number; depths: number; siblings: number };

/** A page as selectors see it. It is copied once, with the first selector. */
export type SelectablePage = {
  /** In document order; none when the work of the page is used up. */
  select(selectors: CompiledSelectors): ReadonlySet<PageElement>;
};

/** `:has()`, `~` and a leading `*` look at a page again for each of its elements. */
const MAX_WIDE_STEPS = 2;
/**
 * Looks of a query that cost one visit of the page's work. With 5,000,000 visits a page, the worst selectors of
 * `test/unit/extract/selectors.test.ts` end after .3 s of processor time.
 */
const LOOKS_PER_VISIT = 4;
/** To compare a text, all that is within an element is put together first. */
const LOOKS_PER_TEXT = 10;

/** @throws Error that says what is wrong with a text */
export function compileSelectors(selectors: readonly string[]): CompiledSelectors {
  const steps: SelectorSteps = { nodes: 0, depths: 0, siblings: 0 };
  for (const text of selectors) {
    const alternatives = parse(text);
    if (alternatives.some(isTooWide)) {
      throw new SyntaxError(`looks at too much: at most ${MAX_WIDE_STEPS} of :has(), ~ and a leading *`);
    }
    for (const alternative of alternatives) {
      if (namesFunction(alternative)) throw new SyntaxError('names an attribute that cannot be selected');
      const last = alternative.at(-1);
      if (last === undefined || isTraversal(last)) throw new SyntaxError('ends in a combinator');
      addSteps(steps, alternative);
    }
    // Names of pseudo-classes are known to the query alone.
    EMPTY(text);
  }
  return { text: selectors.join(', '), steps };
}

/** @throws Error that says what is wrong with the text */
export function compileOneSelector(selector: string): CompiledSelectors {
  if (selector.trim() === '') throw new SyntaxError('is empty');
  return compileSelectors([selector]);
}

const EMPTY = load(new Document([]));
const NONE: ReadonlySet<PageElement> = new Set();

export function openSelectablePage(root: PageElement, work: PageWork): SelectablePage {
  let copy: DomCopy | undefined;
  return {
    select: ({ text, steps }) => {
      copy ??= copyTree(root);
      const { $, originals, size } = copy;
      const looks = steps.nodes * size.nodes + steps.depths * size.depths + steps.siblings * size.siblings;
      if (!work.visit(Math.ceil(looks / LOOKS_PER_VISIT))) return NONE;
      return new Set(
        $(text)
          .toArray()
          .flatMap((element) => originals.get(element) ?? []),
      );
    },
  };
}

export type DomCopy = {
  readonly $: CheerioAPI;
  /** The element of the page that one of the copy stands for. */
  readonly originals: ReadonlyMap<unknown, PageElement>;
  /** Elements; the sum of their depths, which is that of their subtrees, too; the sum of squared numbers of children. */
  readonly size: { readonly nodes: number; readonly depths: number; readonly siblings: number };
};

/** The tree below `root` for cheerio. O(nodes), .3 µs each. */
export function copyTree(root: PageElement): DomCopy {
  const document = new Document([]);
  let parent: Document | Element = document;
  let depth = 1;
  const originals = new Map<unknown, PageElement>();
  const size = { nodes: 0, depths: 0, siblings: 0 };
  const append = (node: Element | Text) => {
    const { children } = parent;
    const before = children[children.length - 1];
    node.parent = parent;
    if (before !== undefined) {
      node.prev = before;
      before.next = node;
    }
    children.push(node);
  };
  walkTree(root, {
    enter: (element) => {
      size.siblings += element.children.length ** 2;
      if (element === root) return undefined;
      const copy = new Element(element.name, element.attributes);
      originals.set(copy, element);
      append(copy);
      size.nodes++;
      size.depths += depth++;
      parent = copy;
      return undefined;
    },
    text: (text) => append(new Text(text)),
    exit: () => {
      depth--;
      parent = (parent.parent ?? document) as Document | Element;
    },
  });
  return { $: load(document), originals, size };
}

function isTooWide(tokens: readonly Selector[]): boolean {
  return tokens[0]?.type === SelectorType.Universal
    ? countWide(tokens) + 1 > MAX_WIDE_STEPS
    : countWide(tokens) > MAX_WIDE_STEPS;
}

/** The attributes of the copy are plain objects: such a name would find a function. */
function namesFunction(tokens: readonly Selector[]): boolean {
  return tokens.some(
    (token) =>
      (token.type === SelectorType.Attribute && token.name in Object.prototype) || innerOf(token).some(namesFunction),
  );
}

function countWide(tokens: readonly Selector[]): number {
  let count = 0;
  for (const token of tokens) {
    if (token.type === SelectorType.Sibling || isPseudo(token, 'has')) count++;
    for (const inner of innerOf(token)) count += countWide(inner);
  }
  return count;
}

/** Pseudo-classes that compare an element with those beside it. */
const BESIDE = /^(?:nth|first|last|only)-/;
/** Pseudo-classes that read what is within an element. */
const WITHIN = /^(?:has|empty|parent|i?contains)$/;
const TEXT = /^i?contains$/;

function addSteps(steps: SelectorSteps, tokens: readonly Selector[], isWithin = false): void {
  for (const token of tokens) {
    steps[isWithin ? 'depths' : lookOf(token)] += isPseudo(token, TEXT) ? LOOKS_PER_TEXT : 1;
    for (const inner of innerOf(token)) addSteps(steps, inner, isWithin || isPseudo(token, 'has'));
  }
}

function lookOf(token: Selector): keyof SelectorSteps {
  if (token.type === SelectorType.Descendant || isPseudo(token, WITHIN)) return 'depths';
  if (token.type === SelectorType.Sibling || token.type === SelectorType.Adjacent) return 'siblings';
  return isPseudo(token, BESIDE) ? 'siblings' : 'nodes';
}

function innerOf(token: Selector): readonly (readonly Selector[])[] {
  return token.type === SelectorType.Pseudo && Array.isArray(token.data) ? token.data : [];
}

function isPseudo(token: Selector, name: string | RegExp): boolean {
  if (token.type !== SelectorType.Pseudo) return false;
  return typeof name === 'string' ? token.name === name : name.test(token.name);
}
