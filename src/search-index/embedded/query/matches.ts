/** Where matches go, from `start` on, and how many of them are enough: looking on after that would change nothing. */
export type MatchTarget = { readonly buffer: MatchBuffer; readonly start: number; readonly enough: number };

/** Matches of a search, segment after segment, in two arrays that belong to the thread and are reused. */
export class MatchBuffer {
  documents = new Uint32Array(1 << 12);
  scores = new Float32Array(1 << 12);

  /** Makes room for `count` matches from `start` on; what lies before `start` stays. */
  reserve(start: number, count: number): void {
    if (start + count <= this.documents.length) return;
    const size = Math.max(start + count, this.documents.length * 2);
    const documents = new Uint32Array(size);
    documents.set(this.documents.subarray(0, start));
    this.documents = documents;
    const scores = new Float32Array(size);
    scores.set(this.scores.subarray(0, start));
    this.scores = scores;
  }
}
