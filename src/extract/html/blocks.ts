import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { countWords } from '../word-characters.ts';
import { ATTRIBUTE_BITS, mayHave } from './attribute-bits.ts';
import { type BlockKind, kindOf } from './block-kinds.ts';
import { type BlockRule, type InheritedRule, type ReadRule, readMarks } from './block-rules.ts';
import { findDataTables } from './data-tables.ts';
import { type HeadingParts, headingPartsOf } from './heading-parts.ts';
import { ignoresText } from './index-directives.ts';
import {
  foldLines,
  foldText,
  isThread,
  NOT_TEXT,
  type PageElement,
  type PageTree,
  walkTree,
  withoutPermalink,
} from './page-tree.ts';
import { isPermalink } from './permalinks.ts';
import { type Visibility, visibilityOf } from './visibility.ts';

/** A run of inline content between block borders. */
export type TextBlock = {
  readonly kind: BlockKind;
  /** Of a heading: 1 to 6, 7 for `summary`; else 0. */
  readonly level: number;
  readonly text: string;
  readonly words: number;
  /** The border element that holds the run. */
  readonly element: PageElement;
  /** Where the run begins: `element`, or an inline element inside. */
  readonly origin: PageElement;
  /** Outermost list or table that the block belongs to. */
  readonly group: PageElement | undefined;
  readonly linkChars: number;
  readonly links: number;
  /** `INLINE_MARKS` that stand in the run. */
  readonly marks: number;
  readonly visibility: 'visible' | 'faded' | 'hidden';
  readonly snippet: boolean;
  /** What the operator, or a mark of the page, says about it. */
  readonly rule: BlockRule | undefined;
};

/** Bits of `marks`, by the name of the inline element. */
export const INLINE_MARKS: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['strong', 1],
  ['code', 2],
  ['time', 4],
  ['img', 8],
  ['input', 16],
]);

export type PageBlocks = {
  readonly blocks: readonly TextBlock[];
  readonly hiddenChars: number;
  readonly notes: readonly string[];
};

const CONTAINERS = new Set(
  (
    'address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary ' +
    'table tbody td tfoot th thead tr ul noscript #root'
  ).split(' '),
);
const PARTS_OF_MEANING = new Set(['p', 'div']);
const LISTS = new Set(['ul', 'ol', 'dl', 'menu']);

/** Text blocks of a page in document order, with the rule of each. O(nodes). */
export function collectBlocks(tree: PageTree, readRule: ReadRule = readMarks): PageBlocks {
  const survey: Survey = { dataTables: findDataTables(tree.tables), controlled: tree.controlled, readRule };
  const state: RunState = {
    blocks: [],
    parts: [],
    linkChars: 0,
    links: 0,
    marks: 0,
    origin: undefined,
    container: undefined,
    isIncluded: false,
    cells: [],
    term: undefined,
    hiddenChars: 0,
    isCut: false,
    endedItem: undefined,
  };
  const openBlocks: OpenBlock[] = [];
  walkTree(tree.root, {
    enter(element) {
      const openBlock = openBlockOf(element, openBlocks.at(-1), survey);
      if (openBlock === undefined) return false;
      if (openBlock.container === element) startContainer(state, openBlocks.at(-1));
      addInline(state, element, openBlock);
      openBlocks.push(openBlock);
      return undefined;
    },
    text(text, parent) {
      const openBlock = openBlocks.at(-1);
      state.endedItem = undefined;
      state.parts.push(text);
      if (openBlock?.inLink === true) state.linkChars += foldText(text).length;
      if (!/\S/.test(text)) return;
      state.origin ??= parent;
      noteContainer(state, openBlock?.container);
      state.isIncluded ||= openBlock?.held?.rule === 'include';
    },
    exit(element) {
      if (isItem(element)) state.endedItem = element;
      const openBlock = openBlocks.pop();
      if (openBlock !== undefined && openBlock.container === element) endContainer(state, openBlock);
    },
  });
  return { blocks: state.blocks, hiddenChars: state.hiddenChars, notes: state.isCut ? ['block limit'] : [] };
}

/** The run that is being read, and what waits to become part of a block. */
type RunState = {
  readonly blocks: TextBlock[];
  parts: string[];
  linkChars: number;
  links: number;
  marks: number;
  origin: PageElement | undefined;
  /** Cells of the open row of a data table. */
  cells: string[];
  /** A `dt` that waits for its `dd`. */
  term: { readonly text: string; readonly openBlock: OpenBlock } | undefined;
  hiddenChars: number;
  /** The link or label that ended last, as long as no text stands behind it. */
  endedItem: PageElement | undefined;
  /** The one that holds all text of the run; a heading may have text in several. */
  container: PageElement | 'several' | undefined;
  /** Some of the run is to be included. */
  isIncluded: boolean;
  isCut: boolean;
};

