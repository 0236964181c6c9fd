import { foldWord } from '../../../text/folding.ts';
import { isStopWord } from '../../../text/stop-words.ts';
import { MIN_WORD_DOCUMENTS } from '../../completions.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { HASH_SEEDS, hashStepA, hashStepB, TextTable } from '../bytes/text-hashes.ts';
import { encodeText, sortByCodePoint } from '../bytes/text-order.ts';
import { collectPhrases, type PhraseSource, type Phrases } from './collect-phrases.ts';
import { type CompletionData, wordListOf } from './completion-list.ts';

/**
 * The completions of a generation. Pure CPU: some 85 µs per document with a title and eight headings that no other has
 * (`scripts/bench/completions.ts`).
 */
export function buildCompletions(source: PhraseSource): CompletionData {
  const phrases = collectPhrases(source);
  const lexicon = lexiconOf(phrases, source.languages);
  const counter = new CompletionCounter(phrases, lexicon);
  counter.addWords();
  counter.addPhrases();
  return listCompletions(phrases, lexicon, counter);
}

/** Its arrays, to be handed over instead of copied. */
export function buffersOf({ words, ...rest }: CompletionData): ArrayBuffer[] {
  return [words.units, words.starts, ...Object.values(rest)].map(({ buffer }) => buffer as ArrayBuffer);
}

function listCompletions(phrases: Phrases, lexicon: Lexicon, counter: CompletionCounter): CompletionData {
  const { found, wordDocuments } = counter;
  const starts = new Uint32Array(found.phrases.length + 1);
  for (let c = 0; c < found.phrases.length; c++) starts[c + 1] = starts[c]! + found.counts.array[c]!;
  const sequence = new Uint32Array(starts.at(-1)!);
  for (let c = 0; c < found.phrases.length; c++) {
    const place = phrases.starts[found.phrases.array[c]!]! + found.firsts.array[c]!;
    sequence.set(lexicon.numbers.subarray(place, place + found.counts.array[c]!), starts[c]);
  }
  const used = usedWords(sequence, lexicon.folded.length);
  for (let i = 0; i < sequence.length; i++) sequence[i] = used.numbers[sequence[i]!]!;
  return {
    words: wordListOf(Array.from(used.words, (word) => lexicon.folded[word]!)),
    wordDocuments: used.words.map((word) => wordDocuments[word]!),
    starts,
    sequence,
    owners: ownersOf(starts),
    documents: found.documents.view().slice(),
    firsts: Uint8Array.from(found.firsts.view()),
    whole: Uint8Array.from(found.whole.view()),
    ...listTexts(phrases, found),
    ...listPlaces(sequence, used.words.length),
  };
}

/** Words that some completion has, ascending, and their new numbers: those of dead documents are left out. */
function usedWords(sequence: Uint32Array, count: number): { words: Uint32Array; numbers: Uint32Array } {
  const isUsed = new Uint8Array(count);
  for (let i = 0; i < sequence.length; i++) isUsed[sequence[i]!] = 1;
  const words = new GrowableU32();
  const numbers = new Uint32Array(count);
  for (let word = 0; word < count; word++) {
    numbers[word] = words.length;
    if (isUsed[word] === 1) words.push(word);
  }
  return { words: words.view().slice(), numbers };
}

function ownersOf(starts: Uint32Array): Uint32Array {
  const owners = new Uint32Array(starts.at(-1)!);
  for (let c = 0; c + 1 < starts.length; c++) owners.fill(c, starts[c], starts[c + 1]);
  return owners;
}

