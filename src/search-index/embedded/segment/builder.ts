import { DOCUMENT_KINDS, type StoredDocument, textBehindContent } from '../../../core/document.ts';
import { linkCount } from '../../../core/link-texts.ts';
import type { Vocabulary } from '../../../text/compounds.ts';
import { MAX_NAME_UNITS } from '../../../text/term-keys.ts';
import { titleName } from '../../../text/title-name.ts';
import { hashWord, type TokenSink, tokenize } from '../../../text/tokenizer.ts';
import { namesOf } from '../../document-names.ts';
import { judgedLength, lengthCode, textClassOfValue, tfByte } from '../../relevance.ts';
import { FieldColumnsWriter } from '../columns/field-writer.ts';
import { IdentityWriter } from '../columns/identity.ts';
import { CLASS_NUMBERS, type FieldNumbers } from '../field-numbers.ts';
import { codePositions } from '../positions/coder.ts';
import { RUN_GAP, RunsWriter } from '../positions/runs.ts';
import { POSITION_CLASS_SHIFT, POSITION_MASK, PostingsWriter } from '../postings/blocks.ts';
import type { NewWords } from '../vocabulary-words.ts';
import type { SegmentParts } from './assembly.ts';
import { builtDictionary, GROUP_KIND, isBareKind, TokenGroups, tagOfLanguage } from './built-dictionary.ts';
import { type NamedGroups, nameGroups } from './name-groups.ts';

/** Positions of a class that are indexed; what follows is stored only. */
const MAX_POSITIONS = 1_048_575;

/**
 * Turns documents into a segment. Keeps of a text only (group, place) pairs of 8 bytes a token; words are stemmed once
 * per language when the segment is sealed.
 */
export class SegmentBuilder implements TokenSink {
  private readonly fieldNumbers: FieldNumbers;
  private readonly groups = new TokenGroups();
  private readonly identity = new IdentityWriter();
  private readonly runs = new RunsWriter();
  private readonly columns = new Map<number, FieldColumnsWriter>();
  private minSeq = Number.MAX_SAFE_INTEGER;
  private maxSeq = 0;
  private documentTag = 0;
  private runClass = 0;
  /** What the words of the present run are. */
  private runKind: number = GROUP_KIND.word;
  private runStart = 0;
  private bigramPositions = 0;
  private readonly nameUnits = new Uint16Array(MAX_NAME_UNITS);

  constructor(fieldNumbers: FieldNumbers) {
    this.fieldNumbers = fieldNumbers;
  }

  get documents(): number {
    return this.identity.count;
  }

  get tokens(): number {
    return this.groups.count;
  }

  add(document: StoredDocument): void {
    const number = this.identity.count;
    this.runs.beginDocument();
    const language = this.fieldNumbers.language(document.language);
    this.documentTag = tagOfLanguage(language);
    const bodyLength = this.addTexts(document);
    this.addBareText(document.structure?.surroundings ?? '', GROUP_KIND.secondaryWord, CLASS_NUMBERS.c);
    for (const { text, pages } of document.linkTexts ?? []) {
      for (let time = 0; time < linkCount(pages); time++) {
        this.addBareText(text, GROUP_KIND.linkTextWord, CLASS_NUMBERS.b);
      }
    }
    this.addNames(document);
    this.groups.endDocument();
    for (const [name, values] of document.fields) {
      const field = values.length === 0 ? undefined : this.fieldNumbers.field(name);
      if (field !== undefined) this.columnsOf(field).add(number, values);
    }
    this.identity.add({
      rid: document.rid,
      id: document.id,
      crawler: this.fieldNumbers.crawler(document.crawlerId),
      language,
      kind: DOCUMENT_KINDS.indexOf(document.kind),
      norm: lengthCode(judgedLength(bodyLength, document.structure?.pageKind)),
      bodyLength,
    });
    this.minSeq = Math.min(this.minSeq, document.seq);
    this.maxSeq = Math.max(this.maxSeq, document.seq);
  }

  token(units: Uint16Array, length: number, position: number, hash: number): void {
    const at = this.runStart + position;
    if (at > MAX_POSITIONS) return;
    const tag = this.documentTag | this.runKind;
    this.groups.add(units, length, hash, tag, ((this.runClass << POSITION_CLASS_SHIFT) | at) >>> 0);
  }

