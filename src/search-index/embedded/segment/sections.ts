/** Layout of a segment file (search-engine design 7.2): header of 128 bytes, directory, sections at multiples of 64. */
export const SEGMENT_MAGIC = 'FOSSKSEG';
export const HEADER_BYTES = 128;
export const ENTRY_BYTES = 32;
export const ALIGNMENT = 64;

/** Section kinds; the numbers are stored. */
export const SECTION = {
  entryBytes: 10,
  entryBlocks: 11,
  entryTerm: 12,
  entryFlags: 13,
  entryTermLists: 14,
  termDf: 15,
  termFirst: 16,
  termPosting: 17,
  termMax: 18,
  blockFirst: 20,
  blockLast: 21,
  blockOffset: 22,
  blockMax: 23,
  deltas: 24,
  tfBytes: 25,
  positions: 30,
  positionIndex: 31,
  runStart: 32,
  runs: 33,
  /** Two bytes per document, `[from, to)`: positions of its title's name; 0, 0 = the whole title. */
  titleNames: 34,
  norm: 40,
  language: 42,
  crawler: 43,
  /** Tokens of class C per document; only the writer reads it, to keep the average length exact. */
  bodyLength: 44,
  kind: 45,
  rid: 50,
  idBytes: 51,
  idBlocks: 52,
  idOrder: 53,
  /** Document lists of surface words that do not have those of their one term: see `term-dictionary/surface-lists.ts`. */
  surfaceDf: 60,
  surfaceDeltas: 61,
  /** Documents that have a surface word in class A. */
  titleDeltas: 63,
  /** Most frequent written forms of surface words, where they differ from the folded one. */
  displayBytes: 65,
  values: 70,
  valueBlocks: 71,
  setStart: 72,
  setValues: 73,
  set: 74,
  sparseDocs: 75,
  numberMin: 80,
  numberMax: 81,
  numberExceptions: 82,
  numberOrder: 83,
  dateMin: 84,
  dateMax: 85,
  dateExceptions: 86,
  dateOrder: 87,
  unparsedNumber: 88,
  unparsedDate: 89,
  latitude: 90,
  longitude: 91,
  geoExceptions: 92,
  latitudeOrder: 93,
  /** Rows of counts per field of the segment: see `columns/field-counts.ts`. */
  fieldCounts: 94,
} as const;

/** When a section is read: with the engine, on first use of its field, with the first phrase, by offset only. */
export const RESIDENCY = { engine: 0, column: 1, positions: 2, file: 3 } as const;
export type Residency = (typeof RESIDENCY)[keyof typeof RESIDENCY];

export type SectionData = Uint8Array | Uint16Array | Uint32Array | Float64Array;

export type Section = {
  readonly kind: number;
  /** Field number of a column, else 0. */
  readonly subject: number;
  /** Separates the arrays of one structure: 0 main, 1 starts, 2 documents, 3 values. */
  readonly part: number;
  readonly residency: Residency;
  readonly data: SectionData;
};

export type SectionEntry = Omit<Section, 'data'> & {
  readonly element: number;
  readonly offset: number;
  readonly bytes: number;
  readonly crc: number;
};

export type SegmentHeader = {
  readonly format: number;
  /** 16 hexadecimal digits, random. */
  readonly uid: string;
  readonly documents: number;
  readonly terms: number;
  readonly entries: number;
  readonly blocks: number;
  readonly postings: number;
  readonly bodyTokens: number;
  readonly minSeq: number;
  readonly maxSeq: number;
  readonly analysis: number;
  /** Number of the vocabulary that its compounds were split by, 0 = none. */
  readonly vocabulary: number;
};

/** Sections are ordered so that what is read together lies together. */
export function compareSections(a: Section, b: Section): number {
  return a.residency - b.residency || a.subject - b.subject || a.kind - b.kind || a.part - b.part;
}

const SURFACE_KINDS: readonly number[] = [
  SECTION.surfaceDf,
  SECTION.surfaceDeltas,
  SECTION.titleDeltas,
  SECTION.displayBytes,
];

/**
 * What stands for a section that the format of a segment did not have; undefined = it has it. Without lists a surface
 * word has the documents of its first term, none in titles and no written form of its own.
 */
export function absentSection(format: number, kind: number): Uint32Array | undefined {
  return format === 1 && SURFACE_KINDS.includes(kind) ? new Uint32Array(0) : undefined;
}

/** Typed view of a section inside a buffer that starts at file offset `base`. */
export function viewSection(buffer: SharedArrayBuffer, base: number, entry: SectionEntry): SectionData {
  const at = entry.offset - base;
  switch (entry.element) {
    case 1:
      return new Uint8Array(buffer, at, entry.bytes);
    case 2:
      return new Uint16Array(buffer, at, entry.bytes / 2);
    case 4:
      return new Uint32Array(buffer, at, entry.bytes / 4);
    default:
      return new Float64Array(buffer, at, entry.bytes / 8);
  }
}
