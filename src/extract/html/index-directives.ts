import { ATTRIBUTE_BITS, IGNORE_ATTRIBUTE, mayHave } from './attribute-bits.ts';
import type { PageElement } from './page-tree.ts';

/** What is left out of a marked region: its text, its links, or both. */
export type DirectiveEffect = 'text' | 'links' | 'all';
export type IndexDirective = { readonly switches: 'off' | 'on'; readonly effect: DirectiveEffect | undefined };

/** Names of the marks that a page may set. */
export type IndexDirectives = {
  /** Foreign name of `data-fossick-ignore`, lower case. */
  readonly attribute: string | undefined;
  /** Folded text of a comment → what it means. */
  readonly comments: ReadonlyMap<string, IndexDirective>;
};

/** Foreign names, as an operator writes them. */
export type DirectiveSettings = {
  readonly attribute?: string | undefined;
  readonly off: readonly string[];
  readonly on: readonly string[];
};

/** `<meta name="fossick:Name">` fills the field `Name`. */
export const META_PREFIX = 'fossick:';
/** A comment in the tree until `applyCommentDirectives` has read it; no page has an element of this name. */
export const DIRECTIVE_NODE = '#mark';

const MAX_COMMENT_CHARS = 200;
const EFFECTS: readonly DirectiveEffect[] = ['text', 'links', 'all'];

/** The stock names always work; those of the settings do so beside them. */
export function compileIndexDirectives({ attribute, off, on }: DirectiveSettings): IndexDirectives {
  const foreign = (names: readonly string[], mark: IndexDirective) =>
    names.map((name) => [foldComment(name), mark] as const);
  return {
    attribute: attribute?.toLowerCase(),
    comments: new Map([
      ...foreign(off, { switches: 'off', effect: 'text' }),
      ...foreign(on, { switches: 'on', effect: undefined }),
      ['fossick_off', { switches: 'off', effect: 'text' }],
      ['fossick_on', { switches: 'on', effect: undefined }],
      ...EFFECTS.flatMap((effect): readonly (readonly [string, IndexDirective])[] => [
        [`fossick_off ${effect}`, { switches: 'off', effect }],
        [`fossick_on ${effect}`, { switches: 'on', effect }],
      ]),
    ]),
  };
}

export const DEFAULT_INDEX_DIRECTIVES: IndexDirectives = compileIndexDirectives({ off: [], on: [] });

/** What a comment means; undefined for all others. */
export function commentDirective(text: string, { comments }: IndexDirectives): IndexDirective | undefined {
  return text.length > MAX_COMMENT_CHARS ? undefined : comments.get(foldComment(text));
}

function foldComment(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The element by itself; what holds it may be marked, too. */
export function ignoresText(element: PageElement): boolean {
  if (!mayHave(element, ATTRIBUTE_BITS.ignore)) return false;
  const mark = element.attributes[IGNORE_ATTRIBUTE];
  return mark !== undefined && effectOf(mark) !== 'links';
}

/** The element by itself; what holds it may be marked, too. */
export function ignoresLinks(element: PageElement): boolean {
  if (!mayHave(element, ATTRIBUTE_BITS.ignore)) return false;
  const mark = element.attributes[IGNORE_ATTRIBUTE];
  return mark !== undefined && effectOf(mark) !== 'text';
}

function effectOf(mark: string): DirectiveEffect {
  const word = mark.trim().toLowerCase();
  return word === 'links' || word === 'all' ? word : 'text';
}

/** A comment as it stands in the tree for the time being. */
export function directiveNode({ switches, effect }: IndexDirective, parent: PageElement | undefined): PageElement {
  const attributes = { switches, ...(effect !== undefined && { effect }) };
  return { name: DIRECTIVE_NODE, attributes, children: [], parent, attributeBits: 0 };
}

/**
 * Turns regions between comments into attributes: elements that lie within one wholly are marked, of the others the
 * text is taken out. An `on` ends the last `off` that is still open (of its own kind, when it names one); an `off`
 * that nothing ends ends with its parent. The comments, given in document order, leave the tree. O(nodes + marks²).
 */
export function applyCommentDirectives(root: PageElement, marks: readonly PageElement[]): void {
  const ends = pairDirectives(marks);
  const state: Regions = { text: 0, links: 0, textPauses: 0, linkPauses: 0 };
  const open: OpenElement[] = [enterElement(root, state)];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const at = top.next++;
    const child = top.element.children[at];
    if (child === undefined) {
      leaveElement(top, state);
      open.pop();
    } else if (typeof child === 'string') {
      if (state.text > 0) top.texts.push(at);
    } else if (child.name === DIRECTIVE_NODE) {
      top.element.children[at] = '';
      readDirective(child, { ends, state, within: top });
    } else {
      open.push(enterElement(child, state));
    }
  }
}