  bigram(units: Uint16Array, length: number, position: number): void {
    if (isBareKind(this.runKind)) return;
    this.bigramPositions = position + 1;
    const at = this.runStart + position;
    if (at > MAX_POSITIONS) return;
    const index = ((this.runClass << POSITION_CLASS_SHIFT) | at) >>> 0;
    const tag = this.documentTag | this.runKind | GROUP_KIND.bigram;
    this.groups.add(units, length, hashWord(units, length), tag, index);
  }

  /** The finished segment, its compounds split by the vocabulary that its words ask for; the builder is used up. */
  seal(chooseVocabulary: (added: NewWords) => Vocabulary): SegmentParts {
    const { groups, identity, fieldNumbers } = this;
    const codeOf = (language: number) => fieldNumbers.languageCode(language);
    const documents = identity.documentsByLanguage(codeOf);
    const named = nameGroups(groups, codeOf, (count) => chooseVocabulary({ documents, count }));
    return {
      identity,
      postings: writePostings(groups, named, identity.norms.view()),
      ...builtDictionary(groups, named),
      runs: this.runs,
      columns: this.columns,
      crawlerIds: fieldNumbers.crawlerIds(),
      vocabulary: named.vocabulary,
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
        this.runKind = textClass === CLASS_NUMBERS.none ? GROUP_KIND.hiddenWord : GROUP_KIND.word;
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

  /** Words that have a weight of their own, no place, and are no part of any length. */
  private addBareText(text: string, kind: number, textClass: number): void {
    if (text === '') return;
    this.runClass = textClass;
    this.runKind = kind;
    this.runStart = 0;
    tokenize(text, this);
  }

  private addNames(document: StoredDocument): void {
    const tag = this.documentTag | GROUP_KIND.name;
    for (const { term, textClass } of namesOf(document)) {
      // Without the prefix, which the kind stands for.
      const length = term.length - 1;
      for (let i = 0; i < length; i++) this.nameUnits[i] = term.charCodeAt(i + 1);
      const index = (CLASS_NUMBERS[textClass] << POSITION_CLASS_SHIFT) >>> 0;
      this.groups.add(this.nameUnits, length, hashWord(this.nameUnits, length), tag, index);
    }
  }

  private nameTitle(title: string): void {
    const name = titleName(title);
    if (name !== undefined) this.runs.nameTitle(name);
  }

  private valuesByClass(document: StoredDocument): { field: number; textClass: number; value: string }[] {
    const found: { field: number; textClass: number; value: string }[] = [];
    for (const [name, values] of document.fields) {
      const field = values.length === 0 ? undefined : this.fieldNumbers.field(name);
      if (field === undefined) continue;
      for (const value of values) found.push({ field, textClass: CLASS_NUMBERS[textClassOfValue(name, value)], value });
    }
    const behind = textBehindContent(document);
    const field = behind === '' ? undefined : this.fieldNumbers.field('Content');
    if (field !== undefined) found.push({ field, textClass: CLASS_NUMBERS.c, value: behind });
    return found.sort((a, b) => a.textClass - b.textClass);
  }

  private columnsOf(field: number): FieldColumnsWriter {
    let columns = this.columns.get(field);
    if (columns === undefined) {
      columns = new FieldColumnsWriter(this.fieldNumbers.classOf(field) !== CLASS_NUMBERS.c);
      this.columns.set(field, columns);
    }
    return columns;
  }
}

/** Tokens of all terms: (document, place) pairs, where each term's begin, and where the last end. */
type TermTokens = { readonly pairs: Uint32Array; readonly starts: Uint32Array };

/** The postings of all terms of a new segment. O(tokens + terms); one random write a token. */
function writePostings(groups: TokenGroups, named: NamedGroups, norms: Uint8Array): PostingsWriter {
  const { pairs, starts } = sortTokens(groups, named);
  const coder = new PostingCoder(new PostingsWriter(norms));
  const { from, to } = named.bareTerms;
  for (let term = 0; term < named.termCount; term++) {
    if (term >= from && term < to) coder.writeBare(pairs, starts[term]!, starts[term + 1]!);
    else coder.write(pairs, starts[term]!, starts[term + 1]!);
  }
  return coder.postings;
}

/** Counting sort of the tokens by term; each term's stay in document order. */
function sortTokens(groups: TokenGroups, named: NamedGroups): TermTokens {
  const { termOfGroup, partsOfGroup } = named;
  const starts = countTokens(groups, named);
  const next = starts.slice();
  const pairs = new Uint32Array(starts[named.termCount]!);
  const put = (term: number, document: number, index: number): void => {
    const at = next[term]!;
    pairs[at] = document;
    pairs[at + 1] = index;
    next[term] = at + 2;
  };
  for (const { document, tokens, from, to } of groups.pieces()) {
    for (let i = from; i < to; i += 2) put(termOfGroup[tokens[i]!]!, document, tokens[i + 1]!);
  }
  if (partsOfGroup === undefined) return { pairs, starts };
  // No term has tokens of both kinds.
  for (const { document, tokens, from, to } of groups.pieces()) {
    for (let i = from; i < to; i += 2) {
      for (const term of partsOfGroup.get(tokens[i]!) ?? NO_PARTS) put(term, document, tokens[i + 1]!);
    }
  }
  return { pairs, starts };
}

const NO_PARTS = new Uint32Array(0);

/** Where the pairs of each term begin in an array of numbers. */
function countTokens({ sizes }: TokenGroups, { termOfGroup, termCount, partsOfGroup }: NamedGroups): Uint32Array {
  const starts = new Uint32Array(termCount + 1);
  for (let group = 0; group < termOfGroup.length; group++) starts[termOfGroup[group]! + 1]! += sizes.array[group]! * 2;
  for (const [group, terms] of partsOfGroup ?? []) {
    for (const term of terms) starts[term + 1]! += sizes.array[group]! * 2;
  }
  for (let term = 0; term < termCount; term++) starts[term + 1]! += starts[term]!;
  return starts;
}

/** Writes the postings of terms from their tokens. */
class PostingCoder {
  readonly postings: PostingsWriter;
  private readonly counts = { a: 0, b: 0, c: 0 };
  private places = new Uint32Array(1 << 10);

  constructor(postings: PostingsWriter) {
    this.postings = postings;
  }

  /** One term: its pairs are `pairs[from..to)`. */
  write(pairs: Uint32Array, from: number, to: number): void {
    const { postings } = this;
    postings.beginTerm();
    for (let at = from; at < to; ) {
      const document = pairs[at]!;
      const first = pairs[at + 1]!;
      at += 2;
      if (at === to || pairs[at] !== document) {
        const out = postings.beginPosting();
        out.varint(first & POSITION_MASK);
        postings.endPosting(document, SINGLE_TF[first >>> POSITION_CLASS_SHIFT]!);
      } else {
        at = this.writeSeveral(pairs, at - 2, to);
      }
    }
    postings.endTerm();
  }

  /** One term without positions: its counts by class. */
  writeBare(pairs: Uint32Array, from: number, to: number): void {
    const { postings } = this;
    postings.beginTerm();
    for (let at = from; at < to; ) {
      const start = at;
      const counts = [0, 0, 0];
      for (; at < to && pairs[at] === pairs[start]; at += 2) counts[pairs[at + 1]! >>> POSITION_CLASS_SHIFT]!++;
      postings.beginPosting();
      postings.endPosting(pairs[start]!, tfByte(counts[0]!, counts[1]!, counts[2]!));
    }
    postings.endTerm();
  }

  /** A posting of two places or more; returns where the next begins. */
  private writeSeveral(pairs: Uint32Array, from: number, to: number): number {
    const document = pairs[from]!;
    let count = 0;
    let at = from;
    for (; at < to && pairs[at] === document; at += 2) {
      if (count === this.places.length) this.grow();
      insertPlace(this.places, count++, pairs[at + 1]!);
    }
    const out = this.postings.beginPosting();
    this.postings.endPosting(document, codePositions(this.places, 0, count, this.counts, out));
    return at;
  }

  private grow(): void {
    const larger = new Uint32Array(this.places.length * 2);
    larger.set(this.places);
    this.places = larger;
  }
}

/** The tf byte of one place, by its class. */
const SINGLE_TF = [tfByte(1, 0, 0), tfByte(0, 1, 0), tfByte(0, 0, 1), tfByte(0, 0, 1)];

/** Places of one document ascend but where a joined form shares the stem of one of its parts. */
function insertPlace(indexes: Uint32Array, count: number, index: number): void {
  let at = count;
  for (; at > 0 && indexes[at - 1]! > index; at--) indexes[at] = indexes[at - 1]!;
  indexes[at] = index;
}
