import type { Vocabulary } from '../../../text/compounds.ts';
import { foldWord } from '../../../text/folding.ts';
import { stemAscii, stemWord } from '../../../text/stemming.ts';
import { bigramTerm, SECONDARY_PREFIX } from '../../../text/term-keys.ts';
import { hashWord } from '../../../text/tokenizer.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import { PartNaming } from './part-naming.ts';
import { sortWords } from './sort-words.ts';
import { GROUP_TAG, languageOfTag, type TokenGroups } from './token-groups.ts';
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
  /** Terms of secondary text, which follow each other: `[from, to)`. */
  readonly bareTerms: { readonly from: number; readonly to: number };
  /** Terms of the parts of the groups that are compounds; undefined = there are none. */
  readonly partsOfGroup: ReadonlyMap<number, Uint32Array> | undefined;
};

/** Stems and folds each group's word. O(groups · log groups); strings only for words outside ASCII and other stemmers. */
export function nameGroups(
  groups: TokenGroups,
  codeOf: (language: number) => string,
  vocabulary: Vocabulary,
): NamedGroups {
  const naming = new Naming(groups, codeOf);
  for (let group = 0; group < groups.words.count; group++) naming.name(group);
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
    partsOfGroup: parts && new Map([...parts].map(([group, list]) => [group, list.map(termOf)])),
  };
}

function bareTerms({ tags }: TokenGroups, termOfGroup: Uint32Array): { from: number; to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let group = 0; group < termOfGroup.length; group++) {
    if ((tags.array[group]! & GROUP_TAG.surroundings) === 0) continue;
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
    const length = (tag & GROUP_TAG.bigram) === 0 ? words.copy(group, units) : NONE;
    if (length < 0 || !isAscii(units, length)) {
      this.nameByText(group, tag);
      return;
    }
    const prefix = prefixOf(tag);
    // The folded form of an ASCII word is the word.
    if (prefix === '') this.surfaces[group] = this.intern(length);
    const language = this.codeOf(languageOfTag(tag));
    const stem = stemAscii(units, length, language);
    if (stem < 0) this.nameStem(stemWord(words.text(group), language), prefix);
    else if (prefix === '') this.stems.push(this.intern(stem));
    else this.stems.push(this.internBehind(prefix, stem));
  }

  /** Texts of the part terms by group; undefined when no group has parts. Each stem is split once per language. */
  splitCompounds(vocabulary: Vocabulary): Map<number, Uint32Array> | undefined {
    const parts = new PartNaming(vocabulary);
    const found = new Map<number, Uint32Array>();
    const stems = this.stems.view();
    for (let group = 0; group < stems.length; group++) {
      const tag = this.groups.tags.array[group]!;
      if ((tag & GROUP_TAG.bigram) !== 0 || prefixOf(tag) !== '') continue;
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
    const isBigram = (tag & GROUP_TAG.bigram) !== 0;
    const prefix = prefixOf(tag);
    this.nameStem(isBigram ? bigramTerm(word) : stemWord(word, this.codeOf(languageOfTag(tag))), prefix);
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
function prefixOf(tag: number): string {
  if ((tag & GROUP_TAG.surroundings) !== 0) return SECONDARY_PREFIX;
  return (tag & GROUP_TAG.hidden) !== 0 ? HIDDEN_PREFIX : '';
}

function isAscii(units: Uint16Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (units[i]! > 127) return false;
  return true;
}
