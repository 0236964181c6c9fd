import {
  type CompletionOptions,
  type Completions,
  type Continuation,
  displayOf,
  MAX_CONTINUATIONS,
  MAX_FUZZY_FORMS,
  MIN_TYPO_CHARS,
  NO_COMPLETIONS,
  phraseWords,
  typedWords,
} from '../../completions.ts';
import { BoundedHeap } from '../collect/bounded-heap.ts';

/** All completions of one generation in typed arrays, so that a thread can hand them over without a copy. */
export type CompletionData = {
  readonly words: WordListData;
  /** Per word the documents that have it in a title or heading, and whose language it is no stop word of. */
  readonly wordDocuments: Uint32Array;
  /** Words of completion c: `sequence[starts[c]..starts[c + 1])`. */
  readonly starts: Uint32Array;
  readonly sequence: Uint32Array;
  /** Completion of every place in `sequence`. */
  readonly owners: Uint32Array;
  readonly documents: Uint32Array;
  /** The phrase that it is shown from, which of its words, and 1 when it is the whole phrase instead. */
  readonly shown: Uint32Array;
  readonly firsts: Uint8Array;
  readonly whole: Uint8Array;
  /** UTF-8 of the phrases that are shown. */
  readonly texts: Uint8Array;
  readonly textStarts: Uint32Array;
  /** Per word its places in `sequence`: `places[positionStarts[w]..positionStarts[w + 1])`. */
  readonly positionStarts: Uint32Array;
  readonly places: Uint32Array;
};

/** Words `from` to before `to`. */
type WordRange = { readonly from: number; readonly to: number };

/** Which words may stand at each place of the typed text. */
type Wanted = readonly ((word: number) => boolean)[];

/** Completions kept for typed texts that were asked for: the short ones have the most matches and come most often. */
const CACHED_ANSWERS = 256;
const CACHED_EXCEPTIONS = 100;

/**
 * Look-up of completions. A typed text costs the places of its first word: 100,000 of them 1 to 2 ms. One thread, one
 * list: look-ups share scratch memory.
 */
export class CompletionList {
  private readonly data: CompletionData;
  private readonly words: WordList;
  private readonly seen: Uint32Array;
  private readonly begins: Uint8Array;
  private readonly continuations: WordCounter;
  private readonly kept = new Map<string, Completions>();
  private stamp = 0;

  constructor(data: CompletionData) {
    this.data = data;
    this.words = new WordList(data.words);
    this.seen = new Uint32Array(data.documents.length);
    this.begins = new Uint8Array(data.documents.length);
    this.continuations = new WordCounter(this.words.count);
  }

  complete(text: string, options: CompletionOptions): Completions {
    const typed = typedWords(text);
    if (typed.length === 0) return NO_COMPLETIONS;
    const key = options.except.length <= CACHED_EXCEPTIONS ? JSON.stringify([typed, options]) : undefined;
    const known = key === undefined ? undefined : this.kept.get(key);
    if (known !== undefined) return known;
    const found = this.find(typed, options);
    if (key === undefined) return found;
    if (this.kept.size === CACHED_ANSWERS) this.kept.clear();
    this.kept.set(key, found);
    return found;
  }

