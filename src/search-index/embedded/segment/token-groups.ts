import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { WordTable } from './word-table.ts';

/** Bits of a group's tag, below the number of its language. */
export const GROUP_TAG = { hidden: 1, bigram: 2, surroundings: 4 } as const;
const LANGUAGE_SHIFT = 3;

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
 * what has one term and one surface: a word, the language of its documents, and whether plain words skip its fields or
 * it stands beside the main text.
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
