import { rankOfUnit } from '../../../core/compare-text.ts';
import { hasCompounds, KNOWN_DOCUMENTS, type Vocabulary } from '../../../text/compounds.ts';
import { foldWord } from '../../../text/folding.ts';
import { stemAscii, stemWord } from '../../../text/stemming.ts';
import { bigramTerm, LINK_TEXT_PREFIX, NAME_PREFIX, partTerm, SECONDARY_PREFIX } from '../../../text/term-keys.ts';
import { hashWord } from '../../../text/tokenizer.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import type { NewWords, WordCounts } from '../vocabulary-words.ts';
import {
  GROUP_KIND,
  isBareKind,
  isBigramKind,
  kindOfTag,
  languageOfTag,
  type TokenGroups,
} from './built-dictionary.ts';
import { WordTable } from './word-table.ts';

/** Key prefix of terms from fields that plain words do not search. */
export const HIDDEN_PREFIX = '\u0004';

/** Longest word that is stemmed without a string, with its prefix. */
const SCRATCH_UNITS = 80;
const NONE = -1;

/**
 * The dictionary entries of a segment, which are the stems and the folded surfaces of its groups. Entries are numbered
 * by code point, terms in the order of their entries.
 */
export type NamedGroups = {
  readonly texts: WordTable;
  /** Number in `texts` by entry. */
  readonly order: Uint32Array;
  readonly termCount: number;
  /** By entry, -1 = it is no stem. */
  readonly termOfEntry: Int32Array;
  /** Term of each group's stem. */
  readonly termOfGroup: Uint32Array;
  /** Entry of each group's folded word, -1 = plain words do not search it. */
  readonly surfaceOfGroup: Int32Array;
  /** By entry: 1 = a surface that is also written otherwise. */
  readonly hasForms: Uint8Array;
  /** Terms without positions, which follow each other: `[from, to)`. */
  readonly bareTerms: { readonly from: number; readonly to: number };
  /** Number of the vocabulary that has split compounds. */
  readonly vocabulary: number;
  /** Terms of the parts of the groups that are compounds; undefined = there are none. */
  readonly partsOfGroup: ReadonlyMap<number, Uint32Array> | undefined;
};

/** Stems and folds each group's word. O(groups · log groups); strings only for words outside ASCII and other stemmers. */
export function nameGroups(
  groups: TokenGroups,
  codeOf: (language: number) => string,
  chooseVocabulary: (count: NewWords['count']) => Vocabulary,
): NamedGroups {
  const naming = new Naming(groups, codeOf);
  for (let group = 0; group < groups.words.count; group++) naming.name(group);
  const vocabulary = chooseVocabulary((language) => naming.countWords(language));
  const parts = naming.splitCompounds(vocabulary);
  const { texts } = naming;
  const order = sortWords(texts);
  const entryOfText = new Int32Array(order.length);
  for (let entry = 0; entry < order.length; entry++) entryOfText[order[entry]!] = entry;
  const stems = naming.stems.view();
  const termOfEntry = new Int32Array(order.length).fill(NONE);
  for (let group = 0; group < stems.length; group++) termOfEntry[entryOfText[stems[group]!]!] = 0;
  for (const list of parts?.values() ?? []) for (const text of list) termOfEntry[entryOfText[text]!] = 0;
  let termCount = 0;
  for (let entry = 0; entry < order.length; entry++) if (termOfEntry[entry] === 0) termOfEntry[entry] = termCount++;
  const hasForms = new Uint8Array(order.length);
  for (const text of naming.changed) hasForms[entryOfText[text]!] = 1;
  const termOf = (text: number) => termOfEntry[entryOfText[text]!]!;
  const termOfGroup = stems.map(termOf);
  return {
    texts,
    order,
    termCount,
    termOfEntry,
    hasForms,
    termOfGroup,
    bareTerms: bareTerms(groups, termOfGroup),
    surfaceOfGroup: naming.surfaces.map((text) => (text < 0 ? NONE : entryOfText[text]!)),
    vocabulary: vocabulary.number,
    partsOfGroup: parts && new Map([...parts].map(([group, list]) => [group, list.map(termOf)])),
  };
}