/** Texts of the phrases that some completion is shown from. */
function listTexts({ texts }: Phrases, { phrases }: FoundCompletions) {
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

/** Words of all phrases. */
type Lexicon = {
  /** By code point: the place is the number of the word. */
  readonly folded: readonly string[];
  /** Numbers of the words, place by place (`Phrases.words`). */
  readonly numbers: Uint32Array;
  /** Per surface the languages, as bits, in which it is a stop word. */
  readonly stops: Uint32Array;
};

function lexiconOf(phrases: Phrases, languages: readonly string[]): Lexicon {
  const { surfaces, words } = phrases;
  const forms = Array.from({ length: surfaces.count }, (_, surface) => foldWord(surfaces.text(surface)));
  const folded = sortByCodePoint([...new Set(forms)]);
  const numberByForm = new Map(folded.map((form, number) => [form, number]));
  const numberOf = Uint32Array.from(forms, (form) => numberByForm.get(form)!);
  const numbers = words.map((surface) => numberOf[surface]!);
  return { folded, numbers, stops: stopMasks(phrases, languages) };
}

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

/** Completions before they are listed: c is `counts[c]` words of phrase `phrases[c]` from word `firsts[c]` on. */
type FoundCompletions = {
  readonly phrases: GrowableU32;
  readonly firsts: GrowableU32;
  readonly counts: GrowableU32;
  readonly documents: GrowableU32;
  /** 1 = the whole phrase. */
  readonly whole: GrowableU32;
};

/** Finds what completes, and counts its documents with stamps. O(words + documents of the phrases of each word). */
class CompletionCounter {
  readonly found: FoundCompletions;
  readonly wordDocuments: Uint32Array;
  private readonly all: Phrases;
  private readonly lexicon: Lexicon;
  /** Last group that counted a document. */
  private readonly stamps: Uint32Array;
  private stamp = 0;

  constructor(all: Phrases, lexicon: Lexicon) {
    const list = () => new GrowableU32();
    this.found = { phrases: list(), firsts: list(), counts: list(), documents: list(), whole: list() };
    this.all = all;
    this.lexicon = lexicon;
    this.wordDocuments = new Uint32Array(lexicon.folded.length);
    this.stamps = new Uint32Array(all.languages.length);
  }

  /** Single words: whole phrases of one word, and words that enough documents have. */
  addWords(): void {
    const { numbers, folded } = this.lexicon;
    const { positionStarts, places } = listPlaces(numbers, folded.length);
    const phraseOf = ownersOf(this.all.starts);
    for (let word = 0; word < folded.length; word++) {
      this.addWord(word, places.subarray(positionStarts[word], positionStarts[word + 1]), phraseOf);
    }
  }

  /** Phrases of several words; those with the same folded words are one. */
  addPhrases(): void {
    const { starts, texts } = this.all;
    const { numbers } = this.lexicon;
    const hashes = { a: new Uint32Array(texts.length), b: new Uint32Array(texts.length) };
    for (let p = 0; p < texts.length; p++) {
      let a: number = HASH_SEEDS.a;
      let b: number = HASH_SEEDS.b;
      for (let place = starts[p]!; place < starts[p + 1]!; place++) {
        a = hashStepA(a, numbers[place]!);
        b = hashStepB(b, numbers[place]!);
      }
      hashes.a[p] = a;
      hashes.b[p] = b;
    }
    const table = new TextTable(hashes);
    const groups = new Map<number, number[]>();
    for (let p = 0; p < texts.length; p++) {
      if (starts[p + 1]! - starts[p]! < 2) continue;
      const first = table.firstLike(p);
      const same = groups.get(first);
      if (same === undefined) groups.set(first, [p]);
      else same.push(p);
    }
    for (const same of groups.values()) this.addGroup(same);
  }

  private addWord(word: number, places: Uint32Array, phraseOf: Uint32Array): void {
    const { starts, words } = this.all;
    const { stops } = this.lexicon;
    let shown = -1;
    let isWhole = false;
    let documents = 0;
    this.stamp++;
    for (const place of places) {
      const phrase = phraseOf[place]!;
      const isWholeHere = starts[phrase + 1]! - starts[phrase]! === 1;
      const counted = this.countDocuments(phrase, isWholeHere ? 0 : stops[words[place]!]!);
      if (counted < 0) continue;
      documents += counted;
      const isBetter =
        isWholeHere === isWhole ? this.isShownBefore(phrase, shown < 0 ? -1 : phraseOf[shown]!) : isWholeHere;
      if (isBetter) shown = place;
      isWhole ||= isWholeHere;
    }
    this.wordDocuments[word] = documents;
    if (shown < 0 || (!isWhole && documents < MIN_WORD_DOCUMENTS)) return;
    const phrase = phraseOf[shown]!;
    this.add({ phrase, first: shown - starts[phrase]!, count: 1, documents, whole: Number(isWhole) });
  }

  /** Phrases of dead documents are none. */
  private addGroup(same: readonly number[]): void {
    const { starts } = this.all;
    this.stamp++;
    let documents = 0;
    let shown = -1;
    for (const phrase of same) {
      const counted = this.countDocuments(phrase, 0);
      if (counted < 0) continue;
      documents += counted;
      if (this.isShownBefore(phrase, shown)) shown = phrase;
    }
    if (shown < 0) return;
    this.add({ phrase: shown, first: 0, count: starts[shown + 1]! - starts[shown]!, documents, whole: 1 });
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

  /** Titles rather than headings, then the greatest text. */
  private isShownBefore(phrase: number, shown: number): boolean {
    const { isTitle, texts } = this.all;
    if (shown < 0 || phrase === shown) return shown < 0;
    return isTitle[phrase] === isTitle[shown] ? texts[phrase]! > texts[shown]! : isTitle[phrase] === 1;
  }

  private add(item: { phrase: number; first: number; count: number; documents: number; whole: number }): void {
    this.found.phrases.push(item.phrase);
    this.found.firsts.push(item.first);
    this.found.counts.push(item.count);
    this.found.documents.push(item.documents);
    this.found.whole.push(item.whole);
  }
}