function addInline(state: RunState, element: PageElement, openBlock: OpenBlock): void {
  const { name } = element;
  if (isItem(element) && openBlock.kind !== 'code') {
    const { endedItem } = state;
    // Styles set them apart, and without a blank two items would be one word.
    if (endedItem !== undefined && isOtherItem(element, endedItem)) state.parts.push(' ');
  }
  if (name === 'br') state.parts.push(openBlock.kind === 'code' ? '\n' : ' ');
  else if (name === 'a') state.links++;
  else state.marks |= INLINE_MARKS.get(name) ?? 0;
}

/** Links and labels are things of their own. */
function isItem({ name, attributes }: PageElement): boolean {
  return name === 'label' || (name === 'a' && 'href' in attributes);
}

/** Two links to one place may be halves of a word. */
function isOtherItem(item: PageElement, before: PageElement): boolean {
  return item.name !== before.name || item.name === 'label' || item.attributes['href'] !== before.attributes['href'];
}

/** Forgets what belongs to a run that became a block, or was none. */
function endRun(state: RunState): void {
  state.linkChars = 0;
  state.links = 0;
  state.marks = 0;
  state.isIncluded = false;
  state.origin = undefined;
  state.container = undefined;
}

function noteContainer(state: RunState, container: PageElement | undefined): void {
  state.container = state.container === undefined || state.container === container ? container : 'several';
}

function startContainer(state: RunState, parent: OpenBlock | undefined): void {
  if (parent === undefined) return;
  if (parent.inRow || parent.heading !== undefined) state.parts.push(' ');
  else flush(state, parent);
}

function endContainer(state: RunState, openBlock: OpenBlock): void {
  const { name } = openBlock.container;
  if (openBlock.heading !== undefined && openBlock.heading.element !== openBlock.container) {
    state.parts.push(' ');
    return;
  }
  if (!openBlock.inRow) {
    flush(state, openBlock);
    if (name === 'dl') flushTerm(state);
    return;
  }
  if (name === 'td' || name === 'th') {
    const cell = foldText(state.parts.join(''));
    if (cell !== '') state.cells.push(cell);
    state.parts = [];
  } else if (name === 'tr') {
    pushBlock(state, openBlock, state.cells.join(' | '));
    state.cells = [];
  } else {
    state.parts.push(' ');
  }
}

function flush(state: RunState, openBlock: OpenBlock): void {
  const raw = state.parts.join('');
  state.parts = [];
  const text = foldRun(raw, openBlock.kind);
  if (text === '') {
    endRun(state);
    return;
  }
  const { name } = openBlock.container;
  if (name === 'dt') {
    flushTerm(state);
    state.term = { text, openBlock };
    state.origin = undefined;
    return;
  }
  const term = openBlock.isMeaning ? state.term : undefined;
  if (term === undefined) flushTerm(state);
  state.term = undefined;
  pushBlock(state, openBlock, term === undefined ? text : `${term.text}: ${text}`);
}

function blockVisibility(visibility: Visibility): TextBlock['visibility'] {
  return visibility === 'hidden' || visibility === 'faded' ? visibility : 'visible';
}

/** Headings lose the sign of their permalink. */
function foldRun(raw: string, kind: BlockKind): string {
  if (kind === 'code') return foldLines(raw);
  const text = foldText(raw);
  return kind === 'heading' ? withoutPermalink(text) : text;
}

function flushTerm(state: RunState): void {
  const { term } = state;
  state.term = undefined;
  if (term !== undefined) pushBlock(state, term.openBlock, term.text);
}

function pushBlock(state: RunState, openBlock: OpenBlock, text: string): void {
  const { linkChars, links, marks, isIncluded, origin = openBlock.container } = state;
  const inner = openBlock.heading === undefined ? undefined : state.container;
  const element = inner === undefined || inner === 'several' ? openBlock.container : inner;
  endRun(state);
  if (text.trim() === '') return;
  if (openBlock.visibility === 'hidden') state.hiddenChars += text.length;
  state.isCut ||= state.blocks.length >= EXTRACT_LIMITS.pageBlocks || text.length > EXTRACT_LIMITS.blockChars;
  if (state.blocks.length >= EXTRACT_LIMITS.pageBlocks) return;
  const indent = openBlock.kind === 'list' ? '  '.repeat(Math.max(0, openBlock.listDepth - 1)) : '';
  state.blocks.push({
    kind: openBlock.kind,
    level: openBlock.kind === 'heading' ? openBlock.level : 0,
    text: (indent + text).slice(0, EXTRACT_LIMITS.blockChars),
    words: countWords(text),
    element,
    group: openBlock.group,
    origin: openBlock.inRow ? openBlock.container : origin,
    linkChars: Math.min(linkChars, text.length),
    links,
    marks,
    visibility: blockVisibility(openBlock.visibility),
    snippet: openBlock.snippet,
    rule: isIncluded ? 'include' : openBlock.held?.rule,
  });
}

