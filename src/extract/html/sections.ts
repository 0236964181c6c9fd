import { createHash } from 'node:crypto';
import type { Section, SectionBlock, SectionHeading } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { TextBlock } from './blocks.ts';
import { isWithin, type PageElement, textOf, walkTree } from './page-tree.ts';

/** Generated ids change with every build of the page: `:r1:`, `radix-3`, `ember12`, long hexadecimal numbers. */
const GENERATED = /^(?::r|radix-|ember\d|react-|headlessui-)|[0-9a-f]{8,}/i;
const MAX_ANCHOR_CHARS = 200;
const DISCLOSURE_LEVEL = 7;

/** Sections of the chosen blocks: one per heading that has text, with the way of headings to it. */
export function makeSections(
  documentId: string,
  blocks: readonly TextBlock[],
  isQuotable: boolean,
): readonly Section[] {
  const drafts: { headings: readonly SectionHeading[]; grounding: boolean; blocks: TextBlock[] }[] = [];
  let path: TextBlock[] = [];
  let isNew = true;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      path = [...path.filter((above) => above.level < block.level && reaches(above, block)), block];
      isNew = true;
      continue;
    }
    const grounding = isQuotable && block.snippet && block.visibility === 'visible';
    const last = drafts.at(-1);
    if (isNew || last === undefined || last.grounding !== grounding)
      drafts.push({ headings: path.map(headingOf), grounding, blocks: [block] });
    else last.blocks.push(block);
    isNew = false;
  }
  const idOf = sectionIds(documentId);
  return drafts.map(({ headings, grounding, blocks: own }) => ({
    id: idOf(headings),
    headings,
    grounding,
    blocks: mergeGroups(own),
  }));
}

/** The heading of a disclosure has no level of its own: it stands below those whose container holds it. */
function reaches(above: TextBlock, heading: TextBlock): boolean {
  const container = above.element.parent;
  return heading.level < DISCLOSURE_LEVEL || container === undefined || isWithin(heading.element, container);
}

/** The blocks one per line, headings as lines, the same line never twice in a row. */
export function contentOf(blocks: readonly TextBlock[]): string {
  const lines: string[] = [];
  for (const { text } of blocks) if (lines.at(-1) !== text) lines.push(text);
  return lines.join('\n').slice(0, EXTRACT_LIMITS.contentChars);
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARS = 10;

/** Ids that survive changed text: hash of document, heading path, and number among equal paths. */
export function sectionIds(documentId: string): (headings: readonly SectionHeading[]) => string {
  const counts = new Map<string, number>();
  return (headings) => {
    const path = headings.map(({ text }) => text.toLowerCase()).join('\n');
    const ordinal = counts.get(path) ?? 0;
    counts.set(path, ordinal + 1);
    const digest = createHash('sha256')
      .update(JSON.stringify([documentId, path, ordinal]))
      .digest();
    return Array.from(digest.subarray(0, ID_CHARS), (byte) => BASE32[byte & 31]).join('');
  };
}

function headingOf({ level, text, element }: TextBlock): SectionHeading {
  const anchor = anchorOf(element);
  return anchor === undefined ? { level, text } : { level, text, anchor };
}

/** The heading's own id, one inside of it, the empty element before it, or the section that it opens. */
function anchorOf(element: PageElement): string | undefined {
  const ids = [element.attributes['id'], innerAnchor(element), anchorBefore(element), sectionAnchor(element)];
  return ids.find(
    (id) => id !== undefined && id !== '' && id.length <= MAX_ANCHOR_CHARS && !/\s/.test(id) && !GENERATED.test(id),
  );
}

function innerAnchor(element: PageElement): string | undefined {
  let found: string | undefined;
  walkTree(element, {
    enter: ({ name, attributes }) => {
      if (name !== 'a') return undefined;
      const href = attributes['href'] ?? '';
      found ??= attributes['id'] ?? attributes['name'] ?? (href.startsWith('#') ? href.slice(1) : undefined);
      return undefined;
    },
  });
  return found;
}

function anchorBefore(element: PageElement): string | undefined {
  const siblings = element.parent?.children ?? [];
  for (let at = siblings.indexOf(element) - 1; at >= 0; at--) {
    const sibling = siblings[at];
    if (typeof sibling === 'string') {
      if (sibling.trim() !== '') return undefined;
    } else if (sibling !== undefined) {
      return textOf(sibling) === '' ? (sibling.attributes['id'] ?? sibling.attributes['name']) : undefined;
    }
  }
  return undefined;
}

function sectionAnchor(element: PageElement): string | undefined {
  let inner = element;
  for (let at = element.parent; at !== undefined && isFirst(inner, at); inner = at, at = at.parent) {
    if (/^(?:section|div|article)$/.test(at.name) && at.attributes['id'] !== undefined) return at.attributes['id'];
  }
  return undefined;
}

function isFirst(element: PageElement, parent: PageElement): boolean {
  return parent.children.find((child) => typeof child !== 'string' || child.trim() !== '') === element;
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
