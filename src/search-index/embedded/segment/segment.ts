import type { FileHandle } from 'node:fs/promises';
import { DOCUMENT_KINDS } from '../../../core/document.ts';
import { LINK_TEXT_PREFIX, NAME_PREFIX, SECONDARY_PREFIX } from '../../../text/term-keys.ts';
import { translatedLengthCode } from '../../relevance.ts';
import { DATE_KINDS, KeywordColumnWriter, NUMBER_KINDS } from '../columns/column-writers.ts';
import { decodeFieldCounts, type FieldCounts } from '../columns/field-writer.ts';
import { type GeoColumn, readGeoColumn } from '../columns/geo.ts';
import { type KeywordColumn, readKeywordColumn } from '../columns/keyword.ts';
import { type NumberColumn, readNumberColumn } from '../columns/number.ts';
import type { CodedPositions } from '../positions/coder.ts';
import { type LongTexts, readTexts, type SharedTexts } from '../read/long-values.ts';
import { FrontCodedList } from '../term-dictionary/front-coded-list.ts';
import { TermDictionary } from '../term-dictionary/reader.ts';
import {
  absentSection,
  HEADER_BYTES,
  RESIDENCY,
  SECTION,
  type SectionData,
  type SectionEntry,
  type SegmentHeader,
  viewSection,
} from './sections.ts';
import { corrupt, decodeHead, rangeOf, readRange, readSegmentHead } from './segment-file.ts';

/** The columns of one field; numbers, dates and points only when a value of the segment parses as one. */
export type FieldColumns = {
  readonly keyword: KeywordColumn;
  readonly numbers: NumberColumn | undefined;
  readonly dates: NumberColumn | undefined;
  readonly points: GeoColumn | undefined;
  /** Documents with a value that is no number, no date; undefined = none, or no column of that kind. */
  readonly unparsedNumber: Uint32Array | undefined;
  readonly unparsedDate: Uint32Array | undefined;
};

export type PositionSections = CodedPositions & {
  readonly runStart: Uint32Array;
  readonly runs: Uint8Array;
  /** Absent in segments of before: each title is its name. */
  readonly titleNames: Uint8Array | undefined;
};

/** Fields that are the document's own and in no column of the file. */
export type OwnField = 'Id' | '_type';

/** Format since which the codes of lengths go to a million tokens. */
const COARSE_LENGTHS_FORMAT = 4;

/** Key of an extent: what is read at once after the head. Columns by field number, `-1` = positions. */
export const POSITIONS_EXTENT = -1;

/**
 * A segment in shared memory: head at once, columns and positions when their extent is attached. Immutable; one
 * instance per thread, as look-ups share scratch memory.
 */
export class Segment {
  readonly header: SegmentHeader;
  readonly uid: string;
  readonly documents: number;
  readonly dictionary: TermDictionary;
  readonly fieldCounts: ReadonlyMap<number, FieldCounts>;
  readonly termDf: Uint32Array;
  readonly termFirst: Uint32Array;
  readonly termPosting: Uint32Array;
  readonly blockFirst: Uint32Array;
  readonly blockLast: Uint32Array;
  readonly blockOffset: Uint32Array;
  readonly deltas: Uint8Array;
  readonly tfBytes: Uint8Array;
  /** `lengthCode` of each document. */
  readonly norms: Uint8Array;
  readonly languages: Uint8Array;
  readonly crawlers: Uint16Array;
  readonly kinds: Uint8Array;
  readonly rids: Uint32Array;
  /** Documents by (id, crawler id), and each document's place in that order. */
  readonly idOrder: Uint32Array;
  readonly idRank: Uint32Array;
  /** Languages that its documents are in, as bits. */
  readonly languageMask: number;
  /** Postings without positions: `[from, to)`. */
  readonly bare: { readonly from: number; readonly to: number };
  /** Whether documents have words beside their main text, texts of links that lead to them. */
  readonly hasSecondaryText: boolean;
  readonly hasLinkTexts: boolean;
  private readonly ids: FrontCodedList;
  private readonly headBytes: number;
  private readonly entries: readonly SectionEntry[];
  private readonly extents = new Map<number, SharedArrayBuffer>();
  private readonly columns = new Map<number, FieldColumns>();
  private readonly ownColumns = new Map<OwnField, KeywordColumn>();
  private readonly texts = new Map<number, { readonly shared: SharedTexts; readonly read: LongTexts }>();
  private positionSections: PositionSections | undefined;

