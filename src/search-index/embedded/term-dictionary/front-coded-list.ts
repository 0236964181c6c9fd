import { HASH_SEEDS, hashStepA, hashStepB, type TextHashes } from '../bytes/text-hashes.ts';
import { decodeUnits, encodeInto } from '../bytes/text-order.ts';
import { BLOCK, type FrontCodedBytes } from './front-coding-writer.ts';

/** Items passed before a look at the head of the next block. */
const FEW_STEPS = 4;

let scratchKey = new Uint8Array(1 << 10);

/** Random access to a front-coded list. Not re-entrant: look-ups share one scratch buffer. */
export class FrontCodedList {
  readonly count: number;
  private readonly bytes: Uint8Array;
  private readonly blocks: Uint32Array;
  private item = Buffer.alloc(256);
  private itemLength = 0;
  /** Of the item in a walk. */
  private position = 0;
  private offset = 0;
  private isExact = false;

  constructor(coded: FrontCodedBytes, count: number) {
    this.bytes = coded.bytes;
    this.blocks = coded.blocks;
    this.count = count;
  }

  /** Bytes of the list as it is stored: nearly those of its texts where these begin differently. */
  get codedBytes(): number {
    return this.bytes.length;
  }

  /** First position of the text, -1 when it is not in the list. Binary search over block heads, then ≤ 16 steps. */
  find(text: string): number {
    if (text.length * 3 > scratchKey.length) scratchKey = new Uint8Array(text.length * 6);
    const at = this.locate(scratchKey, encodeInto(text, scratchKey));
    return this.isExact ? at : -1;
  }

  /**
   * Visits the positions of those of the texts, which ascend by code point, that are in the list, whose texts are
   * distinct. Both are walked side by side and blocks between are skipped: about 0.1 µs per text where they lie close.
   */
  findEach(texts: readonly string[], visit: (position: number) => void): void {
    if (this.count === 0) return;
    const walk = new FrontCodedList({ bytes: this.bytes, blocks: this.blocks }, this.count);
    walk.enterBlock(0);
    for (const text of texts) {
      if (text.length * 3 > scratchKey.length) scratchKey = new Uint8Array(text.length * 6);
      const length = encodeInto(text, scratchKey);
      if (walk.advance(scratchKey, length) === 0) visit(walk.position);
    }
  }

  /** First position whose text is not below `key`. */
  lowerBound(key: Uint8Array): number {
    return this.locate(key, key.length);
  }

  /** Text at a position; ≤ 16 steps. */
  at(index: number): string {
    this.enterBlock(index >>> 4);
    for (let i = index & 15; i > 0; i--) this.nextItem();
    return this.itemText();
  }