/** How many regions are open, and how often there was none since the beginning. */
type Regions = { text: number; links: number; textPauses: number; linkPauses: number };

type OpenElement = {
  readonly element: PageElement;
  /** Undefined where no region was open at its start. */
  readonly textPauses: number | undefined;
  readonly linkPauses: number | undefined;
  /** Places of texts within a region. */
  readonly texts: number[];
  /** Regions that end with this element. */
  readonly unclosed: DirectiveEffect[];
  next: number;
};

function enterElement(element: PageElement, { text, links, textPauses, linkPauses }: Regions): OpenElement {
  return {
    element,
    textPauses: text > 0 ? textPauses : undefined,
    linkPauses: links > 0 ? linkPauses : undefined,
    texts: [],
    unclosed: [],
    next: 0,
  };
}

function leaveElement({ element, textPauses, linkPauses, texts, unclosed }: OpenElement, state: Regions): void {
  const isTextOff = textPauses === state.textPauses;
  const isLinksOff = linkPauses === state.linkPauses;
  if (isTextOff || isLinksOff) {
    const mark = element.attributes[IGNORE_ATTRIBUTE];
    const text = isTextOff || ignoresText(element);
    const links = isLinksOff || (mark !== undefined && ignoresLinks(element));
    Object.assign(element.attributes, { [IGNORE_ATTRIBUTE]: text && links ? 'all' : links ? 'links' : 'text' });
    Object.assign(element, { attributeBits: element.attributeBits | ATTRIBUTE_BITS.ignore });
  }
  if (!isTextOff) for (const at of texts) element.children[at] = '';
  for (const effect of unclosed) change(state, effect, -1);
}

type DirectiveContext = {
  readonly ends: ReadonlyMap<PageElement, DirectiveEffect | undefined>;
  readonly state: Regions;
  readonly within: OpenElement;
};

function readDirective(mark: PageElement, { ends, state, within }: DirectiveContext): void {
  if (mark.attributes['switches'] === 'on') {
    const ended = ends.get(mark);
    if (ended !== undefined) change(state, ended, -1);
    return;
  }
  const effect = offEffect(mark);
  change(state, effect, 1);
  if (!ends.has(mark)) within.unclosed.push(effect);
}

function change(state: Regions, effect: DirectiveEffect, by: 1 | -1): void {
  if (effect !== 'links') {
    state.text += by;
    if (state.text === 0) state.textPauses++;
  }
  if (effect !== 'text') {
    state.links += by;
    if (state.links === 0) state.linkPauses++;
  }
}

function offEffect({ attributes }: PageElement): DirectiveEffect {
  return effectOf(attributes['effect'] ?? 'text');
}

/** Marks `off` that have an end, and marks `on` with the effect of what they end. */
function pairDirectives(marks: readonly PageElement[]): ReadonlyMap<PageElement, DirectiveEffect | undefined> {
  const ends = new Map<PageElement, DirectiveEffect | undefined>();
  const offs: PageElement[] = [];
  for (const mark of marks) {
    if (mark.attributes['switches'] === 'off') {
      offs.push(mark);
      continue;
    }
    const { effect } = mark.attributes;
    const at = offs.findLastIndex((off) => effect === undefined || offEffect(off) === effect);
    const [off] = at < 0 ? [] : offs.splice(at, 1);
    if (off !== undefined) ends.set(off, undefined).set(mark, offEffect(off));
  }
  return ends;
}
