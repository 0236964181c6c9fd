import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { RESIDENCY, SECTION, type Section } from '../segment/sections.ts';
import type { Segment } from '../segment/segment.ts';

/** The arrays of a segment that hold postings. */
export type PostingArrays = Pick<
  Segment,
  'termDf' | 'termFirst' | 'termPosting' | 'blockFirst' | 'blockLast' | 'blockOffset' | 'deltas' | 'tfBytes'
>;

/** Number of blocks of a term: none for a term of one document. */
export function blockCount(df: number): number {
  return df === 1 ? 0 : Math.ceil(df / BLOCK);
}

/**
 * Writes the `size` documents of a block, ascending, into `out` from `at` on. One loop per delta width; no branch per
 * document.
 */
export function decodeBlock(arrays: PostingArrays, block: number, size: number, out: Uint32Array, at = 0): void {
  const { deltas } = arrays;
  const coded = arrays.blockOffset[block]!;
  const end = at + size;
  let from = coded >>> 2;
  let document = arrays.blockFirst[block]!;
  out[at] = document;
  switch (coded & 3) {
    case 0:
      for (let i = at + 1; i < end; i++) {
        document += deltas[from++]!;
        out[i] = document;
      }
      return;
    case 1:
      for (let i = at + 1; i < end; i++, from += 2) {
        document += deltas[from]! | (deltas[from + 1]! << 8);
        out[i] = document;
      }
      return;
    default:
      for (let i = at + 1; i < end; i++, from += 4) {
        document +=
          (deltas[from]! | (deltas[from + 1]! << 8) | (deltas[from + 2]! << 16)) + deltas[from + 3]! * 0x1000000;
        out[i] = document;
      }
  }
}

/** Writes all documents of a term, ascending, into `out` (at least df long). O(df). */
export function decodeTerm(arrays: PostingArrays, term: number, out: Uint32Array): void {
  const df = arrays.termDf[term]!;
  const first = arrays.termFirst[term]!;
  if (df === 1) {
    out[0] = first;
    return;
  }
  for (let done = 0, block = first; done < df; done += BLOCK, block++) {
    decodeBlock(arrays, block, Math.min(BLOCK, df - done), out, done);
  }
}

/** Postings of a block. */
export const BLOCK = 128;

/** Text classes as stored in a place: class in the top two bits, position in the class below. */
export const POSITION_CLASS_SHIFT = 30;
export const POSITION_MASK = 0x3fffffff;

/**
 * Writes the postings of terms in term order (search-engine design 7.3 to 7.5): per term blocks of 128 documents with
 * deltas of one width, a bound per block, one tf byte and the positions per posting. A term of one document has no
 * block: its document stands in `termFirst`.
 */
export class PostingsWriter {
  terms = 0;
  postings = 0;
  private readonly norms: Uint8Array;
  private readonly termDf = new GrowableU32();
  private readonly termFirst = new GrowableU32();
  private readonly termPosting = new GrowableU32();
  private readonly termMax = new GrowableU32();
  private readonly blockFirst = new GrowableU32();
  private readonly blockLast = new GrowableU32();
  private readonly blockOffset = new GrowableU32();
  private readonly blockMax = new GrowableU32();
  private readonly deltas = new GrowableU8();
  private readonly tfBytes = new GrowableU8();
  /** Coded positions of all postings; only those of the postings begun last may be added. */
  readonly positions = new GrowableU8();
  private readonly positionIndex = new GrowableU32();
  private readonly block = new Uint32Array(BLOCK);
  private blockSize = 0;
  private df = 0;
  private bound = 0;

  /** `norms` = length code per document. */
  constructor(norms: Uint8Array) {
    this.norms = norms;
  }

  get blocks(): number {
    return this.blockFirst.length;
  }

  /** Postings that may be begun before the positions of the first of them are added. */
  get unindexed(): number {
    return BLOCK - (this.postings % BLOCK);
  }

  beginTerm(): void {
    this.df = 0;
    this.bound = NO_BOUND;
    this.termPosting.push(this.postings);
    this.termFirst.push(this.blocks);
  }

  /** Documents of a term ascend. `coded[from..to)` are the coded positions of the posting. */
  add(document: number, tf: number, coded: Uint8Array, from: number, to: number): void {
    this.beginPosting().append(coded, from, to);
    this.endPosting(document, tf);
  }

  /** Where the coded positions of the next posting are to be written, before `endPosting`. */
  beginPosting(): GrowableU8 {
    if (this.postings++ % BLOCK === 0) this.positionIndex.push(this.positions.length);
    return this.positions;
  }

