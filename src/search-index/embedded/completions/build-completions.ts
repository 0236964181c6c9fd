import { foldWord } from '../../../text/folding.ts';
import { isStopWord } from '../../../text/stop-words.ts';
import { MAX_RUN_WORDS, MIN_RUN_DOCUMENTS } from '../../completions.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { encodeText, sortByCodePoint } from '../bytes/text-order.ts';
import { collectPhrases, type PhraseSource, type Phrases } from './collect-phrases.ts';
import { type CompletionData, wordListOf } from './completion-list.ts';

/**
 * The completions of a generation. Pure CPU: some 65 µs per document with a title and eight headings that no other has
 * (`scripts/bench/completions.ts`).
 */
export function buildCompletions(source: PhraseSource): CompletionData {
  const phrases = collectPhrases(source);
  return listRuns(phrases, countRuns(phrases, source.languages));
}

/** Its arrays, to be handed over instead of copied. */
export function buffersOf({ words, ...rest }: CompletionData): ArrayBuffer[] {
  return [words.units, words.starts, ...Object.values(rest)].map(({ buffer }) => buffer as ArrayBuffer);
}

function listRuns(phrases: Phrases, runs: Runs): CompletionData {
  const count = runs.phrases.length;
  const starts = new Uint32Array(count + 1);
  for (let r = 0; r < count; r++) starts[r + 1] = starts[r]! + runs.counts.array[r]!;
  const { words, sequence } = numberWords(phrases, runs, starts);
  return {
    words: wordListOf(words),
    starts,
    sequence,
    owners: ownersOf(starts),
    documents: runs.documents.view().slice(),
    firsts: Uint8Array.from(runs.firsts.view()),
    whole: Uint8Array.from(runs.whole.view()),
    ...listTexts(phrases, runs),
    ...listPlaces(sequence, words.length),
  };
}

function ownersOf(starts: Uint32Array): Uint32Array {
  const owners = new Uint32Array(starts.at(-1)!);
  for (let c = 0; c + 1 < starts.length; c++) owners.fill(c, starts[c], starts[c + 1]);
  return owners;
}

/** Words that no run has are left out. */
function numberWords({ starts: phraseStarts }: Phrases, { folded, ranks, ...runs }: Runs, starts: Uint32Array) {
  const sequence = new Uint32Array(starts.at(-1)!);
  const used = new Uint32Array(folded.length + 1);
  for (let r = 0; r < runs.phrases.length; r++) {
    const index = phraseStarts[runs.phrases.array[r]!]! + runs.firsts.array[r]!;
    for (let i = 0; i < runs.counts.array[r]!; i++) {
      sequence[starts[r]! + i] = ranks[index + i]!;
      used[ranks[index + i]!] = 1;
    }
  }
  const words: string[] = [];
  for (let rank = 1; rank < used.length; rank++) {
    if (used[rank] === 1) used[rank] = words.push(folded[rank - 1]!) - 1;
  }
  for (let i = 0; i < sequence.length; i++) sequence[i] = used[sequence[i]!]!;
  return { words, sequence };
}

/** Texts of the phrases that some run is shown from. */
function listTexts({ texts }: Phrases, { phrases }: Runs) {
  const bytes = new GrowableU8();
  const textStarts = new GrowableU32();
  const numbers = new Int32Array(texts.length).fill(-1);
  const shown = phrases.view().map((phrase) => {
    if (numbers[phrase]! < 0) {
      numbers[phrase] = textStarts.length;
      textStarts.push(bytes.length);
      const text = encodeText(texts[phrase]!);
      bytes.append(text, 0, text.length);
    }
    return numbers[phrase]!;
  });
  textStarts.push(bytes.length);
  return { shown, texts: bytes.view().slice(), textStarts: textStarts.view().slice() };
}

/** Counting sort of the places by word; those of a word ascend. */
function listPlaces(sequence: Uint32Array, wordCount: number) {
  const positionStarts = new Uint32Array(wordCount + 1);
  for (let i = 0; i < sequence.length; i++) positionStarts[sequence[i]! + 1]!++;
  for (let w = 0; w < wordCount; w++) positionStarts[w + 1]! += positionStarts[w]!;
  const next = positionStarts.slice();
  const indexes = new Uint32Array(sequence.length);
  for (let i = 0; i < sequence.length; i++) indexes[next[sequence[i]!]!++] = i;
  return { positionStarts, places: indexes };
}