  private find(typed: readonly string[], { limit, except }: CompletionOptions): Completions {
    this.stamp++;
    this.skip(except);
    const best = this.newHeap(limit);
    const numbers = typed.slice(0, -1).map((word) => this.words.find(word));
    const range = this.words.rangeOf(typed.at(-1)!);
    const last = (word: number) => word >= range.from && word < range.to;
    const equal = numbers.map((number) => (word: number) => word === number);
    const candidates = numbers.length === 0 ? range : rangeOfOne(numbers[0]!);
    const exact = this.collect(candidates, [...equal, last], best);
    const continuations = this.continuationsOf(candidates, [...equal, last], range);
    const found = { ...NO_COMPLETIONS, total: exact, items: this.show(best.sorted()), continuations };
    const fuzzy = exact === 0 ? this.fuzzyTerms(typed, numbers) : undefined;
    if (fuzzy === undefined) return found;
    const wanted = [...equal, last].map((fits, at) => (at === fuzzy.at ? (word: number) => fuzzy.isForm(word) : fits));
    const corrected = this.newHeap(limit);
    let count = 0;
    for (const start of fuzzy.at === 0 ? fuzzy.forms : [numbers[0]!]) {
      count += this.collect(rangeOfOne(start), wanted, corrected);
    }
    const forms = fuzzy.forms.slice(0, MAX_FUZZY_FORMS).map((form) => this.words.at(form));
    const correctedItems = this.show(corrected.sorted());
    return { ...found, correctedTotal: count, corrected: correctedItems, fuzzy: { word: typed[fuzzy.at]!, forms } };
  }

  /** Marks texts as seen, so that nobody counts them. */
  private skip(except: readonly string[]): void {
    const { starts } = this.data;
    for (const text of except) {
      const numbers = phraseWords(text).map(({ folded }) => this.words.find(folded));
      const [first = -1] = numbers;
      if (numbers.includes(-1) || first < 0) continue;
      for (const index of this.placesOf(rangeOfOne(first))) {
        const c = this.data.owners[index]!;
        const isWhole = starts[c] === index && starts[c + 1] === index + numbers.length;
        if (isWhole && numbers.every((number, i) => this.data.sequence[index + i] === number))
          this.seen[c] = this.stamp;
      }
    }
  }

  /**
   * Counts the completions that were not seen before and hold the wanted words, the first of which is one of `first`;
   * offers them to the heap.
   */
  private collect(first: WordRange, wanted: Wanted, best: BoundedHeap): number {
    const { seen, stamp } = this;
    let count = 0;
    this.forEachPlace(first, wanted, (c) => {
      if (seen[c] === stamp) return;
      seen[c] = stamp;
      count++;
      this.begins[c] = Number(this.beginsWith(c, wanted));
      best.offer(c);
    });
    return count;
  }

  private beginsWith(completion: number, wanted: Wanted): boolean {
    const { sequence, starts } = this.data;
    const start = starts[completion]!;
    const isLong = start + wanted.length <= starts[completion + 1]!;
    return isLong && wanted.every((fits, at) => fits(sequence[start + at]!));
  }

  /** What stands last where the wanted words do, when they are several, or else any word of the range. */
  private continuationsOf(first: WordRange, wanted: Wanted, range: WordRange): readonly Continuation[] {
    const { continuations } = this;
    const { documents, wordDocuments } = this.data;
    if (wanted.length > 1) {
      this.forEachPlace(first, wanted, (c, word) => {
        if (wordDocuments[word]! > 0) continuations.add(word, documents[c]!);
      });
    }
    if (continuations.isEmpty) {
      for (let word = range.from; word < range.to; word++) {
        if (wordDocuments[word]! > 0) continuations.add(word, wordDocuments[word]!);
      }
    }
    return continuations
      .take(MAX_CONTINUATIONS)
      .map(({ word, count: added }) => ({ word: this.words.at(word), documents: added }));
  }

  /** Visits the places where the wanted words stand side by side, with their completion and the last of the words. */
  private forEachPlace(first: WordRange, wanted: Wanted, visit: (completion: number, word: number) => void): void {
    const { owners, sequence, starts } = this.data;
    for (const index of this.placesOf(first)) {
      const c = owners[index]!;
      if (index + wanted.length > starts[c + 1]!) continue;
      let at = 1;
      while (at < wanted.length && wanted[at]!(sequence[index + at]!)) at++;
      if (at === wanted.length) visit(c, sequence[index + at - 1]!);
    }
  }

  private placesOf({ from, to }: WordRange): Uint32Array {
    if (from < 0 || from >= to) return NONE;
    return this.data.places.subarray(this.data.positionStarts[from], this.data.positionStarts[to]);
  }