function bareTerms({ tags }: TokenGroups, termOfGroup: Uint32Array): { from: number; to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let group = 0; group < termOfGroup.length; group++) {
    if (!isBareKind(kindOfTag(tags.array[group]!))) continue;
    from = Math.min(from, termOfGroup[group]!);
    to = Math.max(to, termOfGroup[group]! + 1);
  }
  return { from: Math.min(from, to), to };
}

/** Numbers the texts of stems and surfaces. */
class Naming {
  readonly texts: WordTable;
  /** Text of each group's stem; of its surface, -1 = none. */
  readonly stems = new GrowableU32();
  readonly surfaces: Int32Array;
  /** Texts of surfaces that some word became by folding. */
  readonly changed = new Set<number>();
  private readonly groups: TokenGroups;
  private readonly codeOf: (language: number) => string;
  private units = new Uint16Array(SCRATCH_UNITS);

  constructor(groups: TokenGroups, codeOf: (language: number) => string) {
    this.groups = groups;
    this.codeOf = codeOf;
    this.texts = new WordTable(groups.words.count);
    this.surfaces = new Int32Array(groups.words.count).fill(NONE);
  }

  name(group: number): void {
    const { words, tags } = this.groups;
    const { units } = this;
    const tag = tags.array[group]!;
    const kind = kindOfTag(tag);
    const length = isBigramKind(kind) || kind === GROUP_KIND.name ? NONE : words.copy(group, units);
    if (length < 0 || !isAscii(units, length)) {
      this.nameByText(group, tag);
      return;
    }
    const prefix = prefixOf(kind);
    // The folded form of an ASCII word is the word.
    if (prefix === '') this.surfaces[group] = this.intern(length);
    const language = this.codeOf(languageOfTag(tag));
    const stem = stemAscii(units, length, language);
    if (stem < 0) this.nameStem(stemWord(words.text(group), language), prefix);
    else if (prefix === '') this.stems.push(this.intern(stem));
    else this.stems.push(this.internBehind(prefix, stem));
  }

  /** Words of documents in a language whose stem stands in enough of them to be a part. O(tokens). */
  countWords(language: string): WordCounts {
    const stems = this.stems.view();
    const counted = stems.map((_, group) => (this.isWordOf(group, language) ? 1 : 0));
    const lastDocument = new Int32Array(this.texts.count).fill(NONE);
    const documents = new Uint32Array(this.texts.count);
    for (const { document, tokens, from, to } of this.groups.pieces()) {
      for (let i = from; i < to; i += 2) {
        const group = tokens[i]!;
        if (counted[group] === 0) continue;
        const stem = stems[group]!;
        if (lastDocument[stem] !== document) documents[stem]!++;
        lastDocument[stem] = document;
      }
    }
    const documentsByStem = new Map<string, number>();
    const words = new Set<string>();
    for (let group = 0; group < stems.length; group++) {
      const count = documents[stems[group]!]!;
      if (counted[group] === 0 || count < KNOWN_DOCUMENTS) continue;
      documentsByStem.set(this.texts.text(stems[group]!), count);
      words.add(this.texts.text(this.surfaces[group]!));
    }
    return { documentsByStem, words };
  }

  private isWordOf(group: number, language: string): boolean {
    const tag = this.groups.tags.array[group]!;
    return kindOfTag(tag) === GROUP_KIND.word && this.codeOf(languageOfTag(tag)) === language;
  }