/** Completions before they are listed: run r is `counts[r]` words of phrase `phrases[r]` from word `firsts[r]` on. */
type Runs = {
  /** Folded words by code point, and per word of `Phrases.words` its number there plus one. */
  readonly folded: readonly string[];
  readonly ranks: Uint32Array;
  readonly phrases: GrowableU32;
  readonly firsts: GrowableU32;
  readonly counts: GrowableU32;
  readonly documents: GrowableU32;
  /** 1 = the whole of a title. */
  readonly whole: GrowableU32;
};

/**
 * Finds the runs of words that complete: sorts all places by their next four words, so that equal runs lie side by
 * side, and counts the documents of each. O(words · 4), radix sort; no text is made or compared but of what is kept.
 */
function countRuns(phrases: Phrases, languages: readonly string[]): Runs {
  const { folded, rankOf } = rankSurfaces(phrases);
  const ranks = phrases.words.map((surface) => rankOf[surface]!);
  const counter = new RunCounter(phrases, { folded, ranks, stops: stopMasks(phrases, languages) });
  for (let length = 1; length <= MAX_RUN_WORDS; length++) counter.countLength(length);
  counter.addLongTitles();
  return counter.runs;
}

function rankSurfaces({ surfaces }: Phrases): { folded: string[]; rankOf: Uint32Array } {
  const forms = Array.from({ length: surfaces.count }, (_, surface) => foldWord(surfaces.text(surface)));
  const folded = sortByCodePoint([...new Set(forms)]);
  const rankByForm = new Map(folded.map((form, index) => [form, index + 1]));
  return { folded, rankOf: Uint32Array.from(forms, (form) => rankByForm.get(form)!) };
}

/** Per surface the languages, as bits, in which it is a stop word. */
function stopMasks({ surfaces }: Phrases, languages: readonly string[]): Uint32Array {
  const masks = new Uint32Array(surfaces.count);
  for (let surface = 0; surface < surfaces.count; surface++) {
    const word = surfaces.text(surface);
    for (const [number, code] of languages.entries()) {
      if (isStopWord(word, code)) masks[surface]! |= 1 << number;
    }
  }
  return masks;
}

type Words = { readonly folded: readonly string[]; readonly ranks: Uint32Array; readonly stops: Uint32Array };

class RunCounter {
  readonly runs: Runs;
  private readonly all: Phrases;
  private readonly stops: Uint32Array;
  /** Phrase of every word. */
  private readonly phraseOf: Uint32Array;
  /** Places by the ranks of their next words; a phrase's end comes first. */
  private readonly order: Uint32Array;
  private readonly reach: Uint8Array;
  private readonly shared: Uint8Array;
  /** Last group that counted a document. */
  private readonly stamps: Uint32Array;
  private stamp = 0;

  constructor(all: Phrases, { folded, ranks, stops }: Words) {
    const list = () => new GrowableU32();
    this.runs = { folded, ranks, phrases: list(), firsts: list(), counts: list(), documents: list(), whole: list() };
    this.all = all;
    this.stops = stops;
    this.phraseOf = new Uint32Array(all.words.length);
    for (let p = 0; p < all.texts.length; p++) this.phraseOf.fill(p, all.starts[p], all.starts[p + 1]);
    this.stamps = new Uint32Array(all.languages.length);
    this.order = this.sortPlaces();
    const { reach, shared } = this.compareNeighbours();
    this.reach = reach;
    this.shared = shared;
  }