  /** `head` = the file up to the end of residency 0. @throws AppError `index.corrupt` */
  constructor(head: SharedArrayBuffer, fileBytes: number) {
    const { engine } = RESIDENCY;
    const decoded = decodeHead(Buffer.from(head), fileBytes);
    this.header = decoded.header;
    this.headBytes = head.byteLength;
    this.entries = decoded.entries;
    this.uid = decoded.header.uid;
    this.documents = decoded.header.documents;
    const section = (kind: number, part = 0): SectionData => {
      const entry = this.entries.find((item) => item.kind === kind && item.part === part && item.residency === engine);
      const data = entry === undefined ? absentSection(this.header.format, kind) : viewSection(head, 0, entry);
      if (data === undefined) throw corrupt(`section ${kind}`);
      return data;
    };
    this.dictionary = new TermDictionary(section, this.header.entries);
    this.fieldCounts = decodeFieldCounts(section(SECTION.fieldCounts) as Uint32Array);
    this.termDf = section(SECTION.termDf) as Uint32Array;
    this.termFirst = section(SECTION.termFirst) as Uint32Array;
    this.termPosting = section(SECTION.termPosting) as Uint32Array;
    this.blockFirst = section(SECTION.blockFirst) as Uint32Array;
    this.blockLast = section(SECTION.blockLast) as Uint32Array;
    this.blockOffset = section(SECTION.blockOffset) as Uint32Array;
    this.deltas = section(SECTION.deltas) as Uint8Array;
    this.tfBytes = section(SECTION.tfBytes) as Uint8Array;
    const norms = section(SECTION.norm) as Uint8Array;
    this.norms = this.header.format < COARSE_LENGTHS_FORMAT ? norms.map(translatedLengthCode) : norms;
    this.languages = section(SECTION.language) as Uint8Array;
    this.crawlers = section(SECTION.crawler) as Uint16Array;
    this.kinds = section(SECTION.kind) as Uint8Array;
    this.rids = section(SECTION.rid) as Uint32Array;
    this.idOrder = section(SECTION.idOrder) as Uint32Array;
    const coded = { bytes: section(SECTION.idBytes) as Uint8Array, blocks: section(SECTION.idBlocks) as Uint32Array };
    this.ids = new FrontCodedList(coded, this.documents);
    this.idRank = new Uint32Array(this.documents);
    for (let rank = 0; rank < this.documents; rank++) this.idRank[this.idOrder[rank]!] = rank;
    this.languageMask = maskOf(this.languages);
    this.bare = this.postingsWithoutPositions();
    this.hasSecondaryText = this.hasTermsOf(SECONDARY_PREFIX);
    this.hasLinkTexts = this.hasTermsOf(LINK_TEXT_PREFIX);
  }

  /** Id of a document. */
  idOf(document: number): string {
    return this.ids.at(this.idRank[document]!);
  }

  /** Documents with an id: one per crawler. */
  documentsWithId(id: string): number[] {
    const documents: number[] = [];
    for (let rank = this.ids.find(id); rank >= 0 && rank < this.documents; rank++) {
      if (this.ids.at(rank) !== id) break;
      documents.push(this.idOrder[rank]!);
    }
    return documents;
  }

  /** Where an extent lies in the file; undefined when the segment has none of it. */
  extentRange(extent: number): { from: number; to: number; entries: SectionEntry[] } | undefined {
    const range =
      extent === POSITIONS_EXTENT
        ? rangeOf(this.entries, RESIDENCY.positions)
        : rangeOf(this.entries, RESIDENCY.column, extent);
    return range.entries.length === 0 ? undefined : range;
  }

  hasExtent(extent: number): boolean {
    return this.extents.has(extent);
  }

  extentBuffer(extent: number): SharedArrayBuffer | undefined {
    return this.extents.get(extent);
  }

  attach(extent: number, buffer: SharedArrayBuffer): void {
    this.extents.set(extent, buffer);
  }

  /** Lets go of an extent and of what was made from it; it can be attached again. */
  detach(extent: number): void {
    this.extents.delete(extent);
    this.columns.delete(extent);
    this.texts.delete(extent);
    if (extent === POSITIONS_EXTENT) this.positionSections = undefined;
  }

  /** Extents that are attached. */
  attached(): number[] {
    return [...this.extents.keys()];
  }

  /** Bytes of the head, its derived arrays and the attached extents. */
  residentBytes(): number {
    let bytes = this.headBytes + this.idRank.byteLength;
    for (const buffer of this.extents.values()) bytes += buffer.byteLength;
    return bytes;
  }

  /** Columns of a field, undefined when the segment has no document with it. Its extent must be attached. */
  field(field: number): FieldColumns | undefined {
    const known = this.columns.get(field);
    if (known !== undefined) return known;
    const section = this.sectionsOf(field);
    if (section === undefined) return undefined;
    const columns: FieldColumns = {
      keyword: readKeywordColumn(section, this.documents),
      numbers: readNumberColumn(section, NUMBER_KINDS, this.documents),
      dates: readNumberColumn(section, DATE_KINDS, this.documents),
      points: readGeoColumn(section),
      unparsedNumber: section(SECTION.unparsedNumber) as Uint32Array | undefined,
      unparsedDate: section(SECTION.unparsedDate) as Uint32Array | undefined,
    };
    this.columns.set(field, columns);
    return columns;
  }

  /** Column of a document's own id or kind; made on first use, O(documents). */
  ownField(field: OwnField): KeywordColumn {
    const known = this.ownColumns.get(field);
    if (known !== undefined) return known;
    const writer = new KeywordColumnWriter();
    for (let d = 0; d < this.documents; d++) {
      const value = field === 'Id' ? this.idOf(d) : DOCUMENT_KINDS[this.kinds[d]!]!;
      writer.add(d, writer.internSet([writer.internValue(value)]));
    }
    const sections = writer.sections(0, this.documents);
    const column = readKeywordColumn((kind) => sections.find((item) => item.kind === kind)?.data, this.documents);
    this.ownColumns.set(field, column);
    return column;
  }

