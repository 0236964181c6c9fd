import { BLOCK } from './front-coding.ts';

/** Walks the bytes of a front-coded list from its beginning; makes no string. */
export class FrontCodedWalk {
  /** Position of the present text, `item[0..length)`; the number of texts behind the last. */
  index = -1;
  item = new Uint8Array(256);
  length = 0;
  private readonly bytes: Uint8Array;
  private readonly count: number;
  private offset = 0;

  constructor(bytes: Uint8Array, count: number) {
    this.bytes = bytes;
    this.count = count;
  }

  get isAtEnd(): boolean {
    return this.index >= this.count;
  }

  /** Goes on to the next text; false behind the last. */
  next(): boolean {
    if (++this.index >= this.count) return false;
    const shared = this.index % BLOCK === 0 ? 0 : this.varint();
    const rest = this.varint();
    this.length = shared + rest;
    if (this.length > this.item.length) {
      const larger = new Uint8Array(this.length * 2);
      larger.set(this.item);
      this.item = larger;
    }
    for (let i = shared; i < this.length; i++) this.item[i] = this.bytes[this.offset++]!;
    return true;
  }

  private varint(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.bytes[this.offset++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }
}