/** State of an open element, inherited by what it holds. */
type OpenBlock = {
  readonly container: PageElement;
  readonly kind: BlockKind;
  readonly level: number;
  readonly group: PageElement | undefined;
  readonly listDepth: number;
  readonly visibility: Visibility;
  readonly snippet: boolean;
  readonly held: InheritedRule | undefined;
  readonly inLink: boolean;
  readonly inRow: boolean;
  /** Of the element that is one heading: it is one run, whatever it holds. */
  readonly heading: HeadingParts | undefined;
  /** Text here is what the term before means: in a `dd`, itself or its paragraphs. */
  readonly isMeaning: boolean;
};

type Survey = {
  readonly dataTables: ReadonlySet<PageElement>;
  /** Ids that a control names. */
  readonly controlled: ReadonlySet<string>;
  readonly readRule: ReadRule;
};

/** Undefined for elements whose text does not count. */
function openBlockOf(element: PageElement, outer: OpenBlock | undefined, survey: Survey): OpenBlock | undefined {
  if (isSilent(element)) return undefined;
  const parent = outer ?? openBlockAround(element);
  if (parent.heading?.asides.has(element) === true) return undefined;
  const visibility = visibilityOf(element, parent.visibility, survey.controlled);
  if (visibility === 'dropped') return undefined;
  const held = survey.readRule(element, parent.held);
  if (held?.rule === 'exclude' && parent.held?.rule !== 'exclude' && !isWholeBlock(element, parent)) return undefined;
  return openBlockWithin(parent, element, { visibility, held, survey });
}

type OpenBlockState = Pick<OpenBlock, 'visibility' | 'held'> & { readonly survey: Survey };

/** Elements within a line mostly change nothing, and have the frame of what holds them. */
function openBlockWithin(
  parent: OpenBlock,
  element: PageElement,
  { visibility, held, survey }: OpenBlockState,
): OpenBlock {
  const { name, attributes } = element;
  const own = parent.kind === 'heading' ? parent : (kindOf(element, survey.dataTables) ?? parent);
  const snippet = parent.snippet && !mayHave(element, ATTRIBUTE_BITS.nosnippet);
  const inLink = parent.inLink || (name === 'a' && 'href' in attributes);
  const isContainer = CONTAINERS.has(name);
  const isSame = own === parent && snippet === parent.snippet && inLink === parent.inLink && held === parent.held;
  if (isSame && !isContainer && visibility === parent.visibility) return parent;
  return {
    container: isContainer ? element : parent.container,
    kind: own.kind,
    level: own.level,
    group: parent.group ?? groupOf(element, survey),
    listDepth: parent.listDepth + (LISTS.has(name) ? 1 : 0),
    visibility,
    snippet,
    held,
    inLink,
    inRow: parent.inRow || (name === 'tr' && parent.kind === 'table'),
    heading: own === parent ? parent.heading : headingOf(element, own.kind),
    isMeaning: isContainer ? isMeaning(name, parent) : parent.isMeaning,
  };
}

function headingOf(element: PageElement, kind: BlockKind): HeadingParts | undefined {
  return kind === 'heading' && CONTAINERS.has(element.name) ? headingPartsOf(element) : undefined;
}

function isMeaning(name: string, parent: OpenBlock): boolean {
  return name === 'dd' || (parent.isMeaning && PARTS_OF_MEANING.has(name));
}

/** Part of a line, row or entry cannot be a block of its own: what is excluded there is left out. */
function isWholeBlock({ name }: PageElement, parent: OpenBlock): boolean {
  return CONTAINERS.has(name) && !parent.inRow && name !== 'dt';
}

function groupOf(element: PageElement, { dataTables }: Survey): PageElement | undefined {
  return LISTS.has(element.name) || dataTables.has(element) ? element : undefined;
}

/** What holds for the root before it says anything. */
function openBlockAround(root: PageElement): OpenBlock {
  return {
    container: root,
    kind: 'paragraph',
    level: 0,
    group: undefined,
    listDepth: 0,
    visibility: 'visible',
    snippet: true,
    held: undefined,
    inLink: false,
    inRow: false,
    heading: undefined,
    isMeaning: false,
  };
}

function isSilent(element: PageElement): boolean {
  // A title stands here when the page has no `head`.
  if (NOT_TEXT.has(element.name) || element.name === 'title' || ignoresText(element) || isPermalink(element))
    return true;
  return element.name === 'noscript' && !isThread(element);
}
