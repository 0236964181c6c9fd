import { compareCodePoints } from '../../../core/compare-text.ts';
import { CLASS_NUMBERS } from '../field-numbers.ts';
import { POSITION_CLASS_SHIFT } from '../postings/writer.ts';
import type { FrontCodingWriter } from '../term-dictionary/front-coding-writer.ts';
import type { SurfaceListsWriter } from '../term-dictionary/surface-lists.ts';
import {
  type DictionarySource,
  ownsLists,
  SURFACE_CLASS,
  SURFACE_CLASS_BITS,
  type SurfaceTerms,
} from '../term-dictionary/surfaces.ts';
import type { NamedGroups } from './name-groups.ts';
import { languageOfTag, type TokenGroups } from './token-groups.ts';

/** Lists of numbers by entry: those of entry e are `items[starts[e]..ends[e])`. */
type Lists = { readonly starts: Uint32Array; readonly ends: Uint32Array; readonly items: Uint32Array };

/** Bits of a surface's document by class. */
const CLASS_BITS = [0, SURFACE_CLASS.b, SURFACE_CLASS.c] as const;

/** The dictionary of a new segment, and `ownsLists` of it. O(tokens + entries): no string, no array per word. */
export function builtDictionary(
  groups: TokenGroups,
  named: NamedGroups,
): { dictionary: DictionarySource; owns: Uint8Array } {
  const members = groupsByEntry(named);
  const surfaces = new BuiltSurfaces(groups, named, members);
  const owns = ownsLists(surfaces);
  return { dictionary: surfaces.withLists(owns), owns };
}

class BuiltSurfaces {
  readonly count: number;
  readonly termCount: number;
  private readonly groups: TokenGroups;
  private readonly named: NamedGroups;
  /** Groups of each surface, ascending. */
  private readonly members: Lists;

  constructor(groups: TokenGroups, named: NamedGroups, members: Lists) {
    this.groups = groups;
    this.named = named;
    this.members = members;
    this.count = named.order.length;
    this.termCount = named.termCount;
  }

  isSurface(entry: number): boolean {
    return this.members.starts[entry] !== this.members.ends[entry];
  }

  addTerms(entry: number, out: SurfaceTerms): void {
    const { starts, ends, items } = this.members;
    for (let i = starts[entry]!; i < ends[entry]!; i++) {
      const group = items[i]!;
      out.add(this.named.termOfGroup[group]!, 1 << languageOfTag(this.groups.tags.array[group]!));
    }
  }

  /** The whole source, its lists filled. */
  withLists(owns: Uint8Array): DictionarySource {
    const { groups, named, count, termCount } = this;
    const { texts, order, termOfEntry } = named;
    const own = ownLists(groups, named, owns);
    const titles = titleLists(groups, named);
    return {
      count,
      termCount,
      pushText(entry: number, out: FrontCodingWriter) {
        const text = order[entry]!;
        out.pushUnits(texts.units, texts.starts.array[text]!, texts.starts.array[text + 1]!);
      },
      termOf: (entry) => termOfEntry[entry]!,
      isSurface: (entry) => this.isSurface(entry),
      addTerms: (entry, out) => this.addTerms(entry, out),
      addDocuments: (entry, out: SurfaceListsWriter) =>
        out.addOwn(entry, own.items, own.starts[entry]!, own.ends[entry]!),
      addTitles: (entry, out: SurfaceListsWriter) =>
        out.addTitles(entry, titles.items, titles.starts[entry]!, titles.ends[entry]!),
      displayOf: (entry) => (named.hasForms[entry] === 0 ? undefined : this.frequentForm(entry)),
    };
  }

  /** The word that stands for a surface most often, when it is not the folded one. Ties by code point. */
  private frequentForm(entry: number): string | undefined {
    const { words, sizes } = this.groups;
    const { starts, ends, items } = this.members;
    const uses = new Map<string, number>();
    for (let i = starts[entry]!; i < ends[entry]!; i++) {
      const form = words.text(items[i]!);
      uses.set(form, (uses.get(form) ?? 0) + sizes.array[items[i]!]!);
    }
    const [best] = [...uses].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b));
    const folded = this.named.texts.text(this.named.order[entry]!);
    return best === undefined || best[0] === folded ? undefined : best[0];
  }
}

function groupsByEntry({ surfaceOfGroup, order }: NamedGroups): Lists {
  const sizes = new Uint32Array(order.length);
  for (let group = 0; group < surfaceOfGroup.length; group++)
    if (surfaceOfGroup[group]! >= 0) sizes[surfaceOfGroup[group]!]!++;
  const lists = emptyLists(sizes);
  for (let group = 0; group < surfaceOfGroup.length; group++) {
    const entry = surfaceOfGroup[group]!;
    if (entry >= 0) lists.items[lists.ends[entry]!++] = group;
  }
  return lists;
}

/** Documents, each with its classes, of the surfaces that own a list. */
function ownLists(groups: TokenGroups, { surfaceOfGroup, order }: NamedGroups, owns: Uint8Array): Lists {
  const sizes = new Uint32Array(order.length);
  const listOfGroup = surfaceOfGroup.map((entry) => (entry >= 0 && owns[entry] === 1 ? entry : -1));
  for (let group = 0; group < listOfGroup.length; group++) {
    if (listOfGroup[group]! >= 0) sizes[listOfGroup[group]!]! += groups.sizes.array[group]!;
  }
  const lists = emptyLists(sizes);
  for (const { document, tokens, from, to } of groups.pieces()) {
    for (let i = from; i < to; i += 2) {
      const entry = listOfGroup[tokens[i]!]!;
      if (entry >= 0) addDocument(lists, entry, document, CLASS_BITS[tokens[i + 1]! >>> POSITION_CLASS_SHIFT]!);
    }
  }
  return lists;
}

/** Documents that have a surface in class A: its tokens come first in each document. */
function titleLists(groups: TokenGroups, { surfaceOfGroup, order }: NamedGroups): Lists {
  const sizes = new Uint32Array(order.length);
  forEachTitle(groups, surfaceOfGroup, (entry) => sizes[entry]!++);
  const lists = emptyLists(sizes);
  forEachTitle(groups, surfaceOfGroup, (entry, document) => addDocument(lists, entry, document, 0));
  return lists;
}

function forEachTitle(
  groups: TokenGroups,
  surfaceOfGroup: Int32Array,
  visit: (entry: number, document: number) => void,
): void {
  for (const { document, tokens, from, to } of groups.pieces()) {
    for (let i = from; i < to && tokens[i + 1]! >>> POSITION_CLASS_SHIFT === CLASS_NUMBERS.a; i += 2) {
      const entry = surfaceOfGroup[tokens[i]!]!;
      if (entry >= 0) visit(entry, document);
    }
  }
}

function addDocument({ starts, ends, items }: Lists, entry: number, document: number, classes: number): void {
  const at = ends[entry]!;
  if (at > starts[entry]! && items[at - 1]! >>> SURFACE_CLASS_BITS === document) {
    items[at - 1]! |= classes;
    return;
  }
  items[at] = ((document << SURFACE_CLASS_BITS) | classes) >>> 0;
  ends[entry] = at + 1;
}

/** Empty lists with room for these numbers of items. */
function emptyLists(sizes: Uint32Array): Lists {
  const starts = new Uint32Array(sizes.length);
  let total = 0;
  for (let i = 0; i < sizes.length; i++) {
    starts[i] = total;
    total += sizes[i]!;
  }
  return { starts, ends: starts.slice(), items: new Uint32Array(total) };
}
