/** Words of 32 bits for `count` bits. */
export function bitWords(count: number): number {
  return (count + 31) >>> 5;
}

/** A zeroed bitset in shared memory, readable by every thread. */
export function sharedBits(count: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(bitWords(count) * 4));
}

/** Bits 0 to count − 1 set, the rest of the last word clear. */
export function fullBits(count: number): Uint32Array {
  const bits = sharedBits(count).fill(0xffffffff);
  clearBeyond(bits, count);
  return bits;
}

/** Clears the bits from `count` on. */
export function clearBeyond(bits: Uint32Array, count: number): void {
  if ((count & 31) !== 0) bits[bits.length - 1] = bits[bits.length - 1]! & ((1 << (count & 31)) - 1);
}

export function hasBit(bits: Uint32Array, index: number): boolean {
  return ((bits[index >>> 5]! >>> (index & 31)) & 1) === 1;
}

export function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = bits[index >>> 5]! | (1 << (index & 31));
}

export function clearBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = bits[index >>> 5]! & ~(1 << (index & 31));
}

/** Number of set bits of a word. */
function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Number of set bits; O(words). */
export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += popcount(bits[i]!);
  return count;
}

/** Writes the set positions, ascending, into `out`; returns how many. O(words + set bits). */
export function listBits(bits: Uint32Array, out: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i]!;
    while (word !== 0) {
      out[count++] = (i << 5) | (31 - Math.clz32(word & -word));
      word &= word - 1;
    }
  }
  return count;
}

/** Number of set bits before a position. O(words) once, then O(1). */
export function bitRanks(bits: Uint32Array): (index: number) => number {
  const before = new Uint32Array(bits.length);
  for (let i = 1; i < bits.length; i++) before[i] = before[i - 1]! + popcount(bits[i - 1]!);
  return (index) => before[index >>> 5]! + popcount(bits[index >>> 5]! & ((1 << (index & 31)) - 1));
}
