import type { PageElement } from './page-tree.ts';
import { IGNORE_MARK, maySay, SAYS } from './telling-attributes.ts';

/** What is left out of a marked region: its text, its links, or both. */
export type MarkEffect = 'text' | 'links' | 'all';
export type CommentMark = { readonly turns: 'off' | 'on'; readonly effect: MarkEffect | undefined };

/** Names of the marks that a page may set. */
export type PageMarks = {
  /** Foreign name of `data-fossick-ignore`, lower case. */
  readonly attribute: string | undefined;
  /** Folded text of a comment → what it means. */
  readonly comments: ReadonlyMap<string, CommentMark>;
};

/** Foreign names, as an operator writes them. */
export type MarkSettings = {
  readonly attribute?: string | undefined;
  readonly off: readonly string[];
  readonly on: readonly string[];
};

/** `<meta name="fossick:Name">` fills the field `Name`. */
export const META_MARK = 'fossick:';
/** A comment in the tree until `applyCommentMarks` has read it; no page has an element of this name. */
export const COMMENT_MARK = '#mark';

const MAX_COMMENT_CHARS = 200;
const EFFECTS: readonly MarkEffect[] = ['text', 'links', 'all'];

/** The stock names always work; those of the settings do so beside them. */
export function compileMarks({ attribute, off, on }: MarkSettings): PageMarks {
  const foreign = (names: readonly string[], mark: CommentMark) =>
    names.map((name) => [foldComment(name), mark] as const);
  return {
    attribute: attribute?.toLowerCase(),
    comments: new Map([
      ...foreign(off, { turns: 'off', effect: 'text' }),
      ...foreign(on, { turns: 'on', effect: undefined }),
      ['fossick_off', { turns: 'off', effect: 'text' }],
      ['fossick_on', { turns: 'on', effect: undefined }],
      ...EFFECTS.flatMap((effect): readonly (readonly [string, CommentMark])[] => [
        [`fossick_off ${effect}`, { turns: 'off', effect }],
        [`fossick_on ${effect}`, { turns: 'on', effect }],
      ]),
    ]),
  };
}

export const STOCK_MARKS: PageMarks = compileMarks({ off: [], on: [] });

/** What a comment means; undefined for all others. */
export function commentMark(text: string, { comments }: PageMarks): CommentMark | undefined {
  return text.length > MAX_COMMENT_CHARS ? undefined : comments.get(foldComment(text));
}

function foldComment(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The element by itself; what holds it may be marked, too. */
export function ignoresText(element: PageElement): boolean {
  if (!maySay(element, SAYS.ignore)) return false;
  const mark = element.attributes[IGNORE_MARK];
  return mark !== undefined && effectOf(mark) !== 'links';
}

/** The element by itself; what holds it may be marked, too. */
export function ignoresLinks(element: PageElement): boolean {
  if (!maySay(element, SAYS.ignore)) return false;
  const mark = element.attributes[IGNORE_MARK];
  return mark !== undefined && effectOf(mark) !== 'text';
}

function effectOf(mark: string): MarkEffect {
  const word = mark.trim().toLowerCase();
  return word === 'links' || word === 'all' ? word : 'text';
}

/** A comment as it stands in the tree for the time being. */
export function markNode({ turns, effect }: CommentMark, parent: PageElement | undefined): PageElement {
  const attributes = { turns, ...(effect !== undefined && { effect }) };
  return { name: COMMENT_MARK, attributes, children: [], parent, says: 0 };
}

/**
 * Turns regions between comments into attributes: elements that lie within one wholly are marked, of the others the
 * text is taken out. An `on` ends the last `off` that is still open (of its own kind, when it names one); an `off`
 * that nothing ends ends with its parent. The comments, given in document order, leave the tree. O(nodes + marks²).
 */
export function applyCommentMarks(root: PageElement, marks: readonly PageElement[]): void {
  const ends = pairMarks(marks);
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
    } else if (child.name === COMMENT_MARK) {
      top.element.children[at] = '';
      readMark(child, { ends, state, within: top });
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
  readonly unclosed: MarkEffect[];
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
    const mark = element.attributes[IGNORE_MARK];
    const text = isTextOff || ignoresText(element);
    const links = isLinksOff || (mark !== undefined && ignoresLinks(element));
    Object.assign(element.attributes, { [IGNORE_MARK]: text && links ? 'all' : links ? 'links' : 'text' });
    Object.assign(element, { says: element.says | SAYS.ignore });
  }
  if (!isTextOff) for (const at of texts) element.children[at] = '';
  for (const effect of unclosed) change(state, effect, -1);
}

type MarkContext = {
  readonly ends: ReadonlyMap<PageElement, MarkEffect | undefined>;
  readonly state: Regions;
  readonly within: OpenElement;
};

function readMark(mark: PageElement, { ends, state, within }: MarkContext): void {
  if (mark.attributes['turns'] === 'on') {
    const ended = ends.get(mark);
    if (ended !== undefined) change(state, ended, -1);
    return;
  }
  const effect = offEffect(mark);
  change(state, effect, 1);
  if (!ends.has(mark)) within.unclosed.push(effect);
}

function change(state: Regions, effect: MarkEffect, by: 1 | -1): void {
  if (effect !== 'links') {
    state.text += by;
    if (state.text === 0) state.textPauses++;
  }
  if (effect !== 'text') {
    state.links += by;
    if (state.links === 0) state.linkPauses++;
  }
}

function offEffect({ attributes }: PageElement): MarkEffect {
  return effectOf(attributes['effect'] ?? 'text');
}

/** Marks `off` that have an end, and marks `on` with the effect of what they end. */
function pairMarks(marks: readonly PageElement[]): ReadonlyMap<PageElement, MarkEffect | undefined> {
  const ends = new Map<PageElement, MarkEffect | undefined>();
  const offs: PageElement[] = [];
  for (const mark of marks) {
    if (mark.attributes['turns'] === 'off') {
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
