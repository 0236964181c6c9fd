/** Two hashes of 32 bits per text: that two of a million words share both happens once in 10⁷ vocabularies. */
export type TextHashes = { readonly a: Uint32Array; readonly b: Uint32Array };

export const HASH_SEEDS = { a: 0x811c9dc5 | 0, b: 0x2545f491 | 0 } as const;

/** The hash of a text from that of its beginning and its next byte or code unit. */
export function hashStepA(hash: number, next: number): number {
  return Math.imul(hash ^ next, 0x01000193);
}

export function hashStepB(hash: number, next: number): number {
  const mixed = Math.imul(hash + next + 1, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Finds equal texts by their hashes: open addressing, at most half full. */
export class TextTable {
  private readonly hashes: TextHashes;
  private readonly slots: Int32Array;
  private readonly mask: number;

  /** `hashes` of all texts that may be put in, by their number. */
  constructor(hashes: TextHashes) {
    this.hashes = hashes;
    const size = 2 ** Math.ceil(Math.log2(2 * hashes.a.length + 2));
    this.slots = new Int32Array(size).fill(-1);
    this.mask = size - 1;
  }

  /** The text that is there, of equal hashes; else puts this one in and gives it back. */
  firstLike(text: number): number {
    const { slots, mask, hashes } = this;
    const a = hashes.a[text]!;
    const b = hashes.b[text]!;
    for (let slot = b & mask; ; slot = (slot + 1) & mask) {
      const known = slots[slot]!;
      if (known < 0) {
        slots[slot] = text;
        return text;
      }
      if (hashes.a[known] === a && hashes.b[known] === b) return known;
    }
  }
}