  /** Documents of a term ascend. */
  endPosting(document: number, tf: number): void {
    if (this.blockSize === BLOCK) this.flushBlock();
    this.block[this.blockSize++] = document;
    this.tfBytes.push(tf);
    this.df++;
  }

  /** False when the term got no posting; it then takes no number. */
  endTerm(): boolean {
    if (this.df === 0) {
      this.termPosting.length--;
      this.termFirst.length--;
      return false;
    }
    if (this.df === 1) {
      this.termFirst.array[this.terms] = this.block[0]!;
      this.bound = this.blockBound();
      this.blockSize = 0;
    } else {
      this.flushBlock();
    }
    this.termDf.push(this.df);
    this.termMax.push(this.bound);
    this.terms++;
    return true;
  }

  sections(): Section[] {
    const engine = (kind: number, data: Section['data']): Section => section(kind, RESIDENCY.engine, data);
    return [
      engine(SECTION.termDf, this.termDf.view()),
      engine(SECTION.termFirst, this.termFirst.view()),
      engine(SECTION.termPosting, this.termPosting.view()),
      engine(SECTION.termMax, Uint16Array.from(this.termMax.view())),
      engine(SECTION.blockFirst, this.blockFirst.view()),
      engine(SECTION.blockLast, this.blockLast.view()),
      engine(SECTION.blockOffset, this.blockOffset.view()),
      engine(SECTION.blockMax, Uint16Array.from(this.blockMax.view())),
      engine(SECTION.deltas, this.deltas.view()),
      engine(SECTION.tfBytes, this.tfBytes.view()),
      section(SECTION.positions, RESIDENCY.positions, this.positions.view()),
      section(SECTION.positionIndex, RESIDENCY.positions, this.positionIndex.view()),
    ];
  }

  private flushBlock(): void {
    const { block, blockSize } = this;
    if (blockSize === 0) return;
    let widest = 0;
    for (let i = 1; i < blockSize; i++) widest = Math.max(widest, block[i]! - block[i - 1]!);
    const width = widthCode(widest);
    const bound = this.blockBound();
    this.blockFirst.push(block[0]!);
    this.blockLast.push(block[blockSize - 1]!);
    this.blockOffset.push(((this.deltas.length << 2) | width) >>> 0);
    this.blockMax.push(bound);
    this.bound = mergeBounds(this.bound, bound);
    this.writeDeltas(1 << width);
    this.blockSize = 0;
  }

  private writeDeltas(bytes: number): void {
    const { block, blockSize, deltas } = this;
    deltas.reserve(blockSize * bytes);
    const { array } = deltas;
    let at = deltas.length;
    for (let i = 1; i < blockSize; i++) {
      let delta = block[i]! - block[i - 1]!;
      array[at++] = delta;
      for (let k = 1; k < bytes; k++) {
        delta >>>= 8;
        array[at++] = delta;
      }
    }
    deltas.length = at;
  }

  /** Bound of the postings of the present block. Hot: in one pass, not posting by posting. */
  private blockBound(): number {
    const { block, blockSize, norms } = this;
    const tfs = this.tfBytes.array;
    const from = this.tfBytes.length - blockSize;
    let [a, b, c, shortest] = [0, 0, 0, NO_BOUND];
    for (let i = 0; i < blockSize; i++) {
      const tf = tfs[from + i]!;
      a = Math.max(a, tf & 3);
      b = Math.max(b, tf & 12);
      c = Math.max(c, tf & 240);
      shortest = Math.min(shortest, norms[block[i]!]!);
    }
    return ((a | b | c) << 6) | shortest;
  }
}

/** 0, 1, 2 = deltas of 1, 2, 4 bytes. */
export function widthCode(widestDelta: number): number {
  if (widestDelta < 256) return 0;
  return widestDelta < 65536 ? 1 : 2;
}

/** Bound of no posting: no term frequency, longest text. */
const NO_BOUND = 63;

/** Component-wise maximum of tf bytes in bits 6 to 13, smallest length code in bits 0 to 5. */
function mergeBounds(x: number, y: number): number {
  const a = Math.max((x >>> 6) & 3, (y >>> 6) & 3);
  const b = Math.max((x >>> 8) & 3, (y >>> 8) & 3);
  const c = Math.max((x >>> 10) & 15, (y >>> 10) & 15);
  return (a << 6) | (b << 8) | (c << 10) | Math.min(x & 63, y & 63);
}

function section(kind: number, residency: Section['residency'], data: Section['data']): Section {
  return { kind, subject: 0, part: 0, residency, data };
}