  /** The word that may be misspelt with all its forms; the rule stands at `MIN_TYPO_CHARS`. */
  private fuzzyTerms(typed: readonly string[], numbers: readonly number[]) {
    const unknown = numbers.flatMap((number, at) => (number < 0 ? [at] : []));
    const at = unknown[0] ?? typed.length - 1;
    const word = typed[at]!;
    if (unknown.length > 1 || word.length < MIN_TYPO_CHARS) return undefined;
    const found = this.words.fuzzy(word, at === typed.length - 1 ? 'beginning' : 'whole');
    if (found.length === 0) return undefined;
    const counts = new Map(found.map((form) => [form, this.countOwners(form)]));
    const forms = found.sort((a, b) => counts.get(b)! - counts.get(a)! || a - b);
    return { at, forms, isForm: (form: number) => counts.has(form) };
  }

  /** Completions that have a word. */
  private countOwners(word: number): number {
    let count = 0;
    let last = -1;
    for (const index of this.placesOf(rangeOfOne(word))) {
      if (this.data.owners[index] !== last) count++;
      last = this.data.owners[index]!;
    }
    return count;
  }

  private newHeap(limit: number): BoundedHeap {
    return new BoundedHeap(limit, (a, b) => this.compare(a, b) < 0);
  }

  private compare(a: number, b: number): number {
    const { documents, starts } = this.data;
    const lengthOf = (c: number) => starts[c + 1]! - starts[c]!;
    return (
      documents[b]! - documents[a]! ||
      this.begins[b]! - this.begins[a]! ||
      lengthOf(a) - lengthOf(b) ||
      this.compareWords(a, b)
    );
  }

  /** Words are numbered by code point, and no character of a word is below the blank between two. */
  private compareWords(a: number, b: number): number {
    const { starts, sequence } = this.data;
    for (let i = starts[a]!, j = starts[b]!; i < starts[a + 1]!; i++, j++) {
      if (sequence[i] !== sequence[j]) return sequence[i]! - sequence[j]!;
    }
    return 0;
  }

  private show(completions: readonly number[]): Completions['items'] {
    const { documents, shown, firsts, whole, texts, textStarts } = this.data;
    return completions.map((c) => {
      const phrase = shown[c]!;
      const text = decoder.decode(texts.subarray(textStarts[phrase], textStarts[phrase + 1]));
      const part = whole[c] === 1 ? 'whole' : { word: firsts[c]! };
      return { text: displayOf(text, part), documents: documents[c]! };
    });
  }
}

const NONE = new Uint32Array(0);
const decoder = new TextDecoder();

function rangeOfOne(word: number): WordRange {
  return { from: word, to: word + 1 };
}

/** Counts by word number; only words that were counted cost anything. */
class WordCounter {
  private readonly counts: Float64Array;
  private readonly counted: number[] = [];

  constructor(words: number) {
    this.counts = new Float64Array(words);
  }

  get isEmpty(): boolean {
    return this.counted.length === 0;
  }

  /** `count` above 0. */
  add(word: number, count: number): void {
    if (this.counts[word] === 0) this.counted.push(word);
    this.counts[word] = this.counts[word]! + count;
  }

  /** The highest counts, of equal ones the lowest words; the counter is empty again. */
  take(limit: number): readonly { readonly word: number; readonly count: number }[] {
    const { counts } = this;
    const best = new BoundedHeap(limit, (a, b) => counts[a]! > counts[b]! || (counts[a] === counts[b] && a < b));
    for (const word of this.counted) best.offer(word);
    const taken = best.sorted().map((word) => ({ word, count: counts[word]! }));
    for (const word of this.counted) counts[word] = 0;
    this.counted.length = 0;
    return taken;
  }
}

/** Sorted words as UTF-16 units: word w is `units[starts[w]..starts[w + 1])`. */
type WordListData = { readonly units: Uint16Array; readonly starts: Uint32Array };

/** Look-up of words that ascend by code point; no text is made of what is only compared. */
class WordList {
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
  rangeOf(beginning: string): WordRange {
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
