import { DOCUMENT_KINDS, type StoredDocument } from '../../../core/document.ts';
import { EMPTY_VOCABULARY, type Vocabulary } from '../../../text/compounds.ts';
import { foldWord } from '../../../text/folding.ts';
import { stemWord } from '../../../text/stemming.ts';
import { bigramTerm } from '../../../text/term-keys.ts';
import { titleName } from '../../../text/title-name.ts';
import { type TokenSink, tokenize } from '../../../text/tokenizer.ts';
import { lengthCode, textClassOfValue } from '../../relevance.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { FieldColumnsWriter } from '../columns/field-writer.ts';
import { IdentityWriter } from '../columns/identity.ts';
import { CLASS_NUMBERS, type Numbering } from '../numbering.ts';
import { codePositions } from '../positions/coder.ts';
import { RUN_GAP, RunsWriter } from '../positions/runs.ts';
import { PLACE_CLASS_SHIFT, PostingsWriter } from '../postings/writer.ts';
import { type Surfaces, SurfaceTable } from '../term-dictionary/surfaces.ts';
import type { SegmentParts } from './assembly.ts';
import { collectSurfaces } from './collect-surfaces.ts';
import { ExtraTokens } from './extra-tokens.ts';
import { PartNaming } from './part-naming.ts';
import { WordTable } from './word-table.ts';

/** Key prefix of terms from fields that plain words do not search. */
export const HIDDEN_PREFIX = '\u0004';

/** Positions of a class that are indexed; what follows is stored only. */
const MAX_POSITIONS = 1_048_575;

/**
 * Turns documents into a segment. Keeps of a text only (word, place) pairs of 8 bytes a token; words are stemmed once
 * per language when the segment is sealed.
 */
export class SegmentBuilder implements TokenSink {
  private readonly numbering: Numbering;
  private readonly words = new WordTable();
  private readonly tokenWords = new GrowableU32();
  private readonly tokenPlaces = new GrowableU32();
  private readonly documentEnds = new GrowableU32();
  private readonly extras = new ExtraTokens();
  private readonly identity = new IdentityWriter();
  private readonly runs = new RunsWriter();
  private readonly columns = new Map<number, FieldColumnsWriter>();
  private minSeq = Number.MAX_SAFE_INTEGER;
  private maxSeq = 0;
  private runClass = 0;
  private runStart = 0;
  private bigramPositions = 0;

  constructor(numbering: Numbering) {
    this.numbering = numbering;
  }

  get documents(): number {
    return this.identity.count;
  }

  get tokens(): number {
    return this.tokenWords.length + this.extras.count;
  }

  add(document: StoredDocument): void {
    const number = this.identity.count;
    this.runs.beginDocument();
    const bodyLength = this.addTexts(document);
    this.documentEnds.push(this.tokenWords.length);
    for (const [name, values] of document.fields) {
      const field = values.length === 0 ? undefined : this.numbering.field(name);
      if (field !== undefined) this.columnsOf(field).add(number, values);
    }
    this.identity.add({
      rid: document.rid,
      id: document.id,
      crawler: this.numbering.crawler(document.crawlerId),
      language: this.numbering.language(document.language),
      kind: DOCUMENT_KINDS.indexOf(document.kind),
      norm: lengthCode(bodyLength),
      bodyLength,
    });
    this.minSeq = Math.min(this.minSeq, document.seq);
    this.maxSeq = Math.max(this.maxSeq, document.seq);
  }

  token(units: Uint16Array, length: number, position: number, hash: number): void {
    const at = this.runStart + position;
    if (at > MAX_POSITIONS) return;
    this.tokenWords.push(this.words.intern(units, length, hash));
    this.tokenPlaces.push(((this.runClass << PLACE_CLASS_SHIFT) | at) >>> 0);
  }

  bigram(units: Uint16Array, length: number, position: number): void {
    this.bigramPositions = position + 1;
    const at = this.runStart + position;
    if (at > MAX_POSITIONS) return;
    const term = bigramTerm(String.fromCharCode(...units.subarray(0, length)));
    const key = this.runClass === CLASS_NUMBERS.none ? HIDDEN_PREFIX + term : term;
    this.extras.add(key, this.identity.count, ((this.runClass << PLACE_CLASS_SHIFT) | at) >>> 0);
  }

  /** The finished segment, its compounds split by a vocabulary; the builder is used up. */
  seal(vocabulary: Vocabulary = EMPTY_VOCABULARY): SegmentParts {
    const { terms, surfaces, tokenTerms, extraTerms } = this.nameTerms(vocabulary);
    const postings = new PostingsWriter(this.identity.norms.view());
    this.writePostings({ tokenTerms, extraTerms, termCount: terms.length }, postings);
    return {
      identity: this.identity,
      postings,
      terms,
      surfaces,
      runs: this.runs,
      columns: this.columns,
      crawlerIds: this.numbering.crawlerIds(),
      vocabulary: vocabulary.number,
      minSeq: this.minSeq,
      maxSeq: this.maxSeq,
    };
  }

