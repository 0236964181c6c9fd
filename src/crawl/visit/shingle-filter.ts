const BITS_LOG2 = 15;
const BITS = 2 ** BITS_LOG2;
const WORDS_PER_GENERATION = BITS / 32;
/** Of both generations at most half is set, so that half of what is new is seen to be new. */
const MOST_RUNS = BITS / 4;
/** Characters that are looked at: a page that says something new says it early. */
const READ_CHARS = 4_000;

export type TextNovelty = { readonly runs: number; readonly fresh: number };

/**
 * What the last pages of a URL template said, as a Bloom filter of their runs of three words in two generations: 8 KiB for
 * the last 8,000 to 16,000 runs, 25 to 50 pages of which each is new, and all pages that repeat each other. Numbers count as one word, so that a calendar does not look new each month.
 */
export class ShingleFilter {
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

/** Runs end with a sentence: the same sentences in another order say nothing new. */
function runsOf(text: string): readonly number[] {
  const runs: number[] = [];
  const folded = text.toLowerCase();
  let [first, second] = [0, 0];
  for (let at = 0; at < folded.length; ) {
    const kind = kindAt(folded, at);
    let hash = FNV_START;
    do {
      // Every number is the same word.
      if (kind === LETTER) hash = Math.imul(hash ^ folded.charCodeAt(at), FNV_PRIME);
      at++;
    } while (at < folded.length && kindAt(folded, at) === kind);
    if (kind === END) [first, second] = [0, 0];
    if (kind !== LETTER && kind !== DIGIT) continue;
    runs.push(mix(mix(Math.imul(first, 31) ^ second) ^ hash) >>> (32 - BITS_LOG2));
    [first, second] = [second, hash];
  }
  return runs;
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const UNKNOWN = 0;
const OTHER = 1;
const LETTER = 2;
const DIGIT = 3;
const END = 4;

/** Kind of each code unit that was met: 64 KiB, where a regular expression takes ten times as long. */
const KINDS = new Uint8Array(2 ** 16);

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = KINDS[unit] ?? UNKNOWN;
  if (known !== UNKNOWN) return known;
  if (unit >= 0xd800 && unit <= 0xdfff) return kindOf(codePointAround(text, at));
  const kind = kindOf(String.fromCharCode(unit));
  KINDS[unit] = kind;
  return kind;
}

/** Both halves of a pair are of the kind of their character. */
function codePointAround(text: string, at: number): string {
  const isSecond = at > 0 && text.charCodeAt(at) >= 0xdc00 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return String.fromCodePoint(text.codePointAt(isSecond ? at - 1 : at) ?? 0);
}

function kindOf(character: string): number {
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /[.!?\n]/.test(character) ? END : OTHER;
}

/** Every bit of the input moves the upper bits of the result (multiplicative hashing, Knuth 6.4). */
function mix(value: number): number {
  const hash = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
}
