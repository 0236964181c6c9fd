const BITS_LOG2 = 15;
const BITS = 2 ** BITS_LOG2;
const WORDS_PER_GENERATION = BITS / 32;
/** Of both generations at most half is set, so that half of what is new is seen to be new. */
const MOST_RUNS = BITS / 4;
/** Characters that are looked at: a page that says something new says it early. */
const READ_CHARS = 4_000;

export type TextNovelty = { readonly runs: number; readonly fresh: number };

/**
 * What the last pages of a family said, as a Bloom filter of their runs of three words in two generations: 8 KiB for
 * the last 8,000 to 16,000 runs, 25 to 50 pages of which each is new, and all pages that repeat each other. Numbers count as one word, so that a calendar does not look new each month.
 */
export class SeenText {
  private present: Uint32Array;
  private before: Uint32Array;
  private held = 0;

  constructor(kept?: Uint8Array) {
    this.present = new Uint32Array(WORDS_PER_GENERATION);
    this.before = new Uint32Array(WORDS_PER_GENERATION);
    if (kept !== undefined) new Uint8Array(this.before.buffer).set(kept.subarray(0, this.before.byteLength));
  }

  /** Runs of words of the text, and how many of them none of the pages had; the page is added to them. */
  add(text: string): TextNovelty {
    if (this.held >= MOST_RUNS) {
      [this.before, this.present] = [this.present, this.before.fill(0)];
      this.held = 0;
    }
    const runs = runsOf(text.slice(0, READ_CHARS));
    let fresh = 0;
    for (const run of runs) if (!this.has(run)) fresh++;
    for (const run of runs) this.present[run >>> 5] = (this.present[run >>> 5] ?? 0) | (1 << (run & 31));
    this.held += fresh;
    return { runs: runs.length, fresh };
  }

  /** Both generations in one. */
  toBytes(): Uint8Array {
    return new Uint8Array(this.present.map((word, at) => word | (this.before[at] ?? 0)).buffer);
  }

  private has(run: number): boolean {
    const word = (this.present[run >>> 5] ?? 0) | (this.before[run >>> 5] ?? 0);
    return (word & (1 << (run & 31))) !== 0;
  }
}

const SENTENCE_END = /^[.!?\n]/;

/** Runs end with a sentence: the same sentences in another order say nothing new. */
function runsOf(text: string): readonly number[] {
  const runs: number[] = [];
  let [first, second] = [0, 0];
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+|[.!?\n]+/gu) ?? []) {
    if (SENTENCE_END.test(word)) {
      [first, second] = [0, 0];
      continue;
    }
    const third = hashOf(word);
    runs.push(mix(mix(Math.imul(first, 31) ^ second) ^ third) >>> (32 - BITS_LOG2));
    [first, second] = [second, third];
  }
  return runs;
}

function hashOf(word: string): number {
  const isNumber = /^\p{N}/u.test(word);
  let hash = 0x811c9dc5;
  for (let at = 0; at < (isNumber ? 0 : word.length); at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

/** Every bit of the input moves the upper bits of the result (multiplicative hashing, Knuth 6.4). */
function mix(value: number): number {
  const hash = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
}
