import { DOCUMENT_KINDS, type StoredDocument } from '../../../core/document.ts';
import { EMPTY_VOCABULARY, type Vocabulary } from '../../../text/compounds.ts';
import { titleName } from '../../../text/title-name.ts';
import { hashWord, type TokenSink, tokenize } from '../../../text/tokenizer.ts';
import { lengthCode, textClassOfValue } from '../../relevance.ts';
import { FieldColumnsWriter } from '../columns/field-writer.ts';
import { IdentityWriter } from '../columns/identity.ts';
import { CLASS_NUMBERS, type FieldNumbers } from '../field-numbers.ts';
import { RUN_GAP, RunsWriter } from '../positions/runs.ts';
import { POSITION_CLASS_SHIFT } from '../postings/writer.ts';
import type { SegmentParts } from './assembly.ts';
import { builtDictionary } from './built-dictionary.ts';
import { nameGroups } from './name-groups.ts';
import { GROUP_TAG, TokenGroups, tagOfLanguage } from './token-groups.ts';
import { writePostings } from './write-postings.ts';

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
  /** Tag of the words of the present run. */
  private runTag = 0;
  private runStart = 0;
  private bigramPositions = 0;

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
    this.addSecondaryText(document.structure?.surroundings ?? '');
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
      norm: lengthCode(bodyLength),
      bodyLength,
    });
    this.minSeq = Math.min(this.minSeq, document.seq);
    this.maxSeq = Math.max(this.maxSeq, document.seq);
  }

  token(units: Uint16Array, length: number, position: number, hash: number): void {
    const at = this.runStart + position;
    if (at > MAX_POSITIONS) return;
    this.groups.add(units, length, hash, this.runTag, ((this.runClass << POSITION_CLASS_SHIFT) | at) >>> 0);
  }

  bigram(units: Uint16Array, length: number, position: number): void {
    if ((this.runTag & GROUP_TAG.surroundings) !== 0) return;
    this.bigramPositions = position + 1;
    const at = this.runStart + position;
    if (at > MAX_POSITIONS) return;
    const index = ((this.runClass << POSITION_CLASS_SHIFT) | at) >>> 0;
    this.groups.add(units, length, hashWord(units, length), this.runTag | GROUP_TAG.bigram, index);
  }

  /** The finished segment, its compounds split by a vocabulary; the builder is used up. */
  seal(vocabulary: Vocabulary = EMPTY_VOCABULARY): SegmentParts {
    const { groups, identity, fieldNumbers } = this;
    const named = nameGroups(groups, (language) => fieldNumbers.languageCode(language), vocabulary);
    return {
      identity,
      postings: writePostings(groups, named, identity.norms.view()),
      ...builtDictionary(groups, named),
      runs: this.runs,
      columns: this.columns,
      crawlerIds: fieldNumbers.crawlerIds(),
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
        this.runTag = this.documentTag | (textClass === CLASS_NUMBERS.none ? GROUP_TAG.hidden : 0);
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

  /** Words beside the main text: they have a weight of their own, no place, and are no part of any length. */
  private addSecondaryText(text: string): void {
    if (text === '') return;
    this.runClass = CLASS_NUMBERS.c;
    this.runTag = this.documentTag | GROUP_TAG.surroundings;
    this.runStart = 0;
    tokenize(text, this);
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
