import { GrowableU32 } from '../bytes/growable.ts';

/** Numbers of a slot: hash, word (-1 = empty), first unit, units and tag. One slot is a quarter of a cache line. */
const SLOT = 4;
const TAG_SHIFT = 16;
/** Spreads tags over the hash. */
const TAG_FACTOR = 0x9e3779b1;

/**
 * Gives distinct words of at most 65,535 units ascending numbers. Open addressing over code units: no string is made per token. Hot: O(word)
 * per call and two places of memory, load factor ≤ 1/2.
 */
export class WordTable {
  count = 0;
  private slots = emptySlots(1 << 14);
  private mask = (1 << 14) - 1;
  /** Word w: `units[starts.array[w]..starts.array[w + 1])`. */
  readonly starts = new GrowableU32();
  units = new Uint16Array(1 << 16);
  private unitCount = 0;
  private readonly texts: string[] = [];

  constructor() {
    this.starts.push(0);
  }

  /** Number of the word `source[0..length)` with this tag, below 2^15; `hash` = `hashWord` of the word. */
  intern(source: Uint16Array, length: number, hash: number, tag = 0): number {
    const { slots, mask, units } = this;
    const signed = hash ^ Math.imul(tag, TAG_FACTOR);
    const size = (tag << TAG_SHIFT) | length;
    let slot = (signed & mask) * SLOT;
    for (;;) {
      const word = slots[slot + 1]!;
      if (word < 0) break;
      if (slots[slot] === signed && slots[slot + 3] === size) {
        const start = slots[slot + 2]!;
        let i = 0;
        while (i < length && units[start + i] === source[i]) i++;
        if (i === length) return word;
      }
      slot = (slot + SLOT) & (mask * SLOT + SLOT - 1);
    }
    slots[slot] = signed;
    slots[slot + 1] = this.count;
    slots[slot + 2] = this.unitCount;
    slots[slot + 3] = size;
    return this.append(source, length);
  }

  /** The word as text; made once. */
  text(word: number): string {
    const known = this.texts[word];
    if (known !== undefined) return known;
    const units = this.units.subarray(this.starts.array[word]!, this.starts.array[word + 1]!);
    // A string added up unit by unit would be a rope, which every comparison and hash has to flatten first.
    const text = String.fromCharCode.apply(null, units as unknown as number[]);
    this.texts[word] = text;
    return text;
  }

  /** Copies the word to the beginning of `out`; returns its length, or -1 when it is longer than `out`. */
  copy(word: number, out: Uint16Array): number {
    const start = this.starts.array[word]!;
    const length = this.starts.array[word + 1]! - start;
    if (length > out.length) return -1;
    for (let i = 0; i < length; i++) out[i] = this.units[start + i]!;
    return length;
  }

  private append(source: Uint16Array, length: number): number {
    if (this.unitCount + length > this.units.length) {
      const larger = new Uint16Array(Math.max(this.units.length * 2, this.unitCount + length));
      larger.set(this.units);
      this.units = larger;
    }
    for (let i = 0; i < length; i++) this.units[this.unitCount++] = source[i]!;
    this.starts.push(this.unitCount);
    this.count++;
    if (this.count * 2 > this.mask) this.rehash();
    return this.count - 1;
  }

  private rehash(): void {
    const { slots: old } = this;
    this.mask = this.mask * 2 + 1;
    const slots = emptySlots(this.mask + 1);
    const wrap = this.mask * SLOT + SLOT - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 1]! < 0) continue;
      let slot = (old[from]! & this.mask) * SLOT;
      while (slots[slot + 1]! >= 0) slot = (slot + SLOT) & wrap;
      for (let i = 0; i < SLOT; i++) slots[slot + i] = old[from + i]!;
    }
    this.slots = slots;
  }
}

function emptySlots(count: number): Int32Array {
  const slots = new Int32Array(count * SLOT);
  for (let slot = 1; slot < slots.length; slot += SLOT) slots[slot] = -1;
  return slots;
}