  /** Walks the bytes of all texts; O(bytes). */
  walk(): FrontCodedWalk {
    return new FrontCodedWalk(this.bytes, this.count);
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

  /**
   * Visits the texts at positions that ascend, as UTF-16 code units that are valid during the visit. Makes no string;
   * items between two positions of a block cost a step each. Look-ups between its steps do not disturb it.
   */
  visitUnits(positions: Uint32Array, visit: (units: Uint16Array, length: number, i: number) => void): void {
    const walk = new FrontCodedList({ bytes: this.bytes, blocks: this.blocks }, this.count);
    let units = new Uint16Array(256);
    let at = -1;
    for (let i = 0; i < positions.length; i++) {
      const position = positions[i]!;
      if (at < 0 || position >>> 4 !== at >>> 4) {
        walk.enterBlock(position >>> 4);
        at = position & ~15;
      }
      for (; at < position; at++) walk.nextItem();
      if (walk.itemLength > units.length) units = new Uint16Array(walk.itemLength * 2);
      visit(units, decodeUnits(walk.item, walk.itemLength, units), i);
    }
  }

  /**
   * Writes two hashes of each text at positions that ascend. Keeps the hashes of every beginning of a text, so that only
   * what it does not share with the one before is read: about 15 ns per item between the first and the last position.
   */
  hashEach(positions: Uint32Array, hashes: TextHashes): void {
    const { bytes, blocks } = this;
    let a = new Int32Array(256).fill(HASH_SEEDS.a, 0, 1);
    let b = new Int32Array(256).fill(HASH_SEEDS.b, 0, 1);
    let at = -1;
    let length = 0;
    for (let i = 0; i < positions.length; i++) {
      const position = positions[i]!;
      if (at < 0 || position >>> 4 !== at >>> 4) {
        this.offset = blocks[position >>> 4]!;
        at = (position & ~15) - 1;
      }
      for (; at < position; at++) {
        const shared = (at + 1) % BLOCK === 0 ? 0 : this.varint();
        length = shared + this.varint();
        if (length >= a.length) [a, b] = [lengthen(a, length), lengthen(b, length)];
        for (let j = shared; j < length; j++) {
          const byte = bytes[this.offset++]!;
          a[j + 1] = hashStepA(a[j]!, byte);
          b[j + 1] = hashStepB(b[j]!, byte);
        }
      }
      hashes.a[i] = a[length]!;
      hashes.b[i] = b[length]!;
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

  /** `lowerBound` of the first `length` bytes; leaves in `isExact` whether the text there is the key. Copies nothing. */
  private locate(key: Uint8Array, length: number): number {
    let low = 0;
    let high = this.blocks.length - 1;
    this.isExact = false;
    while (low < high) {
      const middle = (low + high) >>> 1;
      // Equal texts may begin in the block before.
      if (this.compareHead(middle, key, length) < 0) low = middle + 1;
      else high = middle;
    }
    const inside = low === 0 ? -1 : this.searchBlock(low - 1, key, length);
    if (inside >= 0) return inside;
    const head = Math.min(low * BLOCK, this.count);
    this.isExact = head < this.count && this.compareHead(low, key, length) === 0;
    return head;
  }

  /**
   * First position of a block, whose head is below the key, that is not; -1 when all of them are below. `same` = bytes
   * that the item before has in common with the key: only items that share just as many with it are compared.
   */
  private searchBlock(block: number, key: Uint8Array, length: number): number {
    const { bytes } = this;
    const end = Math.min(this.count, (block + 1) * BLOCK);
    this.offset = this.blocks[block]!;
    const headLength = this.varint();
    let same = 0;
    while (same < headLength && same < length && bytes[this.offset + same] === key[same]) same++;
    this.offset += headLength;
    for (let at = block * BLOCK + 1; at < end; at++) {
      const shared = this.varint();
      const rest = this.varint();
      const from = this.offset;
      this.offset = from + rest;
      if (shared > same) continue;
      if (shared < same) return at;
      const most = Math.min(rest, length - same);
      let more = 0;
      while (more < most && bytes[from + more] === key[same + more]) more++;
      same += more;
      if (same === length) {
        this.isExact = more === rest;
        return at;
      }
      if (more < rest && bytes[from + more]! > key[same]!) return at;
    }
    return -1;
  }

  /** Last block from `block` on whose first text is not above a key, `block` when there is none. Gallops. */
  private blockUpTo(key: Uint8Array, length: number, block: number): number {
    const { offset } = this;
    const blocks = this.blocks.length - 1;
    const isUpTo = (other: number) => other < blocks && this.compareHead(other, key, length) <= 0;
    let low = block;
    let step = 1;
    for (; isUpTo(low + step); step *= 2) low += step;
    for (step >>>= 1; step > 0; step >>>= 1) if (isUpTo(low + step)) low += step;
    this.offset = offset;
    return low;
  }

  /** Goes on to the first item that is not below a key, or the last of the block before it; sign of that item − key. */
  private advance(key: Uint8Array, length: number): number {
    let order = this.compareItem(key, length);
    for (let steps = 0; order < 0; steps++) {
      const { position } = this;
      const isLast = position % BLOCK === BLOCK - 1 || position + 1 === this.count;
      const block = position >>> 4;
      const next = isLast || steps === FEW_STEPS ? this.blockUpTo(key, length, block) : block;
      if (next > block) this.enterBlock(next);
      else if (isLast) return order;
      else this.nextItem();
      order = this.compareItem(key, length);
    }
    return order;
  }

  /** Sign of the item − key, by bytes. */
  private compareItem(key: Uint8Array, length: number): number {
    const { item, itemLength } = this;
    const shared = Math.min(itemLength, length);
    for (let i = 0; i < shared; i++) {
      const difference = item[i]! - key[i]!;
      if (difference !== 0) return difference;
    }
    return itemLength - length;
  }

  private itemText(): string {
    return this.item.toString('utf8', 0, this.itemLength);
  }

  private enterBlock(block: number): void {
    this.position = block * BLOCK;
    this.offset = this.blocks[block]!;
    const length = this.varint();
    this.read(0, length);
  }

  private nextItem(): void {
    this.position++;
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

  /** Sign of the block's first text − key, by bytes. */
  private compareHead(block: number, key: Uint8Array, length: number): number {
    const { bytes } = this;
    this.offset = this.blocks[block]!;
    const own = this.varint();
    const from = this.offset;
    const shared = Math.min(own, length);
    for (let i = 0; i < shared; i++) {
      const difference = bytes[from + i]! - key[i]!;
      if (difference !== 0) return difference;
    }
    return own - length;
  }
}

function lengthen(states: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * length);
  longer.set(states);
  return longer;
}

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