  /** Tokenizes the values class by class, so that places ascend. Returns the length of class C in positions. */
  private addTexts(document: StoredDocument): number {
    let bodyLength = 0;
    let lastStart = 0;
    this.runClass = -1;
    for (const { field, textClass, value } of this.valuesByClass(document)) {
      if (textClass !== this.runClass) {
        this.runClass = textClass;
        this.runStart = 0;
        lastStart = 0;
      }
      this.bigramPositions = 0;
      const words = this.runStart > MAX_POSITIONS ? 0 : tokenize(value, this);
      if (textClass === CLASS_NUMBERS.c) bodyLength += words;
      if (words === 0) continue;
      // Bigrams have positions of their own, which must not reach into the next run either.
      const length = Math.max(words, this.bigramPositions);
      this.runs.run({ field, textClass }, this.runStart - lastStart, length);
      if (textClass === CLASS_NUMBERS.a && this.runStart === 0) this.nameTitle(value);
      lastStart = this.runStart;
      this.runStart += length + RUN_GAP;
    }
    return bodyLength;
  }

  private nameTitle(title: string): void {
    const name = titleName(title);
    if (name !== undefined) this.runs.nameTitle(name);
  }

  private valuesByClass(document: StoredDocument): { field: number; textClass: number; value: string }[] {
    const found: { field: number; textClass: number; value: string }[] = [];
    for (const [name, values] of document.fields) {
      const field = values.length === 0 ? undefined : this.numbering.field(name);
      if (field === undefined) continue;
      for (const value of values) found.push({ field, textClass: CLASS_NUMBERS[textClassOfValue(name, value)], value });
    }
    return found.sort((a, b) => a.textClass - b.textClass);
  }

  private columnsOf(field: number): FieldColumnsWriter {
    let columns = this.columns.get(field);
    if (columns === undefined) {
      columns = new FieldColumnsWriter(this.numbering.classOf(field) !== CLASS_NUMBERS.c);
      this.columns.set(field, columns);
    }
    return columns;
  }

  /** Stems the distinct words per language and gives every token its term. O(tokens + terms · log terms). */
  private nameTerms(vocabulary: Vocabulary) {
    const naming = new TermNaming(this.words, (language) => this.numbering.languageCode(language));
    const tokenTerms = new Uint32Array(this.tokenWords.length);
    const words = this.tokenWords.array;
    const places = this.tokenPlaces.array;
    let token = 0;
    for (let document = 0; document < this.identity.count; document++) {
      const language = this.identity.languageOf(document);
      const end = this.documentEnds.array[document]!;
      for (; token < end; token++) {
        const hidden = places[token]! >>> PLACE_CLASS_SHIFT === CLASS_NUMBERS.none;
        tokenTerms[token] = naming.termOf(words[token]!, language, hidden);
      }
    }
    this.addParts(tokenTerms, [...naming.keys.keys()], vocabulary);
    const terms = sortByCodePoint([...naming.keys.keys(), ...this.extras.numbers.keys()]);
    const rank = new Uint32Array(naming.keys.size);
    const extraRank = new Uint32Array(this.extras.numbers.size);
    for (const [number, key] of terms.entries()) {
      const word = naming.keys.get(key);
      if (word !== undefined) rank[word] = number;
      else extraRank[this.extras.numbers.get(key)!] = number;
    }
    for (let i = 0; i < token; i++) tokenTerms[i] = rank[tokenTerms[i]!]!;
    const extraTerms = this.extras.terms.view().map((term) => extraRank[term]!);
    return { terms, surfaces: this.surfacesOf(naming, rank, terms.length), tokenTerms, extraTerms };
  }

  private surfacesOf(naming: TermNaming, rank: Uint32Array, termCount: number): Surfaces {
    const table = new SurfaceTable();
    const surfaceOfWord = naming.addSurfaces(table, rank);
    return collectSurfaces({
      ...{ table, surfaceOfWord, words: this.words, owns: table.owns(termCount) },
      tokenWords: this.tokenWords.view(),
      tokenPlaces: this.tokenPlaces.view(),
      documentEnds: this.documentEnds.view(),
    });
  }