  /** Texts of the part terms by group; undefined when no group has parts. Each stem is split once per language. */
  splitCompounds(vocabulary: Vocabulary): Map<number, Uint32Array> | undefined {
    const parts = new PartNaming(vocabulary);
    const found = new Map<number, Uint32Array>();
    const stems = this.stems.view();
    for (let group = 0; group < stems.length; group++) {
      const tag = this.groups.tags.array[group]!;
      if (kindOfTag(tag) !== GROUP_KIND.word) continue;
      const language = this.codeOf(languageOfTag(tag));
      if (!parts.splits(language)) continue;
      const keys = parts.keysOf(this.texts.text(stems[group]!), language);
      if (keys.length > 0)
        found.set(
          group,
          Uint32Array.from(keys, (key) => this.numberOf(key)),
        );
    }
    return found.size === 0 ? undefined : found;
  }

  private nameByText(group: number, tag: number): void {
    const word = this.groups.words.text(group);
    const kind = kindOfTag(tag);
    const isBigram = isBigramKind(kind);
    const prefix = prefixOf(kind);
    const stem = () => stemWord(word, this.codeOf(languageOfTag(tag)));
    this.nameStem(isBigram ? bigramTerm(word) : kind === GROUP_KIND.name ? word : stem(), prefix);
    if (isBigram || prefix !== '') return;
    const folded = foldWord(word);
    this.surfaces[group] = this.numberOf(folded);
    if (folded !== word) this.changed.add(this.surfaces[group]!);
  }

  private nameStem(stem: string, prefix: string): void {
    this.stems.push(this.numberOf(prefix + stem));
  }

  private numberOf(text: string): number {
    if (text.length > this.units.length) this.units = new Uint16Array(text.length * 2);
    for (let i = 0; i < text.length; i++) this.units[i] = text.charCodeAt(i);
    return this.intern(text.length);
  }

  /** Number of the text with the prefix, of one unit, before `units[0..length)`. */
  private internBehind(prefix: string, length: number): number {
    for (let i = length; i > 0; i--) this.units[i] = this.units[i - 1]!;
    this.units[0] = prefix.charCodeAt(0);
    return this.intern(length + 1);
  }

  /** Number of the text `units[0..length)`. */
  private intern(length: number): number {
    return this.texts.intern(this.units, length, hashWord(this.units, length));
  }
}

/** What stands before the stems of groups that are no searched text; they have no surface. */
function prefixOf(kind: number): string {
  return PREFIXES[kind]!;
}

const PREFIXES = ['', '', HIDDEN_PREFIX, HIDDEN_PREFIX, SECONDARY_PREFIX, LINK_TEXT_PREFIX, NAME_PREFIX] as const;

function isAscii(units: Uint16Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (units[i]! > 127) return false;
  return true;
}

const NO_PARTS: readonly string[] = [];

/** Keys of the part terms of a word's stem in a language. Each stem is split once. */
export class PartNaming {
  private readonly vocabulary: Vocabulary;
  private readonly keys = new Map<string, Map<string, readonly string[]>>();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** False: no word of the language has parts, so none needs to be looked at. */
  splits(language: string): boolean {
    return this.vocabulary.number > 0 && hasCompounds(language) && this.vocabulary.languages.has(language);
  }

  keysOf(stem: string, language: string): readonly string[] {
    let keys = this.keys.get(language);
    if (keys === undefined) {
      keys = new Map();
      this.keys.set(language, keys);
    }
    let known = keys.get(stem);
    if (known === undefined) {
      const compound = this.vocabulary.split(stem, language);
      known = compound === undefined ? NO_PARTS : compound.stems.map((part) => partTerm(part, language));
      keys.set(stem, known);
    }
    return known;
  }
}

/** Units in a key of 64 bits: 8 bits for each, above 24 bits for the word's number. */
const KEY_UNITS = 5;
const NUMBER_BITS = 24;
const NUMBER_MASK = (1 << NUMBER_BITS) - 1;
/** Stands for this unit and all above. */
const HIGHEST = 255;
/** Up to this many words are compared one by one. */
const FEW_WORDS = 12;

