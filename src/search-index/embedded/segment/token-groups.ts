import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { WordTable } from './word-table.ts';

/** Bits of a group's tag, below the number of its language. */
export const GROUP_TAG = { hidden: 1, bigram: 2 } as const;
const LANGUAGE_SHIFT = 2;

export function languageOfTag(tag: number): number {
  return tag >>> LANGUAGE_SHIFT;
}

/** Tag of the words of a language. */
export function tagOfLanguage(language: number): number {
  return language << LANGUAGE_SHIFT;
}

/**
 * The tokens of a segment that is built, in order of documents: per token 8 bytes, its group and its place. A group is
 * what has one term and one surface: a word, the language of its documents, and whether plain words skip its fields.
 */
export class TokenGroups {
  /** The word of each group. */
  readonly words = new WordTable();
  readonly tags = new GrowableU8();
  /** Tokens of each group. */
  readonly sizes = new GrowableU32();
  readonly groups = new GrowableU32();
  readonly places = new GrowableU32();
  /** Per document the first token behind it. */
  readonly documentEnds = new GrowableU32();

  get count(): number {
    return this.groups.length;
  }

  /** Hot: once per token. */
  add(units: Uint16Array, length: number, hash: number, tag: number, place: number): void {
    const group = this.words.intern(units, length, hash, tag);
    if (group === this.sizes.length) {
      this.sizes.push(1);
      this.tags.push(tag);
    } else {
      this.sizes.array[group]!++;
    }
    this.groups.push(group);
    this.places.push(place);
  }

  endDocument(): void {
    this.documentEnds.push(this.groups.length);
  }
}
