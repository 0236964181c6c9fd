import { hash } from 'node:crypto';
import type { Section, SectionBlock, SectionHeading } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { anchorsOf } from './anchors.ts';
import type { TextBlock } from './blocks.ts';
import { isWithin, type PageElement, walkTree } from './page-tree.ts';

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
};

/**
 * Sections of the chosen blocks: one per heading that has text, with the way of headings to it. What a reader may not
 * see, or what nobody may quote, becomes a section of its own behind the rest of the same heading.
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

function draftSections({ blocks, isQuotable, isShown }: SectionSource): readonly Draft[] {
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
    const grounding = isQuotable && block.snippet && block.visibility === 'visible';
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