/**
 * Numbers of all words of a table, at most 2^24, by code point. Sorts the first five units of each as one number, then
 * the next five of those that share them: O(words · log words) on numbers, 0.2 µs a word, no strings.
 */
export function sortWords(table: WordTable): Uint32Array {
  const order = new Uint32Array(table.count);
  for (let word = 0; word < order.length; word++) order[word] = word;
  const keys = new BigUint64Array(order.length);
  sortFrom({ table, keys, words32: new Uint32Array(keys.buffer) }, order, 0);
  return order;
}

/** `halves` = low and high half of each key in turn, as every platform of Node has them. */
type Keys = { readonly table: WordTable; readonly keys: BigUint64Array; readonly words32: Uint32Array };

/** Sorts words that are alike in their first `depth` units. */
function sortFrom(space: Keys, words: Uint32Array, depth: number): void {
  const { table, keys, words32 } = space;
  for (let i = 0; i < words.length; i++) writeKey(table, words[i]!, depth, words32, i);
  keys.subarray(0, words.length).sort();
  const groups: number[] = [];
  for (let from = 0; from < words.length; ) {
    const high = words32[from * 2 + 1]!;
    const low = words32[from * 2]! >>> NUMBER_BITS;
    let to = from;
    for (; to < words.length && words32[to * 2 + 1] === high && words32[to * 2]! >>> NUMBER_BITS === low; to++) {
      words[to] = words32[to * 2]! & NUMBER_MASK;
    }
    if (to - from > 1) groups.push(from, to, isExact(high, low) ? depth + KEY_UNITS : -1);
    from = to;
  }
  // The keys are written over from here on.
  for (let i = 0; i < groups.length; i += 3) {
    const group = words.subarray(groups[i]!, groups[i + 1]!);
    if (group.length > FEW_WORDS && groups[i + 2]! > 0) sortFrom(space, group, groups[i + 2]!);
    else sortByComparing(table, group, depth);
  }
}

/** The five units from `depth` on; what follows one that does not fit counts as nothing. No word holds a unit of 0. */
function writeKey({ units, starts }: WordTable, word: number, depth: number, words32: Uint32Array, at: number): void {
  const from = starts.array[word]! + depth;
  const end = Math.min(from + KEY_UNITS, starts.array[word + 1]!);
  let high = 0;
  let low = 0;
  for (let i = from; i < end; i++) {
    const unit = units[i]!;
    const byte = Math.min(unit, HIGHEST);
    if (i - from < 4) high |= byte << (24 - (i - from) * 8);
    else low = byte;
    if (byte === HIGHEST) break;
  }
  words32[at * 2] = ((low << NUMBER_BITS) | word) >>> 0;
  words32[at * 2 + 1] = high >>> 0;
}

/** Whether a key holds all that its units tell. */
function isExact(high: number, low: number): boolean {
  if (low === HIGHEST) return false;
  for (let shift = 0; shift < 32; shift += 8) if (((high >>> shift) & HIGHEST) === HIGHEST) return false;
  return true;
}

/** Insertion sort, or the platform's above a few words. */
function sortByComparing(table: WordTable, words: Uint32Array, depth: number): void {
  if (words.length > FEW_WORDS) {
    words.sort((a, b) => compareWords(table, a, b, depth));
    return;
  }
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    let j = i;
    for (; j > 0 && compareWords(table, words[j - 1]!, word, depth) > 0; j--) words[j] = words[j - 1]!;
    words[j] = word;
  }
}

/** Order by code point of two words that are alike in their first `depth` units. */
function compareWords({ units, starts }: WordTable, a: number, b: number, depth: number): number {
  const endA = starts.array[a + 1]!;
  const endB = starts.array[b + 1]!;
  let i = starts.array[a]! + depth;
  let j = starts.array[b]! + depth;
  for (; i < endA && j < endB; i++, j++) {
    if (units[i] !== units[j]) return rankOfUnit(units[i]!) - rankOfUnit(units[j]!);
  }
  return endA - i - (endB - j);
}
