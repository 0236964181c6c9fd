import { compareCodePoints } from '../../../core/compare-text.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { CLASS_NUMBERS } from '../field-numbers.ts';
import { POSITION_CLASS_SHIFT } from '../postings/blocks.ts';
import type { FrontCodingWriter } from '../term-dictionary/front-coding-writer.ts';
import {
  type DictionarySource,
  ownsLists,
  SURFACE_CLASS,
  SURFACE_CLASS_BITS,
  type SurfaceListsWriter,
  type SurfaceTerms,
} from '../term-dictionary/surfaces.ts';
import type { NamedGroups } from './name-groups.ts';
import { WordTable } from './word-table.ts';

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

/**
 * What the words of a group are, in the low bits of its tag, below the number of its language: words or bigrams of
 * searched fields or of those that plain words skip, words beside the main text, words of link texts, whole names.
 */
export const GROUP_KIND = {
  word: 0,
  bigram: 1,
  hiddenWord: 2,
  hiddenBigram: 3,
  secondaryWord: 4,
  linkTextWord: 5,
  name: 6,
} as const;
const LANGUAGE_SHIFT = 3;
const KIND_MASK = (1 << LANGUAGE_SHIFT) - 1;

export function kindOfTag(tag: number): number {
  return tag & KIND_MASK;
}

/** Whether the terms of a kind have counts and no positions. */
export function isBareKind(kind: number): boolean {
  return kind >= GROUP_KIND.secondaryWord;
}

export function isBigramKind(kind: number): boolean {
  return kind === GROUP_KIND.bigram || kind === GROUP_KIND.hiddenBigram;
}

export function languageOfTag(tag: number): number {
  return tag >>> LANGUAGE_SHIFT;
}

/** Tag of the words of a language. */
export function tagOfLanguage(language: number): number {
  return language << LANGUAGE_SHIFT;
}

/** Numbers of a chunk of tokens, two each. */
const CHUNK = 1 << 17;

/** Tokens of one document that lie together: (group, place) pairs in `tokens[from..to)`. */
export type TokenPiece = {
  readonly document: number;
  readonly tokens: Uint32Array;
  readonly from: number;
  readonly to: number;
};

/**
 * The tokens of a segment that is built, in order of documents: per token 8 bytes, its group and its place. A group is
 * what has one term and one surface: a word, the language of its documents, and its kind.
 * Kept in chunks of 512 KB: an array that doubles would take three times the memory, and the collector counts it.
 */
export class TokenGroups {
  /** The word of each group. */
  readonly words = new WordTable();
  readonly tags = new GrowableU8();
  /** Tokens of each group. */
  readonly sizes = new GrowableU32();
  private readonly chunks: Uint32Array[] = [];
  private chunk = new Uint32Array(0);
  private at = 0;
  /** Per document the first number behind it, over all chunks. */
  private readonly documentEnds = new GrowableU32();

  /** Tokens. */
  get count(): number {
    return Math.max(0, this.chunks.length - 1) * (CHUNK / 2) + this.at / 2;
  }

  /** Hot: once per token. */
  add(units: Uint16Array, length: number, hash: number, tag: number, index: number): void {
    const group = this.words.intern(units, length, hash, tag);
    if (group === this.sizes.length) {
      this.sizes.push(1);
      this.tags.push(tag);
    } else {
      this.sizes.array[group]!++;
    }
    if (this.at === this.chunk.length) this.addChunk();
    this.chunk[this.at] = group;
    this.chunk[this.at + 1] = index;
    this.at += 2;
  }

  endDocument(): void {
    this.documentEnds.push(this.count * 2);
  }

  /** All tokens in order. */
  *pieces(): Generator<TokenPiece> {
    const ends = this.documentEnds.view();
    let start = 0;
    for (let document = 0; document < ends.length; document++) {
      const end = ends[document]!;
      while (start < end) {
        const from = start % CHUNK;
        const to = Math.min(CHUNK, from + end - start);
        yield { document, tokens: this.chunks[Math.floor(start / CHUNK)]!, from, to };
        start += to - from;
      }
    }
  }

  private addChunk(): void {
    this.chunk = new Uint32Array(CHUNK);
    this.chunks.push(this.chunk);
    this.at = 0;
  }
}
