import { tfByte } from '../../relevance.ts';
import type { GrowableU8 } from '../bytes/growable.ts';
import { POSITION_CLASS_SHIFT, POSITION_MASK } from '../postings/blocks.ts';

/** Counts at which a class code no longer tells the count: the real one is then stored before the positions. */
const SATURATED_AB = 3;
const SATURATED_C = 9;

const SATURATED = 255;

/** Positions of a posting by its tf byte, so that many are skipped at once; `SATURATED` = only its bytes tell. */
const POSITION_COUNTS = Uint8Array.from({ length: 256 }, (_, tf) => {
  const [a, b, c] = [tf & 3, (tf >>> 2) & 3, tf >>> 4];
  return a >= SATURATED_AB || b >= SATURATED_AB || c >= SATURATED_C ? SATURATED : a + b + c;
});

/** Term frequencies of one posting, per class. Reused between postings. */
export type ClassCounts = { a: number; b: number; c: number };

/** Counts the classes of `places[from..to)`; class D counts as C, as its terms have no other. */
function countClasses(indexes: Uint32Array, from: number, to: number, counts: ClassCounts): void {
  counts.a = 0;
  counts.b = 0;
  counts.c = 0;
  for (let i = from; i < to; i++) {
    const textClass = indexes[i]! >>> POSITION_CLASS_SHIFT;
    if (textClass === 0) counts.a++;
    else if (textClass === 1) counts.b++;
    else counts.c++;
  }
}

/**
 * Codes the places of one posting, ascending, class by class: the real count when the class code is saturated, the
 * first position, then deltas. Returns the posting's tf byte.
 */
export function codePositions(
  indexes: Uint32Array,
  from: number,
  to: number,
  counts: ClassCounts,
  out: GrowableU8,
): number {
  countClasses(indexes, from, to, counts);
  let at = from;
  at = codeClass(indexes, at, counts.a, SATURATED_AB, out);
  at = codeClass(indexes, at, counts.b, SATURATED_AB, out);
  codeClass(indexes, at, counts.c, SATURATED_C, out);
  return tfByte(counts.a, counts.b, counts.c);
}

function codeClass(indexes: Uint32Array, from: number, count: number, saturated: number, out: GrowableU8): number {
  if (count >= saturated) out.varint(count);
  let last = 0;
  for (let i = from; i < from + count; i++) {
    const position = indexes[i]! & POSITION_MASK;
    out.varint(position - last);
    last = position;
  }
  return from + count;
}

/** Coded positions of a segment's postings; those of secondary text, `[bare.from, bare.to)`, have none. */
export type CodedPositions = {
  readonly positions: Uint8Array;
  readonly positionIndex: Uint32Array;
  readonly bare: { readonly from: number; readonly to: number };
};

/**
 * Reads coded positions posting by posting. Hot: keeps its place, so that postings read in ascending order skip at
 * most 127 others each.
 */
export class PositionReader {
  /** Positions of the posting read last: class A in `[0, endA)`, B in `[endA, endB)`, C or D in `[endB, end)`. */
  positions = new Uint32Array(64);
  endA = 0;
  endB = 0;
  end = 0;
  private bytes: Uint8Array = new Uint8Array(0);
  private view: DataView = new DataView(new ArrayBuffer(0));
  private index: Uint32Array = new Uint32Array(0);
  private tfBytes: Uint8Array = new Uint8Array(0);
  private bareFrom = 0;
  private bareTo = 0;
  private posting = -1;
  private offset = 0;

  open({ positions, positionIndex, bare }: CodedPositions, tfBytes: Uint8Array): void {
    this.bytes = positions;
    this.view = new DataView(positions.buffer, positions.byteOffset, positions.byteLength);
    this.index = positionIndex;
    this.tfBytes = tfBytes;
    this.bareFrom = bare.from;
    this.bareTo = bare.to;
    this.posting = -1;
  }

  /** Reads the positions of a posting by its number in the segment, which is none of secondary text. */
  read(posting: number): void {
    this.seek(posting);
    const tf = this.tfBytes[posting]!;
    this.end = 0;
    this.readClass(tf & 3, SATURATED_AB);
    this.endA = this.end;
    this.readClass((tf >>> 2) & 3, SATURATED_AB);
    this.endB = this.end;
    this.readClass(tf >>> 4, SATURATED_C);
    this.posting = posting + 1;
  }

  /** Where the positions of a class lie in `positions`; C and D share a place. */
  rangeOfClass(textClass: number): { from: number; to: number } {
    if (textClass === 0) return { from: 0, to: this.endA };
    return textClass === 1 ? { from: this.endA, to: this.endB } : { from: this.endB, to: this.end };
  }

  /** Byte range of `count` postings, for copying them unread into another segment. */
  rangeOf(posting: number, count: number): { from: number; to: number } {
    this.seek(posting);
    const from = this.offset;
    this.advance(posting + count);
    return { from, to: this.offset };
  }

  get source(): Uint8Array {
    return this.bytes;
  }

  private seek(posting: number): void {
    const group = posting >>> 7;
    if (this.posting < 0 || this.posting > posting || this.posting >>> 7 !== group) {
      this.posting = group << 7;
      this.offset = this.index[group]!;
    }
    this.advance(posting);
  }

  private advance(posting: number): void {
    const { tfBytes } = this;
    // Words come after secondary text, so that most questions are not about these.
    if (this.posting < this.bareTo && posting > this.bareFrom) {
      if (this.posting < this.bareFrom) this.advance(this.bareFrom);
      this.posting = Math.min(posting, this.bareTo);
    }
    let positions = 0;
    while (this.posting < posting) {
      const tf = tfBytes[this.posting++]!;
      const count = POSITION_COUNTS[tf]!;
      if (count !== SATURATED) positions += count;
      else {
        this.skipVarints(positions);
        positions = 0;
        this.skip(tf);
      }
    }
    this.skipVarints(positions);
  }

  private skip(tf: number): void {
    this.skipClass(tf & 3, SATURATED_AB);
    this.skipClass((tf >>> 2) & 3, SATURATED_AB);
    this.skipClass(tf >>> 4, SATURATED_C);
  }

  private skipClass(code: number, saturated: number): void {
    this.skipVarints(code >= saturated ? this.varint() : code);
  }

  /** Hot: four bytes at a time, without a branch on the length of a number, which is nearly random. */
  private skipVarints(count: number): void {
    const { bytes, view } = this;
    const lastWord = bytes.length - 4;
    let at = this.offset;
    let left = count;
    for (; left >= 4 && at <= lastWord; at += 4) left -= lastBytesIn(view.getUint32(at, true));
    for (; left > 0; at++) left -= (bytes[at]! >>> 7) ^ 1;
    this.offset = at;
  }

  private readClass(code: number, saturated: number): void {
    const count = code >= saturated ? this.varint() : code;
    if (this.end + count > this.positions.length) {
      const larger = new Uint32Array((this.end + count) * 2);
      larger.set(this.positions);
      this.positions = larger;
    }
    let position = 0;
    for (let i = 0; i < count; i++) {
      position += this.varint();
      this.positions[this.end++] = position;
    }
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

/** How many of the four bytes of a word end a number. */
function lastBytesIn(word: number): number {
  return Math.imul((~word & 0x80808080) >>> 7, 0x01010101) >>> 24;
}
