/** Terms of a surface word: pairs (term number, mask of the languages in which it has that stem). */
export type SurfaceTerms = number[];

/** Class bits of a surface's document; neither = in class A only. The numbers are stored. */
export const SURFACE_CLASS = { b: 1, c: 2 } as const;
/** Bits of `SURFACE_CLASS` below the document number. */
export const SURFACE_CLASS_BITS = 2;

/** The surface words of a new segment by number. What is read of one is valid until the next is read. */
export type Surfaces = {
  readonly numbers: ReadonlyMap<string, number>;
  readonly terms: readonly SurfaceTerms[];
  /** 1 = the surface has a document list of its own. */
  readonly owns: Uint8Array;
  /** For surfaces with an own list: documents ascending, each shifted left by `SURFACE_CLASS_BITS` with its classes. */
  documentsOf(surface: number): Uint32Array;
  /** Documents that have the surface in class A, in the same form. */
  titlesOf(surface: number): Uint32Array;
  /** The written form that is most frequent; undefined = the folded one. */
  displayOf(surface: number): string | undefined;
};

/** Numbers folded surface words and gathers their terms. */
export class SurfaceTable {
  readonly numbers = new Map<string, number>();
  readonly terms: SurfaceTerms[] = [];

  numberOf(folded: string): number {
    const known = this.numbers.get(folded);
    if (known !== undefined) return known;
    this.numbers.set(folded, this.terms.length);
    this.terms.push([]);
    return this.terms.length - 1;
  }

  /** Adds a language mask to the pair of a term. */
  addTerm(surface: number, term: number, mask: number): void {
    const pairs = this.terms[surface]!;
    for (let i = 0; i < pairs.length; i += 2) {
      if (pairs[i] === term) {
        pairs[i + 1] = (pairs[i + 1]! | mask) >>> 0;
        return;
      }
    }
    pairs.push(term, mask >>> 0);
  }

  /**
   * Which surfaces need a list of their own: those of several terms, and those that share their term. The documents of
   * any other are its term's. O(pairs).
   */
  owns(termCount: number): Uint8Array {
    const { terms } = this;
    const uses = new Uint32Array(termCount);
    for (const pairs of terms) for (let i = 0; i < pairs.length; i += 2) uses[pairs[i]!]!++;
    return Uint8Array.from(terms, (pairs) => (pairs.length !== 2 || uses[pairs[0]!]! > 1 ? 1 : 0));
  }
}
