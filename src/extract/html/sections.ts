import { hash } from 'node:crypto';
import type { Section, SectionBlock, SectionHeading } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { ATTRIBUTE_BITS, attributeOf } from './attribute-bits.ts';
import type { TextBlock } from './blocks.ts';
import { isWithin, NOT_TEXT, type PageElement, walkTree } from './page-tree.ts';

/** Level of a heading that has none: of a disclosure, or a bold line. */
const NO_LEVEL = 7;
const MAX_BOLD_WORDS = 12;
/** Pages with this many headings need no other signs. */
const ENOUGH_HEADINGS = 2;
const END_STOP = /[.!?…。！？]["”’)\]]*$/;

/** A chosen block as sections see it. */
type Entry = { readonly block: TextBlock; readonly isHeading: boolean };
type Draft = {
  readonly path: readonly TextBlock[];
  readonly grounding: boolean;
  readonly isShown: boolean;
  readonly blocks: TextBlock[];
};

/** Blocks that belong together. `isShown`: they stand on the page, where links can name their headings. */
export type SectionSource = {
  readonly blocks: readonly TextBlock[];
  readonly isQuotable: boolean;
  readonly isShown: boolean;
  /** Those that visitors of the page wrote. */
  readonly ofVisitors?: ReadonlySet<TextBlock>;
};

/**
 * Sections of the chosen blocks: one per heading that has text, with the way of headings to it. What a reader may not
 * see, what nobody may quote, and what visitors wrote below the page, becomes a section of its own behind the rest of
 * the same heading.
 */
export function makeSections(documentId: string, sources: readonly SectionSource[]): readonly Section[] {
  const drafts = sources.flatMap(draftSections);
  const shown = drafts.filter(({ isShown }) => isShown).flatMap(({ path }) => path.map(({ element }) => element));
  const anchors = anchorsOf([...new Set(shown)]);
  const headingOf = ({ level, text, element, kind }: TextBlock): SectionHeading => {
    const anchor = anchors.get(element);
    return { level: kind === 'heading' ? level : NO_LEVEL, text, ...(anchor === undefined ? {} : { anchor }) };
  };
  const idOf = sectionIds(documentId);
  return drafts.map(({ path, grounding, blocks: own }) => {
    const headings = path.map(headingOf);
    return { id: idOf(headings, grounding), headings, grounding, blocks: mergeGroups(own) };
  });
}

function draftSections({ blocks, isQuotable, isShown, ofVisitors }: SectionSource): readonly Draft[] {
  const drafts: Draft[] = [];
  let path: readonly TextBlock[] = [];
  /** Those of the present heading. */
  let open: Draft[] = [];
  for (const { block, isHeading } of entriesOf(blocks)) {
    if (isHeading) {
      path = [...path.filter((above) => isAbove(above, block)), block];
      open = [];
      continue;
    }
    const grounding = isQuotable && block.snippet && block.visibility === 'visible' && ofVisitors?.has(block) !== true;
    const known = open.find((draft) => draft.grounding === grounding);
    if (known !== undefined) {
      known.blocks.push(block);
      continue;
    }
    const draft = { path, grounding, isShown, blocks: [block] };
    open.push(draft);
    drafts.push(draft);
  }
  return drafts;
}

/** Where a page has hardly any heading, a bold line before other text is one. */
function entriesOf(blocks: readonly TextBlock[]): readonly Entry[] {
  const isPlain = blocks.filter(({ kind, level }) => kind === 'heading' && level < NO_LEVEL).length < ENOUGH_HEADINGS;
  const isBold = isPlain ? blocks.map(isBoldLine) : [];
  return blocks.map((block, at) => {
    const next = blocks[at + 1];
    const hasText = next !== undefined && next.kind !== 'heading' && isBold[at + 1] !== true;
    return { block, isHeading: block.kind === 'heading' || (isBold[at] === true && hasText) };
  });
}

function isBoldLine({ kind, text, words, element }: TextBlock): boolean {
  if (kind !== 'paragraph' || words === 0 || words > MAX_BOLD_WORDS || END_STOP.test(text)) return false;
  let bold = 0;
  let chars = 0;
  let isAll = true;
  walkTree(element, {
    isDone: () => !isAll,
    enter: ({ name }) => {
      if (isStrong(name)) bold++;
      return undefined;
    },
    text: (part) => {
      chars += part.trim().length;
      // More text than the line has: it does not stand alone.
      if ((bold === 0 && part.trim() !== '') || chars > text.length) isAll = false;
    },
    exit: ({ name }) => {
      if (isStrong(name)) bold--;
    },
  });
  return isAll;
}

function isStrong(name: string): boolean {
  return name === 'b' || name === 'strong';
}

/**
 * Whether a heading stays open when another begins. That of a disclosure has no level of its own: it stands below those
 * whose container holds it. A bold line stands below every real heading.
 */
function isAbove(above: TextBlock, heading: TextBlock): boolean {
  if (heading.kind !== 'heading') return above.kind === 'heading';
  if (above.kind !== 'heading' || above.level >= heading.level) return false;
  const container = above.element.parent;
  return heading.level < NO_LEVEL || container === undefined || isWithin(heading.element, container);
}

/** The blocks one per line, headings as lines, the same line never twice in a row. */
export function contentOf(blocks: readonly TextBlock[]): string {
  const lines: string[] = [];
  for (const { text } of blocks) if (lines.at(-1) !== text) lines.push(text);
  return lines.join('\n').slice(0, EXTRACT_LIMITS.contentChars);
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARS = 10;

/**
 * Ids that survive changed text, and sections that come and go elsewhere: hash of document, heading path, whether it
 * may be quoted, and number among equal ones.
 */
export function sectionIds(documentId: string): (headings: readonly SectionHeading[], grounding?: boolean) => string {
  const counts = new Map<string, number>();
  return (headings, grounding = true) => {
    const path = headings.map(({ text }) => text.normalize().toLowerCase()).join('\n');
    const key = grounding ? path : `${path}\n`;
    const ordinal = counts.get(key) ?? 0;
    counts.set(key, ordinal + 1);
    const digest = hash('sha256', JSON.stringify([documentId, key, ordinal]), 'buffer');
    return Array.from(digest.subarray(0, ID_CHARS), (byte) => BASE32[byte & 31]).join('');
  };
}

/** Entries of one list and rows of one table that follow each other become one block. */
function mergeGroups(blocks: readonly TextBlock[]): readonly SectionBlock[] {
  const merged: { kind: SectionBlock['kind']; text: string; group: PageElement | undefined }[] = [];
  for (const { kind, text, group } of blocks) {
    const last = merged.at(-1);
    const isSame = last !== undefined && group !== undefined && last.group === group && last.kind === kind;
    if (isSame) last.text += `\n${text}`;
    else merged.push({ kind: kind === 'heading' || kind === 'button' ? 'paragraph' : kind, text, group });
  }
  return merged.map(({ kind, text }) => ({ kind, text }));
}

const MAX_ANCHOR_CHARS = 200;
/** Each looks at its siblings; a page that anybody links into has fewer. */
const MAX_HEADINGS = 2_000;
/** Ids that frameworks number anew with every build or view of a page: `:r1:`, `radix-3`, `ember12`. */
const GENERATED = /^(?:[:«]r|radix-|ember\d|react-|headlessui-|mui-\d|ui-id-|yui_|__bvid_|[bps]:\d)/i;
/** Long hexadecimal numbers, which hold both digits and letters; dates and record numbers do not. */
const HASH = /(?<![0-9a-z])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}(?![0-9a-z])/i;
const CONTAINER = /^(?:section|div|article)$/;

type Candidate = { readonly id: string; readonly isTarget: boolean };

/**
 * What a link to a heading names: its own id, one inside of it, that of the empty element before it, that of the
 * section it opens, or where its permalink leads; each only when it names nothing else on the page and looks as if it
 * would stay. O(nodes), and nothing when no heading has a candidate.
 */
function anchorsOf(headings: readonly PageElement[]): ReadonlyMap<PageElement, string> {
  const candidates = headings
    .slice(0, MAX_HEADINGS)
    .map((element) => [element, candidatesOf(element).filter(({ id }) => isStable(id))] as const);
  const counts = new Map<string, number>(candidates.flatMap(([, own]) => own.map(({ id }) => [id, 0] as const)));
  const [first] = headings;
  if (first !== undefined && counts.size > 0) countIds(rootOf(first), counts);
  const anchors = new Map<PageElement, string>();
  for (const [element, own] of candidates) {
    const found = own.find(({ id, isTarget }) => {
      const count = counts.get(id) ?? 0;
      // Scripts serve targets that the page does not have.
      return count === 1 || (isTarget && count === 0);
    });
    if (found !== undefined) anchors.set(element, found.id);
  }
  return anchors;
}

function isStable(id: string): boolean {
  return id !== '' && id.length <= MAX_ANCHOR_CHARS && !/\s/.test(id) && !GENERATED.test(id) && !HASH.test(id);
}

function candidatesOf(element: PageElement): readonly Candidate[] {
  const inner = innerLinks(element);
  const ids = [
    element.attributes['id'],
    ...inner.flatMap(({ attributes }) => [attributes['id'], attributes['name']]),
    anchorBefore(element),
    containerAnchor(element),
  ];
  const named = ids.filter((id) => id !== undefined).map((id) => ({ id, isTarget: false }));
  return [...named, ...inner.flatMap(targetOf).map((id) => ({ id, isTarget: true }))];
}

function innerLinks(element: PageElement): readonly PageElement[] {
  const links: PageElement[] = [];
  walkTree(element, {
    enter: (inner) => {
      if (inner.name === 'a') links.push(inner);
      return undefined;
    },
  });
  return links;
}

function targetOf({ attributes }: PageElement): readonly string[] {
  const href = attributes['href'] ?? '';
  if (!href.startsWith('#')) return [];
  try {
    return [decodeURIComponent(href.slice(1))];
  } catch {
    return [];
  }
}

function anchorBefore(element: PageElement): string | undefined {
  const siblings = element.parent?.children ?? [];
  for (let at = siblings.indexOf(element) - 1; at >= 0; at--) {
    const sibling = siblings[at];
    if (typeof sibling === 'string') {
      if (sibling.trim() !== '') return undefined;
    } else if (sibling !== undefined) {
      return isEmpty(sibling) ? (sibling.attributes['id'] ?? sibling.attributes['name']) : undefined;
    }
  }
  return undefined;
}

/** Of the nearest container whose text begins with the heading. */
function containerAnchor(element: PageElement): string | undefined {
  let inner = element;
  for (let at = element.parent; at !== undefined && isFirstText(inner, at); inner = at, at = at.parent) {
    if (CONTAINER.test(at.name) && at.attributes['id'] !== undefined) return at.attributes['id'];
  }
  return undefined;
}

function isFirstText(element: PageElement, parent: PageElement): boolean {
  for (const child of parent.children) {
    if (child === element) return true;
    if (typeof child === 'string' ? child.trim() !== '' : !isEmpty(child)) return false;
  }
  return false;
}

function isEmpty(element: PageElement): boolean {
  let isBlank = true;
  walkTree(element, {
    isDone: () => !isBlank,
    enter: ({ name }) => !NOT_TEXT.has(name),
    text: (text) => {
      isBlank &&= text.trim() === '';
    },
  });
  return isBlank;
}

function rootOf(element: PageElement): PageElement {
  let at = element;
  while (at.parent !== undefined) at = at.parent;
  return at;
}

/** Elements that each id names; an element whose `id` and `name` are the same counts once. */
function countIds(root: PageElement, counts: Map<string, number>): void {
  walkTree(root, {
    enter: (element) => {
      const { name, attributes } = element;
      const id = attributeOf(element, 'id', ATTRIBUTE_BITS.id);
      count(counts, id);
      if (name === 'a' && attributes['name'] !== id) count(counts, attributes['name']);
      return undefined;
    },
  });
}

function count(counts: Map<string, number>, id: string | undefined): void {
  const known = id === undefined ? undefined : counts.get(id);
  if (id !== undefined && known !== undefined) counts.set(id, known + 1);
}
