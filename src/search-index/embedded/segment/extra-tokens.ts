import { GrowableU32 } from '../bytes/growable.ts';

/** Tokens beside the words of the texts: bigrams and parts of compounds. Added document by document. */
export class ExtraTokens {
  /** Term key → its number among these. */
  readonly numbers = new Map<string, number>();
  readonly terms = new GrowableU32();
  readonly documents = new GrowableU32();
  readonly places = new GrowableU32();

  get count(): number {
    return this.terms.length;
  }

  add(key: string, document: number, place: number): void {
    this.terms.push(this.numberOf(key));
    this.documents.push(document);
    this.places.push(place);
  }

  private numberOf(key: string): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(key, number);
    }
    return number;
  }
}
