import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { encodeInto, encodeText } from '../bytes/text-order.ts';

/** Items of a block: one whole text, 15 that say how much they share with the one before. */
const BLOCK = 16;

/** `bytes` of the blocks and their offsets, one more than there are blocks. */
export type FrontCodedBytes = { readonly bytes: Uint8Array; readonly blocks: Uint32Array };

/** Codes texts that ascend by code point: first of a block whole, others (shared bytes, rest bytes, rest). */
export class FrontCodingWriter {
  count = 0;
  private readonly bytes = new GrowableU8();
  private readonly blocks = new GrowableU32();
  private last = new Uint8Array(256);
  private item = new Uint8Array(256);
  private lastLength = 0;

  push(text: string): void {
    if (text.length * 3 > this.item.length) this.item = new Uint8Array(text.length * 6);
    const { item, last } = this;
    const length = encodeInto(text, item);
    let shared = 0;
    if (this.count++ % BLOCK === 0) {
      this.blocks.push(this.bytes.length);
    } else {
      const most = Math.min(length, this.lastLength);
      while (shared < most && item[shared] === last[shared]) shared++;
      this.bytes.varint(shared);
    }
    this.bytes.varint(length - shared);
    this.bytes.append(item, shared, length);
    this.item = last;
    this.last = item;
    this.lastLength = length;
  }

  finish(): FrontCodedBytes {
    this.blocks.push(this.bytes.length);
    return { bytes: this.bytes.view(), blocks: this.blocks.view() };
  }
}

/** Random access to a front-coded list. Not re-entrant: look-ups share one scratch buffer. */
export class FrontCodedList {
  readonly count: number;
  private readonly bytes: Uint8Array;
  private readonly blocks: Uint32Array;
  private item = Buffer.alloc(256);
  private itemLength = 0;
  private offset = 0;

  constructor(coded: FrontCodedBytes, count: number) {
    this.bytes = coded.bytes;
    this.blocks = coded.blocks;
    this.count = count;
  }

  /** Position of the text, -1 when it is not in the list. Binary search over block heads, then ≤ 16 steps. */
  find(text: string): number {
    const key = encodeText(text);
    const at = this.lowerBound(key);
    return at < this.count && this.compareItem(key) === 0 ? at : -1;
  }

  /** First position whose text is not below `key`; the item there is then the current one. */
  lowerBound(key: Uint8Array): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      this.enterBlock(middle);
      // Equal texts may begin in the block before.
      if (this.compareItem(key) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === 0) {
      if (this.count > 0) this.enterBlock(0);
      return 0;
    }
    return this.searchBlock(low - 1, key);
  }

  /** Text at a position; ≤ 16 steps. */
  at(index: number): string {
    this.enterBlock(index >>> 4);
    for (let i = index & 15; i > 0; i--) this.nextItem();
    return this.itemText();
  }

  /** All texts in order; O(bytes). Look-ups between its steps do not disturb it. */
  *[Symbol.iterator](): Generator<string> {
    const walk = new FrontCodedList({ bytes: this.bytes, blocks: this.blocks }, this.count);
    for (let i = 0; i < this.count; i++) {
      if (i % BLOCK === 0) walk.enterBlock(i >>> 4);
      else walk.nextItem();
      yield walk.itemText();
    }
  }

  /** Visits texts from a position on while the visitor says so. Look-ups between its steps do not disturb it. */
  forEachFrom(index: number, visit: (text: string, index: number) => boolean): void {
    if (index >= this.count) return;
    const walk = new FrontCodedList({ bytes: this.bytes, blocks: this.blocks }, this.count);
    walk.enterBlock(index >>> 4);
    for (let i = index & 15; i > 0; i--) walk.nextItem();
    for (let at = index; visit(walk.itemText(), at); ) {
      if (++at === this.count) return;
      if (at % BLOCK === 0) walk.enterBlock(at >>> 4);
      else walk.nextItem();
    }
  }

  private searchBlock(block: number, key: Uint8Array): number {
    const end = Math.min(this.count, (block + 1) * BLOCK);
    this.enterBlock(block);
    for (let at = block * BLOCK; at < end; at++) {
      if (at > block * BLOCK) this.nextItem();
      if (this.compareItem(key) >= 0) return at;
    }
    if (end < this.count) this.enterBlock(block + 1);
    return end;
  }

  private itemText(): string {
    return this.item.toString('utf8', 0, this.itemLength);
  }

  private enterBlock(block: number): void {
    this.offset = this.blocks[block]!;
    const length = this.varint();
    this.read(0, length);
  }

  private nextItem(): void {
    const shared = this.varint();
    const rest = this.varint();
    this.read(shared, rest);
  }

  private read(shared: number, rest: number): void {
    if (shared + rest > this.item.length) {
      const larger = Buffer.alloc((shared + rest) * 2);
      larger.set(this.item);
      this.item = larger;
    }
    for (let i = 0; i < rest; i++) this.item[shared + i] = this.bytes[this.offset + i]!;
    this.itemLength = shared + rest;
    this.offset += rest;
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

  /** Sign of item − key by bytes. */
  private compareItem(key: Uint8Array): number {
    const shared = Math.min(this.itemLength, key.length);
    for (let i = 0; i < shared; i++) {
      const difference = this.item[i]! - key[i]!;
      if (difference !== 0) return difference;
    }
    return this.itemLength - key.length;
  }
}
