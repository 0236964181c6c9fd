/** A Uint32Array that doubles. Hot: no allocation per push, amortised O(1). */
export class GrowableU32 {
  // Small, for a field has ten of these and an engine may have 100,000 fields.
  array = new Uint32Array(1 << 4);
  length = 0;

  push(value: number): void {
    if (this.length === this.array.length) this.grow(this.length + 1);
    this.array[this.length++] = value;
  }

  /** The filled part; shares memory until the next push. */
  view(): Uint32Array {
    return this.array.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const larger = new Uint32Array(Math.max(needed, this.array.length * 2));
    larger.set(this.array);
    this.array = larger;
  }
}

/** Up to here a loop is faster than the call of the platform. */
const LOOPED_BYTES = 48;

/** A Uint8Array that doubles, with LEB128 variable-length integers (7 bits a byte, lowest first). */
export class GrowableU8 {
  array = new Uint8Array(1 << 6);
  length = 0;

  push(value: number): void {
    if (this.length === this.array.length) this.reserve(1);
    this.array[this.length++] = value;
  }

  /** `value` < 2^32; at most 5 bytes. */
  varint(value: number): void {
    if (this.length + 5 > this.array.length) this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.array[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.array[this.length++] = rest;
  }

  /** Copies `source[from..to)`. */
  append(source: Uint8Array, from: number, to: number): void {
    if (this.length + to - from > this.array.length) this.reserve(to - from);
    if (to - from > LOOPED_BYTES) {
      this.array.set(source.subarray(from, to), this.length);
      this.length += to - from;
      return;
    }
    for (let i = from; i < to; i++) this.array[this.length++] = source[i]!;
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.array.length) return;
    const larger = new Uint8Array(Math.max(this.length + count, this.array.length * 2));
    larger.set(this.array.subarray(0, this.length));
    this.array = larger;
  }

  view(): Uint8Array {
    return this.array.subarray(0, this.length);
  }
}
