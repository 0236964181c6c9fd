const PAGE_BITS = 12;
const PAGE_ROWS = 1 << PAGE_BITS;

type Page = { readonly segments: Uint32Array; readonly documents: Uint32Array; used: number };

/** Where each live rid lies: (segment number, document). Pages of 4,096 rids, dropped when empty. */
export class RowMap {
  private readonly pages = new Map<number, Page>();

  /** Number of the segment that holds the rid, 0 = none. */
  segmentOf(rid: number): number {
    return this.pages.get(Math.floor(rid / PAGE_ROWS))?.segments[rid % PAGE_ROWS] ?? 0;
  }

  /** Document in that segment; meaningless when there is none. */
  documentOf(rid: number): number {
    return this.pages.get(Math.floor(rid / PAGE_ROWS))?.documents[rid % PAGE_ROWS] ?? 0;
  }

  /** `segment` ≥ 1. */
  set(rid: number, segment: number, document: number): void {
    const key = Math.floor(rid / PAGE_ROWS);
    let page = this.pages.get(key);
    if (page === undefined) {
      page = { segments: new Uint32Array(PAGE_ROWS), documents: new Uint32Array(PAGE_ROWS), used: 0 };
      this.pages.set(key, page);
    }
    const row = rid % PAGE_ROWS;
    if (page.segments[row] === 0) page.used++;
    page.segments[row] = segment;
    page.documents[row] = document;
  }

  delete(rid: number): void {
    const key = Math.floor(rid / PAGE_ROWS);
    const page = this.pages.get(key);
    if (page === undefined || page.segments[rid % PAGE_ROWS] === 0) return;
    page.segments[rid % PAGE_ROWS] = 0;
    page.used--;
    if (page.used === 0) this.pages.delete(key);
  }
}