  /** Adds the runs of a length. Places with equal next words lie side by side. */
  countLength(length: number): void {
    const { order, reach, shared } = this;
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      if (reach[from]! >= length) {
        while (to < order.length && shared[to]! >= length) to++;
        this.countGroup(from, to, length);
      }
      from = to;
    }
  }

  /** Titles longer than any run; those with the same folded words are one. */
  addLongTitles(): void {
    const { texts, isTitle, starts } = this.all;
    const byKey = new Map<string, number[]>();
    for (let p = 0; p < texts.length; p++) {
      if (isTitle[p] !== 1 || starts[p + 1]! - starts[p]! <= MAX_RUN_WORDS) continue;
      const key = this.runs.ranks.subarray(starts[p], starts[p + 1]).join();
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [p]);
      else same.push(p);
    }
    for (const same of byKey.values()) this.addLongTitle(same);
  }

  /** Titles of dead documents are none. */
  private addLongTitle(same: readonly number[]): void {
    const { starts } = this.all;
    this.stamp++;
    let documents = 0;
    let shown = -1;
    for (const p of same) {
      const counted = this.countDocuments(p, 0);
      if (counted < 0) continue;
      documents += counted;
      if (this.isShownBefore(starts[p]!, shown)) shown = starts[p]!;
    }
    if (shown < 0) return;
    const phrase = this.phraseOf[shown]!;
    this.add({ position: shown, length: starts[phrase + 1]! - shown, documents, whole: 1 });
  }

  private countGroup(from: number, to: number, length: number): void {
    const { order, all, phraseOf, stops } = this;
    this.stamp++;
    let documents = 0;
    let shown = -1;
    let whole = 0;
    for (let i = from; i < to; i++) {
      const position = order[i]!;
      const isWhole = this.isWholeTitle(position, length);
      const mask = isWhole ? 0 : stops[all.words[position]!]! | stops[all.words[position + length - 1]!]!;
      const counted = this.countDocuments(phraseOf[position]!, mask);
      if (counted < 0) continue;
      documents += counted;
      if (isWhole && whole === 0) shown = position;
      else if (Number(isWhole) === whole && this.isShownBefore(position, shown)) shown = position;
      if (isWhole) whole = 1;
    }
    if (whole === 1 || documents >= MIN_RUN_DOCUMENTS) this.add({ position: shown, length, documents, whole });
  }

  /** Counts the documents of a phrase that this group has not counted; -1 when the mask leaves none at all. */
  private countDocuments(phrase: number, mask: number): number {
    const { documentStarts, documents, languages } = this.all;
    let counted = -1;
    for (let i = documentStarts[phrase]!; i < documentStarts[phrase + 1]!; i++) {
      const document = documents[i]!;
      if (mask !== 0 && ((mask >>> languages[document]!) & 1) === 1) continue;
      if (counted < 0) counted = 0;
      if (this.stamps[document] === this.stamp) continue;
      this.stamps[document] = this.stamp;
      counted++;
    }
    return counted;
  }

  /** Of several texts the greatest, in it the first place. */
  private isShownBefore(position: number, shown: number): boolean {
    if (shown < 0) return true;
    const phrase = this.phraseOf[position]!;
    const other = this.phraseOf[shown]!;
    if (phrase === other) return position < shown;
    return this.all.texts[phrase]! > this.all.texts[other]!;
  }

  private isWholeTitle(position: number, length: number): boolean {
    const { isTitle, starts } = this.all;
    const phrase = this.phraseOf[position]!;
    return isTitle[phrase] === 1 && starts[phrase] === position && starts[phrase + 1] === position + length;
  }

  private reaches(position: number, length: number): boolean {
    return position + length <= this.all.starts[this.phraseOf[position]! + 1]!;
  }

  /** Words of a run at a place, and those of them that are the same at the place before in the order. */
  private compareNeighbours(): { reach: Uint8Array; shared: Uint8Array } {
    const { order, all, phraseOf } = this;
    const { ranks } = this.runs;
    const reach = new Uint8Array(order.length);
    const shared = new Uint8Array(order.length);
    for (let i = 0; i < order.length; i++) {
      const position = order[i]!;
      reach[i] = Math.min(MAX_RUN_WORDS, all.starts[phraseOf[position]! + 1]! - position);
      if (i === 0) continue;
      const most = Math.min(reach[i]!, reach[i - 1]!);
      let same = 0;
      while (same < most && ranks[position + same] === ranks[order[i - 1]! + same]) same++;
      shared[i] = same;
    }
    return { reach, shared };
  }

  private add(run: { position: number; length: number; documents: number; whole: number }): void {
    const { runs, phraseOf, all } = this;
    const phrase = phraseOf[run.position]!;
    runs.phrases.push(phrase);
    runs.firsts.push(run.position - all.starts[phrase]!);
    runs.counts.push(run.length);
    runs.documents.push(run.documents);
    runs.whole.push(run.whole);
  }

  /** Least significant word first. */
  private sortPlaces(): Uint32Array {
    const { ranks, folded } = this.runs;
    let order = Uint32Array.from(ranks, (_, position) => position);
    let spare = new Uint32Array(order.length);
    const keyOf = (position: number, offset: number) =>
      this.reaches(position, offset + 1) ? ranks[position + offset]! : 0;
    for (let offset = MAX_RUN_WORDS - 1; offset >= 0; offset--) {
      const next = new Uint32Array(folded.length + 2);
      for (let i = 0; i < order.length; i++) next[keyOf(order[i]!, offset) + 1]!++;
      for (let key = 1; key < next.length; key++) next[key]! += next[key - 1]!;
      for (let i = 0; i < order.length; i++) spare[next[keyOf(order[i]!, offset)]!++] = order[i]!;
      [order, spare] = [spare, order];
    }
    return order;
  }
}
