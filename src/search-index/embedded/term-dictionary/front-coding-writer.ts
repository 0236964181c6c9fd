import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { encodeInto } from '../bytes/text-order.ts';

/** Codes texts that ascend by code point: first of a block whole, others (shared bytes, rest bytes, rest). */
export class FrontCodingWriter {
  count = 0;
  private readonly bytes = new GrowableU8();
  private readonly blocks = new GrowableU32();
  private last = new Uint8Array(256);
  private item = new Uint8Array(256);
  private lastLength = 0;

  push(text: string): void {
    this.makeRoom(text.length * 3);
    this.endItem(encodeInto(text, this.item));
  }

  /** `push` of the text with the code units `units[from..to)`. */
  pushUnits(units: Uint16Array, from: number, to: number): void {
    this.makeRoom(to - from);
    const { item } = this;
    for (let i = from; i < to; i++) {
      const unit = units[i]!;
      if (unit > 127) {
        this.push(String.fromCharCode(...units.subarray(from, to)));
        return;
      }
      item[i - from] = unit;
    }
    this.endItem(to - from);
  }

  /** `push` of the text with the UTF-8 bytes `bytes[from..to)`. */
  pushBytes(bytes: Uint8Array, from: number, to: number): void {
    this.makeRoom(to - from);
    for (let i = from; i < to; i++) this.item[i - from] = bytes[i]!;
    this.endItem(to - from);
  }

  /** Whether the text pushed last holds an ASCII digit. */
  lastHasDigit(): boolean {
    for (let i = 0; i < this.lastLength; i++) if (this.last[i]! >= 48 && this.last[i]! <= 57) return true;
    return false;
  }

  finish(): FrontCodedBytes {
    this.blocks.push(this.bytes.length);
    return { bytes: this.bytes.view(), blocks: this.blocks.view() };
  }

  private makeRoom(bytes: number): void {
    if (bytes > this.item.length) this.item = new Uint8Array(bytes * 2);
  }

  /** Codes `item[0..length)`. */
  private endItem(length: number): void {
    const { item, last } = this;
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
}

/** Items of a block: one whole text, 15 that say how much they share with the one before. */
export const BLOCK = 16;

/** `bytes` of the blocks and their offsets, one more than there are blocks. */
export type FrontCodedBytes = { readonly bytes: Uint8Array; readonly blocks: Uint32Array };
