import type { Definition } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { PageFacts } from './page-facts.ts';
import { type PageElement, textOf } from './page-tree.ts';

const MAX_ANCHOR_CHARS = 200;
/** Read of an element for the name that it defines. */
const NAME_CHARS = 120;
/** `package.Class.method`, `lumo_open`, `Lumo::open`, `openFile`, `open(int)`: an id as programs have names. */
const PROGRAM_NAME = /[\p{L}\p{N}](?:[._]|::)[\p{L}\p{N}]|\p{Ll}\p{Lu}|[\p{L}\p{N}]\(/u;
/** The name itself, behind what it belongs to and before what it takes. */
const LAST_PART = /(?:^|[.:#])([^.:#(]+)(?:\(.*)?$/s;
/** Hashes and counters that tools give. */
const GENERATED = /^(?:[ag]?[0-9a-f]{16,}|[a-z]*\d+)$/i;

/**
 * What a page defines, so that its name leads to the place: terms of definition lists and cells of tables that can be
 * linked to, and elements whose id is a name as programs have it and that begin with it. O(elements with an id).
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
  if (GENERATED.test(anchor)) return undefined;
  if (name === 'dt') return { anchor, text };
  return PROGRAM_NAME.test(anchor) && (isMark || hasName(text, anchor)) ? { anchor, text: '' } : undefined;
}

function hasName(text: string, anchor: string): boolean {
  const [, own = anchor] = LAST_PART.exec(anchor) ?? [];
  return text.toLowerCase().includes(own.toLowerCase());
}
