import { GrowableU32 } from '../bytes/growable.ts';

/**
 * Gives distinct words ascending numbers. Open addressing over code units: no string is made per token. Hot: O(word)
 * per call, load factor ≤ 1/2.
 */
export class WordTable {
  count = 0;
  private slots = new Int32Array(1 << 14).fill(-1);
  private readonly hashes = new GrowableU32();
  private readonly starts = new GrowableU32();
  private units = new Uint16Array(1 << 16);
  private unitCount = 0;
  private readonly texts: string[] = [];

  constructor() {
    this.starts.push(0);
  }

  /** Number of the word `source[0..length)`. */
  intern(source: Uint16Array, length: number): number {
    const hash = hashOf(source, length);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const word = this.slots[slot]!;
      if (word < 0) break;
      if (this.hashes.array[word] === hash && this.equals(word, source, length)) return word;
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = this.count;
    return this.append(source, length, hash);
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

  private equals(word: number, source: Uint16Array, length: number): boolean {
    const start = this.starts.array[word]!;
    if (this.starts.array[word + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.units[start + i] !== source[i]) return false;
    return true;
  }

  private append(source: Uint16Array, length: number, hash: number): number {
    if (this.unitCount + length > this.units.length) {
      const larger = new Uint16Array(Math.max(this.units.length * 2, this.unitCount + length));
      larger.set(this.units);
      this.units = larger;
    }
    for (let i = 0; i < length; i++) this.units[this.unitCount++] = source[i]!;
    this.hashes.push(hash);
    this.starts.push(this.unitCount);
    this.count++;
    if (this.count * 2 > this.slots.length) this.rehash();
    return this.count - 1;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let word = 0; word < this.count; word++) {
      let slot = this.hashes.array[word]! & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = word;
    }
    this.slots = slots;
  }
}

/** FNV-1a over code units with a final mix, as its low bits alone cluster. */
function hashOf(source: Uint16Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ source[i]!, 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
