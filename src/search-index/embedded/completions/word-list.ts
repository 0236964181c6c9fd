/** Sorted words as UTF-16 units: word w is `units[starts[w]..starts[w + 1])`. */
export type WordListData = { readonly units: Uint16Array; readonly starts: Uint32Array };

/** Look-up of words that ascend by code point; no text is made of what is only compared. */
export class WordList {
  private readonly units: Uint16Array;
  private readonly starts: Uint32Array;

  constructor({ units, starts }: WordListData) {
    this.units = units;
    this.starts = starts;
  }

  get count(): number {
    return this.starts.length - 1;
  }

  at(word: number): string {
    return String.fromCharCode(...this.units.subarray(this.starts[word], this.starts[word + 1]));
  }

  /** Number of a word, -1 when it is not in the list. */
  find(text: string): number {
    const at = this.firstWhere((word) => this.compareBeginning(word, text) >= 0);
    return at < this.count && this.lengthOf(at) === text.length && this.compareBeginning(at, text) === 0 ? at : -1;
  }

  /** The words that begin with a text: `from` to before `to`. */
  rangeOf(beginning: string): { from: number; to: number } {
    return {
      from: this.firstWhere((word) => this.compareBeginning(word, beginning) >= 0),
      to: this.firstWhere((word) => this.compareBeginning(word, beginning) > 0),
    };
  }

  /**
   * Words that are, or begin, exactly one edit (optimal string alignment) away from what was typed, ascending. Looks
   * at every word: some 10 ns each.
   */
  fuzzy(typed: string, what: 'whole' | 'beginning'): number[] {
    const found: number[] = [];
    for (let word = 0; word < this.count; word++) {
      if (this.isFuzzy(word, typed, what === 'whole')) found.push(word);
    }
    return found;
  }

  /** One edit at the first difference makes the rest equal. */
  private isFuzzy(word: number, typed: string, whole: boolean): boolean {
    const { units } = this;
    const start = this.starts[word]!;
    const end = this.starts[word + 1]!;
    let at = 0;
    while (start + at < end && at < typed.length && units[start + at] === typed.charCodeAt(at)) at++;
    const from = start + at;
    // The beginning is equal: no edit, unless the whole word is longer by one.
    if (at === typed.length) return whole && end - from === 1;
    return (
      this.hasRest(from + 1, word, { typed, at: at + 1, whole }) ||
      this.hasRest(from, word, { typed, at: at + 1, whole }) ||
      this.hasRest(from + 1, word, { typed, at, whole }) ||
      (from + 1 < end &&
        units[from] === typed.charCodeAt(at + 1) &&
        units[from + 1] === typed.charCodeAt(at) &&
        this.hasRest(from + 2, word, { typed, at: at + 2, whole }))
    );
  }

  /** Whether the word goes on from `from` as the typed text does from `at`. */
  private hasRest(from: number, word: number, input: { typed: string; at: number; whole: boolean }): boolean {
    const { typed, at, whole } = input;
    const count = this.starts[word + 1]! - from;
    const needed = typed.length - at;
    if (count < needed || count < 0 || (whole && count !== needed)) return false;
    for (let i = 0; i < needed; i++) if (this.units[from + i] !== typed.charCodeAt(at + i)) return false;
    return true;
  }

  /** Sign of the word's first units, as many as the text has, against the text. */
  private compareBeginning(word: number, text: string): number {
    const start = this.starts[word]!;
    const length = Math.min(this.lengthOf(word), text.length);
    for (let i = 0; i < length; i++) {
      const unit = this.units[start + i]!;
      const other = text.charCodeAt(i);
      if (unit !== other) return rankOf(unit) - rankOf(other);
    }
    return length - text.length;
  }

  private lengthOf(word: number): number {
    return this.starts[word + 1]! - this.starts[word]!;
  }

  private firstWhere(isFound: (word: number) => boolean): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isFound(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

export function wordListOf(words: readonly string[]): WordListData {
  const starts = new Uint32Array(words.length + 1);
  for (const [number, word] of words.entries()) starts[number + 1] = starts[number]! + word.length;
  const units = new Uint16Array(starts[words.length]!);
  for (const [number, word] of words.entries()) {
    for (let i = 0; i < word.length; i++) units[starts[number]! + i] = word.charCodeAt(i);
  }
  return { units, starts };
}

/** Code point order of UTF-16 units: surrogates come last. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
