import type { Definition } from '../../core/document.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { TextBlock } from './blocks.ts';
import { headingText } from './heading-parts.ts';
import type { PageFacts } from './page-facts.ts';
import { firstElement, nodesAfter, type PageElement, textOf, walkTree, withoutPermalink } from './page-tree.ts';

const MAX_ANCHOR_CHARS = 200;
/** Read of an element for the name that it defines. */
const NAME_CHARS = 120;
/** `package.Class.method`, `lumo_open`, `Lumo::open`, `openFile`, `open(int)`: an id as programs have names. */
const PROGRAM_NAME = /[\p{L}\p{N}](?:[._]|::)[\p{L}\p{N}]|\p{Ll}\p{Lu}|[\p{L}\p{N}]\(/u;
/** A heading that is such a name and nothing else, perhaps with what it takes: `openFile`, `NUMBER_TYPE`, `open() [1/2]`. */
const NAME_ALONE = /^[\p{L}_$~][\p{L}\p{N}_.:$#~]*(?:\(.*)?$/su;
const HEADING = /^h[1-6]$/;
const BLOCK = /^(?:p|div|dt|li|td|span)$/;
const CODE = /^(?:code|tt|samp|kbd|var|b|strong)$/;
const BOLD = /^(?:b|strong)$/;
/** In code: `PGHOST`. In bold it would be a NOTE. */
const VARIABLE = /^\p{Lu}[\p{Lu}\p{N}]{3,}$/u;
/** A long option, without the value that it takes. */
const OPTION = /^--\p{L}[\p{L}\p{N}-]+(?=$|[\s=[])/u;
const MAX_TERMS = 1_000;
/** Blocks in each other that a name may stand in. */
const MAX_DEPTH = 3;
/** The name itself, behind what it belongs to and before what it takes. */
const LAST_PART = /(?:^|[.:#])([^.:#(]+)(?:\(.*)?$/s;
/** Hashes and counters that tools give. */
const GENERATED = /^(?:[ag]?[0-9a-f]{16,}|[a-z]*\d+|id-[\d.]+)$/i;

/**
 * What a page defines, so that its name leads to the place: terms of definition lists and cells of tables that can be
 * linked to, headings that are a name as programs have it, names in code behind a mark that can be linked to, and
 * elements whose id is a name and that begin with it. O(elements with an id).
 */
export function readDefinitions({ identified, anchors, terms }: PageFacts): readonly Definition[] {
  const definitions = new Map<string, Definition>();
  for (const element of [...identified, ...anchors]) {
    const definition = definitionOf(element);
    if (definition === undefined || definitions.has(definition.anchor)) continue;
    definitions.set(definition.anchor, definition);
    if (definitions.size === EXTRACT_LIMITS.definitions) break;
  }
  const options = terms.slice(0, MAX_TERMS).flatMap(optionsOf);
  return [...definitions.values(), ...options].slice(0, EXTRACT_LIMITS.definitions);
}

/** Blocks from the beginning of a page in which it says what it belongs to. */
const MAX_FIRST_BLOCKS = 100;
/** Folders of an address that may be parts of a name: `com/lumo/yard`. */
const MAX_FOLDERS = 8;
/** What a type takes: `Sail<T>`. */
const TYPE_PARAMETERS = /<.*$/s;

/**
 * The whole name of what a page is about, where its address spells it and its first blocks have all but the last part:
 * a page titled `Class Boat` at `/api/com/lumo/yard/Boat.html` that says "Package com.lumo.yard". O(blocks looked at).
 */
export function qualifiedTitle(page: {
  readonly url: string;
  readonly title: string;
  readonly blocks: readonly TextBlock[];
}): string | undefined {
  const folders = (URL.parse(page.url)?.pathname ?? '').split('/').slice(1);
  const name = folders.pop()?.replace(/\.\w+$/, '') ?? '';
  if (name === '' || lastWord(page.title.replace(TYPE_PARAMETERS, '')) !== name) return undefined;
  const lastWords = new Set(page.blocks.slice(0, MAX_FIRST_BLOCKS).map(({ text }) => lastWord(text)));
  const starts = folders
    .slice(-MAX_FOLDERS, -1)
    .map((_, at, all) => folders.slice(folders.length - 1 - all.length + at));
  const qualifier = starts.map((parts) => parts.join('.')).find((path) => lastWords.has(path));
  return qualifier === undefined ? undefined : `${qualifier}.${name}`;
}

function lastWord(text: string): string {
  return text.slice(text.search(/\S+\s*$/)).trim();
}

/** Options of a command that a list explains, which have no place of their own: `-g`, `--globals-only`. */
function optionsOf(term: PageElement): readonly Definition[] {
  const texts: string[] = [];
  walkTree(term, {
    enter: (inner) => {
      if (!CODE.test(inner.name)) return undefined;
      texts.push(textOf(inner, NAME_CHARS));
      return false;
    },
  });
  const options = texts.flatMap((text) => OPTION.exec(text)?.[0] ?? []);
  return options.map((text) => ({ anchor: '', text }));
}

function definitionOf(element: PageElement): Definition | undefined {
  const { name, attributes } = element;
  const anchor = attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined) ?? '';
  if (anchor === '' || anchor.length > MAX_ANCHOR_CHARS || /\s/.test(anchor)) return undefined;
  const text = textOf(element, NAME_CHARS);
  const isMark = text === '' && name === 'a';
  const named = isMark ? textAtMark(element) : headingName(element);
  if (named !== undefined) return { anchor, text: named };
  if (GENERATED.test(anchor)) return undefined;
  if (name === 'dt') return { anchor, text };
  return PROGRAM_NAME.test(anchor) && (isMark || hasName(text, anchor)) ? { anchor, text: '' } : undefined;
}

/** What an empty mark stands before: a cell of a table, or a name that begins the next block or is all of it. */
function textAtMark(mark: PageElement): string | undefined {
  const next = firstElement(nodesAfter(mark), isMarkAlone);
  const named = next && (headingName(next) ?? codeName(next));
  if (named !== undefined) return named;
  return mark.parent?.name === 'td' ? textOf(mark.parent, NAME_CHARS) : undefined;
}

/** Of a heading that is a name alone. */
function headingName(element: PageElement): string | undefined {
  if (!HEADING.test(element.name)) return undefined;
  const text = withoutPermalink(headingText(element, NAME_CHARS));
  return NAME_ALONE.test(text) && PROGRAM_NAME.test(text) ? text : undefined;
}

/** The name that a block begins with as code or in bold, with what it takes: `log (numeric)`. */
function codeName(block: PageElement): string | undefined {
  let element: PageElement | undefined = block;
  for (let depth = 0; element !== undefined && BLOCK.test(element.name) && depth < MAX_DEPTH; depth++) {
    element = firstElement(element.children, isMarkAlone);
  }
  if (element === undefined || !CODE.test(element.name)) return undefined;
  const text = textOf(element, NAME_CHARS);
  if (!NAME_ALONE.test(text)) return undefined;
  const isVariable = VARIABLE.test(text) && !BOLD.test(element.name);
  return isVariable || PROGRAM_NAME.test(text) || textBehind(element).startsWith('(') ? text : undefined;
}

function textBehind(element: PageElement): string {
  const [next] = nodesAfter(element);
  return typeof next === 'string' ? next.trimStart() : '';
}

function isMarkAlone({ name, children }: PageElement): boolean {
  return name === 'a' && children.length === 0;
}

function hasName(text: string, anchor: string): boolean {
  const [, own = anchor] = LAST_PART.exec(anchor) ?? [];
  return text.toLowerCase().includes(own.toLowerCase());
}