  /** Adds the parts of compounds at the places of the compounds; `keys` = the term keys by number. */
  private addParts(tokenTerms: Uint32Array, keys: readonly string[], vocabulary: Vocabulary): void {
    const parts = new PartNaming(vocabulary);
    for (let document = 0, token = 0; document < this.identity.count; document++) {
      const end = this.documentEnds.array[document]!;
      const language = this.numbering.languageCode(this.identity.languageOf(document));
      if (!parts.splits(language)) {
        token = end;
        continue;
      }
      for (; token < end; token++) {
        const place = this.tokenPlaces.array[token]!;
        if (place >>> PLACE_CLASS_SHIFT === CLASS_NUMBERS.none) continue;
        for (const key of parts.keysOf(keys[tokenTerms[token]!]!, language)) this.extras.add(key, document, place);
      }
    }
  }

  /** Counting sort of the tokens by term; each term's tokens stay in document order. O(tokens + terms). */
  private writePostings(
    { tokenTerms, extraTerms, termCount }: { tokenTerms: Uint32Array; extraTerms: Uint32Array; termCount: number },
    postings: PostingsWriter,
  ): void {
    const tokenCount = tokenTerms.length;
    const extraCount = extraTerms.length;
    const start = new Uint32Array(termCount + 1);
    for (let i = 0; i < tokenCount; i++) start[tokenTerms[i]! + 1]!++;
    for (let i = 0; i < extraCount; i++) start[extraTerms[i]! + 1]!++;
    for (let i = 0; i < termCount; i++) start[i + 1] = start[i + 1]! + start[i]!;
    const next = start.slice(0, termCount);
    const documents = new Uint32Array(tokenCount + extraCount);
    const places = new Uint32Array(tokenCount + extraCount);
    for (let document = 0, i = 0; document < this.identity.count; document++) {
      for (const end = this.documentEnds.array[document]!; i < end; i++) {
        const at = next[tokenTerms[i]!]!++;
        documents[at] = document;
        places[at] = this.tokenPlaces.array[i]!;
      }
    }
    // No term has tokens of both kinds, and these come in document order too.
    for (let i = 0; i < extraCount; i++) {
      const at = next[extraTerms[i]!]!++;
      documents[at] = this.extras.documents.array[i]!;
      places[at] = this.extras.places.array[i]!;
    }
    const counts = { a: 0, b: 0, c: 0 };
    const coded = new GrowableU8();
    for (let term = 0; term < termCount; term++) {
      postings.beginTerm();
      const end = start[term + 1]!;
      let i = start[term]!;
      while (i < end) {
        const from = i;
        const document = documents[i]!;
        while (i < end && documents[i] === document) i++;
        sortPlaces(places, from, i);
        coded.length = 0;
        const tf = codePositions(places, from, i, counts, coded);
        postings.add(document, tf, coded.array, 0, coded.length);
      }
      postings.endTerm();
    }
  }
}

/** Term keys by (language, word, hidden), each made once. */
class TermNaming {
  /** Key → temporary number. */
  readonly keys = new Map<string, number>();
  private readonly words: WordTable;
  private readonly codeOf: (language: number) => string;
  private readonly plain: Int32Array[] = [];
  private readonly hidden: Int32Array[] = [];

  constructor(words: WordTable, codeOf: (language: number) => string) {
    this.words = words;
    this.codeOf = codeOf;
  }

  termOf(word: number, language: number, isHidden: boolean): number {
    const byLanguage = isHidden ? this.hidden : this.plain;
    byLanguage[language] ??= new Int32Array(this.words.count).fill(-1);
    const numbers = byLanguage[language];
    const known = numbers[word]!;
    if (known >= 0) return known;
    const stem = stemWord(this.words.text(word), this.codeOf(language));
    const key = isHidden ? HIDDEN_PREFIX + stem : stem;
    let number = this.keys.get(key);
    if (number === undefined) {
      number = this.keys.size;
      this.keys.set(key, number);
    }
    numbers[word] = number;
    return number;
  }

  /**
   * Gives the words of searched text to their folded surfaces, with their (term, language mask) pairs. `rank` = final
   * number by temporary number. Returns the surface of each word, -1 = not in searched text.
   */
  addSurfaces(table: SurfaceTable, rank: Uint32Array): Int32Array {
    const surfaceOfWord = new Int32Array(this.words.count).fill(-1);
    for (let word = 0; word < this.words.count; word++) {
      for (const [language, numbers] of this.plain.entries()) {
        const number = numbers?.[word] ?? -1;
        if (number < 0) continue;
        if (surfaceOfWord[word]! < 0) surfaceOfWord[word] = table.numberOf(foldWord(this.words.text(word)));
        table.addTerm(surfaceOfWord[word]!, rank[number]!, 1 << language);
      }
    }
    return surfaceOfWord;
  }
}

/** Insertion sort: places of one document ascend but where a joined form shares the stem of one of its parts. */
function sortPlaces(places: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const place = places[i]!;
    let j = i;
    for (; j > from && places[j - 1]! > place; j--) places[j] = places[j - 1]!;
    places[j] = place;
  }
}
