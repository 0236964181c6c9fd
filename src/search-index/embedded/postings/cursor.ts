import { BLOCK, decodeBlock, type PostingArrays } from './blocks.ts';

/**
 * Finds documents in one posting list, for questions that ascend. Skips blocks by galloping over their last
 * documents: O(log gap) blocks and one decoded block per hit.
 */
export class PostingCursor {
  private arrays: PostingArrays | undefined;
  private readonly documents = new Uint32Array(BLOCK);
  private df = 0;
  private firstBlock = 0;
  private endBlock = 0;
  private block = 0;
  private decoded = -1;
  private size = 0;
  private place = 0;
  private posting = 0;

  open(arrays: PostingArrays, term: number): void {
    this.arrays = arrays;
    this.df = arrays.termDf[term]!;
    this.posting = arrays.termPosting[term]!;
    this.firstBlock = arrays.termFirst[term]!;
    this.endBlock = this.firstBlock + Math.ceil(this.df / BLOCK);
    this.block = this.firstBlock;
    this.decoded = -1;
    this.place = 0;
  }

  /** Number of the posting of a document, -1 when the term is not in it. Questions must not descend. */
  seek(document: number): number {
    const arrays = this.arrays!;
    if (this.df === 1) return this.firstBlock === document ? this.posting : -1;
    if (this.block >= this.endBlock) return -1;
    if (arrays.blockLast[this.block]! < document) {
      this.skipTo(document);
      if (this.block >= this.endBlock) return -1;
    }
    if (this.decoded !== this.block) this.decode();
    const { documents } = this;
    let index = this.place;
    while (documents[index]! < document) index++;
    this.place = index;
    return documents[index] === document ? this.posting + (this.block - this.firstBlock) * BLOCK + index : -1;
  }

  private skipTo(document: number): void {
    const { blockLast } = this.arrays!;
    const end = this.endBlock;
    let low = this.block + 1;
    let step = 1;
    while (low + step < end && blockLast[low + step]! < document) {
      low += step + 1;
      step <<= 1;
    }
    let high = Math.min(end, low + step + 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (blockLast[middle]! < document) low = middle + 1;
      else high = middle;
    }
    this.block = low;
  }

  private decode(): void {
    const left = this.df - (this.block - this.firstBlock) * BLOCK;
    this.size = Math.min(BLOCK, left);
    decodeBlock(this.arrays!, this.block, this.size, this.documents);
    this.decoded = this.block;
    this.place = 0;
  }
}