  /** Texts of a field's long values, which the host reads from the store; they go with the field's extent. */
  attachTexts(field: number, shared: SharedTexts): void {
    this.texts.set(field, { shared, read: readTexts(shared) });
  }

  textsOf(field: number): LongTexts | undefined {
    return this.texts.get(field)?.read;
  }

  /** The same, to be handed to a thread. */
  sharedTexts(field: number): SharedTexts | undefined {
    return this.texts.get(field)?.shared;
  }

  /** Positions and runs; their extent must be attached. */
  positions(): PositionSections {
    if (this.positionSections === undefined) {
      const section = this.sectionsOf(POSITIONS_EXTENT)!;
      this.positionSections = {
        positions: section(SECTION.positions) as Uint8Array,
        positionIndex: section(SECTION.positionIndex) as Uint32Array,
        bare: this.bare,
        runStart: section(SECTION.runStart) as Uint32Array,
        runs: section(SECTION.runs) as Uint8Array,
        titleNames: section(SECTION.titleNames) as Uint8Array | undefined,
      };
    }
    return this.positionSections;
  }

  private hasTermsOf(prefix: string): boolean {
    const { from, to } = this.dictionary.rangeOf(prefix);
    return from < to;
  }

  private postingsWithoutPositions(): { from: number; to: number } {
    const ranges = [SECONDARY_PREFIX, LINK_TEXT_PREFIX, NAME_PREFIX].map((prefix) => this.dictionary.rangeOf(prefix));
    // The prefixes follow each other, and so do their terms.
    const from = Math.min(...ranges.map((range) => range.from));
    const to = Math.max(...ranges.map((range) => range.to));
    if (from === to) return { from: 0, to: 0 };
    const last = this.dictionary.termOf(to - 1);
    return {
      from: this.termPosting[this.dictionary.termOf(from)]!,
      to: this.termPosting[last]! + this.termDf[last]!,
    };
  }

  private sectionsOf(extent: number): ((kind: number, part?: number) => SectionData | undefined) | undefined {
    const range = this.extentRange(extent);
    if (range === undefined) return undefined;
    const buffer = this.extents.get(extent);
    if (buffer === undefined) throw new Error(`extent ${extent} is not attached`);
    return (kind, part = 0) => {
      const entry = range.entries.find((item) => item.kind === kind && item.part === part);
      return entry === undefined ? undefined : viewSection(buffer, range.from, entry);
    };
  }
}

function maskOf(languages: Uint8Array): number {
  let mask = 0;
  for (let d = 0; d < languages.length; d++) mask |= 1 << languages[d]!;
  return mask;
}

/** The head of an open segment file in shared memory, every section checked. @throws AppError `index.corrupt` */
export async function readHead(file: FileHandle): Promise<{ head: SharedArrayBuffer; fileBytes: number }> {
  const { entries } = await readSegmentHead(file);
  const { size } = await file.stat();
  const resident = rangeOf(entries, RESIDENCY.engine);
  const to = Math.max(resident.to, HEADER_BYTES);
  const head = await readRange(file, { from: 0, to }, resident.entries);
  return { head, fileBytes: size };
}

/** Bytes that `readHead` will hold. @throws AppError `index.corrupt` */
export async function headBytes(file: FileHandle): Promise<number> {
  const { entries } = await readSegmentHead(file);
  return Math.max(rangeOf(entries, RESIDENCY.engine).to, HEADER_BYTES);
}

/** Reads an extent and attaches it; nothing to do when the segment has none of it or holds it already. */
export async function loadExtent(segment: Segment, file: FileHandle, extent: number): Promise<void> {
  if (segment.hasExtent(extent)) return;
  const range = segment.extentRange(extent);
  if (range === undefined) return;
  const buffer = await readRange(file, range, range.entries);
  if (!segment.hasExtent(extent)) segment.attach(extent, buffer);
}

/** A segment with all that a merge reads: every column and the positions. @throws AppError `index.corrupt` */
export async function openWholeSegment(file: FileHandle): Promise<Segment> {
  const { head, fileBytes } = await readHead(file);
  const segment = new Segment(head, fileBytes);
  await loadExtent(segment, file, POSITIONS_EXTENT);
  for (const field of segment.fieldCounts.keys()) await loadExtent(segment, file, field);
  return segment;
}

/** Tokens of class C per document, which only the writer needs. @throws AppError `index.corrupt` */
export async function readBodyLengths(file: FileHandle): Promise<Uint8Array | Uint16Array | Uint32Array> {
  const { entries } = await readSegmentHead(file);
  const range = rangeOf(entries, RESIDENCY.file);
  const entry = range.entries.find(({ kind }) => kind === SECTION.bodyLength);
  if (entry === undefined) throw corrupt('section bodyLength');
  const buffer = await readRange(file, range, range.entries);
  return viewSection(buffer, range.from, entry) as Uint8Array | Uint16Array | Uint32Array;
}
