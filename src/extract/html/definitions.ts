import type { Definition } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { headingText } from './heading-parts.ts';
import type { PageFacts } from './page-facts.ts';
import { type PageElement, textOf, withoutPermalink } from './page-tree.ts';

const MAX_ANCHOR_CHARS = 200;
/** Read of an element for the name that it defines. */
const NAME_CHARS = 120;
/** `package.Class.method`, `lumo_open`, `Lumo::open`, `openFile`, `open(int)`: an id as programs have names. */
const PROGRAM_NAME = /[\p{L}\p{N}](?:[._]|::)[\p{L}\p{N}]|\p{Ll}\p{Lu}|[\p{L}\p{N}]\(/u;
/** A heading that is such a name and nothing else, perhaps with what it takes: `openFile`, `NUMBER_TYPE`, `open() [1/2]`. */
const NAME_ALONE = /^[\p{L}_$~][\p{L}\p{N}_.:$#~]*(?:\(.*)?$/su;
const HEADING = /^h[1-6]$/;
/** The name itself, behind what it belongs to and before what it takes. */
const LAST_PART = /(?:^|[.:#])([^.:#(]+)(?:\(.*)?$/s;
/** Hashes and counters that tools give. */
const GENERATED = /^(?:[ag]?[0-9a-f]{16,}|[a-z]*\d+)$/i;

/**
 * What a page defines, so that its name leads to the place: terms of definition lists and cells of tables that can be
 * linked to, headings that are a name as programs have it, and elements whose id is one and that begin with it.
 * O(elements with an id).
 */
export function readDefinitions({ identified, anchors }: PageFacts): readonly Definition[] {
  const definitions = new Map<string, Definition>();
  for (const element of [...identified, ...anchors]) {
    const definition = definitionOf(element);
    if (definition === undefined || definitions.has(definition.anchor)) continue;
    definitions.set(definition.anchor, definition);
    if (definitions.size === EXTRACT_LIMITS.definitions) break;
  }
  return [...definitions.values()];
}

function definitionOf(element: PageElement): Definition | undefined {
  const { name, attributes } = element;
  const anchor = attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined) ?? '';
  if (anchor === '' || anchor.length > MAX_ANCHOR_CHARS || /\s/.test(anchor)) return undefined;
  const text = textOf(element, NAME_CHARS);
  const isMark = text === '' && name === 'a';
  const cell = isMark && element.parent?.name === 'td' ? element.parent : undefined;
  if (cell !== undefined) return { anchor, text: textOf(cell, NAME_CHARS) };
  const heading = headingOf(element, isMark);
  if (heading !== undefined) return { anchor, text: heading };
  if (GENERATED.test(anchor)) return undefined;
  if (name === 'dt') return { anchor, text };
  return PROGRAM_NAME.test(anchor) && (isMark || hasName(text, anchor)) ? { anchor, text: '' } : undefined;
}

/** A heading that is a name alone, by its own id or the mark before it. */
function headingOf(element: PageElement, isMark: boolean): string | undefined {
  const heading = isMark ? nextElement(element) : element;
  if (heading === undefined || !HEADING.test(heading.name)) return undefined;
  const text = withoutPermalink(headingText(heading, NAME_CHARS));
  return NAME_ALONE.test(text) && PROGRAM_NAME.test(text) ? text : undefined;
}

function nextElement(element: PageElement): PageElement | undefined {
  const siblings = element.parent?.children ?? [];
  const behind = siblings.slice(siblings.indexOf(element) + 1);
  const next = behind.find((node) => typeof node !== 'string' || node.trim() !== '');
  return typeof next === 'string' ? undefined : next;
}

function hasName(text: string, anchor: string): boolean {
  const [, own = anchor] = LAST_PART.exec(anchor) ?? [];
  return text.toLowerCase().includes(own.toLowerCase());
}
