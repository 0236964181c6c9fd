import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Vocabulary } from '../../../text/compounds.ts';
import { isWordTerm } from '../../../text/term-keys.ts';
import { hasBit } from '../bytes/bitset.ts';
import { GrowableU8 } from '../bytes/growable.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import type { NumberColumnWriter } from '../columns/column-writers.ts';
import { FieldColumnsWriter } from '../columns/field-writer.ts';
import { pointsOf } from '../columns/geo.ts';
import { IdentityWriter } from '../columns/identity.ts';
import type { KeywordColumn } from '../columns/keyword.ts';
import { type NumberColumn, numbersOf } from '../columns/number.ts';
import { codePositions, PositionReader } from '../positions/coder.ts';
import { RunsWriter } from '../positions/runs.ts';
import { decodeTerm, POSITION_CLASS_SHIFT, PostingsWriter } from '../postings/blocks.ts';
import { type WrittenSegment, writeSegment } from '../segment/assembly.ts';
import { PartNaming } from '../segment/name-groups.ts';
import { type FieldColumns, openWholeSegment, readBodyLengths, type Segment } from '../segment/segment.ts';
import { ownsLists } from '../term-dictionary/surfaces.ts';
import { readWords } from '../words-file.ts';
import { MergedDictionary, mergeEntries, mergePostings } from './merged-dictionary.ts';

export type MergeInput = {
  /** Sources in order; `live` undefined = every document. */
  readonly sources: readonly { readonly path: string; readonly live: Uint32Array | undefined }[];
  readonly output: string;
  /** Splits the compounds of the result; null = none is known. Its file is beside the output. */
  readonly vocabulary: number | null;
  /** Language codes by number. */
  readonly languages: readonly string[];
  /** Crawler ids by number; fields whose long values keep no prefix. */
  readonly crawlerIds: readonly number[];
  readonly bodyFields: readonly number[];
};

/** An open source of a merge with the new number of each of its documents, -1 = dead. */
export type MergeSource = { readonly segment: Segment; readonly documentMap: Int32Array };

/**
 * Writes one segment with the live documents of the sources, in their order. Reads files only, so it runs on any
 * thread. @throws AppError `index.corrupt`
 */
export async function mergeSegments(input: MergeInput): Promise<WrittenSegment> {
  const files: FileHandle[] = [];
  try {
    const sources: MergeSource[] = [];
    const identity = new IdentityWriter();
    const runs = new RunsWriter();
    for (const { path, live } of input.sources) {
      const file = await open(path, 'r');
      files.push(file);
      const segment = await openWholeSegment(file);
      const documentMap = numberLive(segment.documents, live, identity.count);
      copyDocuments(segment, await readBodyLengths(file), documentMap, { identity, runs });
      sources.push({ segment, documentMap });
    }
    const vocabulary = await readWords(dirname(input.output), input.vocabulary);
    return await writeSegment(input.output, combine(sources, { identity, runs, vocabulary }, input));
  } finally {
    for (const file of files) await file.close();
  }
}

function combine(
  sources: readonly MergeSource[],
  { identity, runs, vocabulary }: { identity: IdentityWriter; runs: RunsWriter; vocabulary: Vocabulary },
  input: MergeInput,
) {
  const postings = new PostingsWriter(identity.norms.view());
  const sameWords = sources.every(({ segment }) => segment.header.vocabulary === vocabulary.number);
  const { languages } = input;
  const parts = sameWords ? undefined : writeParts(sources, { vocabulary, languages }, postings);
  const merged = mergeEntries(sources, parts !== undefined);
  const terms = mergePostings(sources, merged, postings);
  const termCount = postings.terms;
  const dictionary = new MergedDictionary({ sources, merged, terms, parts: parts ?? [], termCount });
  const columns = new Map<number, FieldColumnsWriter>();
  const fields = new Set(sources.flatMap(({ segment }) => [...segment.fieldCounts.keys()]));
  for (const field of [...fields].sort((a, b) => a - b)) {
    const column = new FieldColumnsWriter(!input.bodyFields.includes(field));
    for (const source of sources) mergeColumn(source, field, column);
    if (column.keyword.count > 0) columns.set(field, column);
  }
  return {
    identity,
    postings,
    dictionary,
    owns: ownsLists(dictionary),
    runs,
    columns,
    crawlerIds: input.crawlerIds,
    vocabulary: vocabulary.number,
    minSeq: Math.min(...sources.map(({ segment }) => segment.header.minSeq)),
    maxSeq: Math.max(...sources.map(({ segment }) => segment.header.maxSeq)),
  };
}

function numberLive(documents: number, live: Uint32Array | undefined, from: number): Int32Array {
  const map = new Int32Array(documents).fill(-1);
  let next = from;
  for (let d = 0; d < documents; d++) if (live === undefined || hasBit(live, d)) map[d] = next++;
  return map;
}

function copyDocuments(
  segment: Segment,
  bodyLengths: Uint8Array | Uint16Array | Uint32Array,
  documentMap: Int32Array,
  out: { identity: IdentityWriter; runs: RunsWriter },
): void {
  const { runs, runStart, titleNames } = segment.positions();
  for (let d = 0; d < segment.documents; d++) {
    if (documentMap[d]! < 0) continue;
    out.identity.add({
      rid: segment.rids[d]!,
      id: segment.idOf(d),
      crawler: segment.crawlers[d]!,
      language: segment.languages[d]!,
      kind: segment.kinds[d]!,
      norm: segment.norms[d]!,
      bodyLength: bodyLengths[d]!,
    });
    out.runs.copy(runs, runStart[d]!, runStart[d + 1]!);
    if (titleNames !== undefined) out.runs.nameTitle({ from: titleNames[2 * d]!, to: titleNames[2 * d + 1]! });
  }
}

/** Adds a field of a source to the merged column. O(documents + distinct values in use). */
function mergeColumn({ segment, documentMap }: MergeSource, field: number, out: FieldColumnsWriter): void {
  const columns = segment.field(field);
  if (columns === undefined) return;
  const setOf = mapSets(columns.keyword, out);
  const { sets } = columns.keyword;
  for (let d = 0; d < segment.documents; d++) {
    const document = documentMap[d]!;
    if (document < 0 || sets[d] === 0) continue;
    out.keyword.add(document, setOf(sets[d]!));
    copyNumbers(columns.numbers, columns.unparsedNumber, { d, document }, out.numbers);
    copyNumbers(columns.dates, columns.unparsedDate, { d, document }, out.dates);
    copyPoints(columns, { d, document }, out);
  }
}

/** Translates set numbers, values and sets that only dead documents use are left out. */
function mapSets(column: KeywordColumn, out: FieldColumnsWriter): (set: number) => number {
  const keys = [...column.values];
  const mapped = new Int32Array(column.setCount).fill(-1);
  return (set) => {
    if (mapped[set]! < 0) {
      const members = column.setValues.subarray(column.setStart[set]!, column.setStart[set + 1]!);
      mapped[set] = out.keyword.internSet(Array.from(members, (ordinal) => out.keyword.internValue(keys[ordinal]!)));
    }
    return mapped[set]!;
  };
}

function copyNumbers(
  column: NumberColumn | undefined,
  unparsed: Uint32Array | undefined,
  { d, document }: { d: number; document: number },
  out: NumberColumnWriter,
): void {
  const numbers = column === undefined ? [] : numbersOf(column, d);
  if (numbers.length > 0) out.add(document, numbers);
  // Without a column no value of the segment parses, so every document has one that does not.
  if (column === undefined || (unparsed !== undefined && hasBit(unparsed, d))) out.addUnparsed(document);
}

function copyPoints({ points }: FieldColumns, at: { d: number; document: number }, out: FieldColumnsWriter): void {
  if (points === undefined) return;
  const found = pointsOf(points, at.d);
  if (found.length > 0) out.points.add(at.document, found);
}

/** A compound of one source whose documents in one language have the part. */
type Holder = { readonly source: MergeSource; readonly term: number; readonly language: number };

/** A token of a part in the merged segment. */
type Token = { readonly document: number; readonly place: number };

/**
 * Splits the words of the sources anew and writes the terms of their parts; returns the keys. They come before every
 * other term. O(distinct words) splits, and for each part the postings of its compounds.
 */
function writeParts(
  sources: readonly MergeSource[],
  { vocabulary, languages }: { readonly vocabulary: Vocabulary; readonly languages: readonly string[] },
  out: PostingsWriter,
): string[] {
  const holders = findHolders(sources, new PartNaming(vocabulary), languages);
  const readers = new Map(sources.map((source) => [source, openPositions(source)]));
  const longest = Math.max(0, ...sources.map(({ segment }) => segment.documents));
  const documents = new Uint32Array(longest);
  const keys: string[] = [];
  for (const key of sortByCodePoint([...holders.keys()])) {
    const tokens: Token[] = [];
    for (const holder of holders.get(key)!) readTokens(holder, readers.get(holder.source)!, documents, tokens);
    tokens.sort((a, b) => a.document - b.document || a.place - b.place);
    out.beginTerm();
    writeTokens(tokens, out);
    if (out.endTerm()) keys.push(key);
  }
  return keys;
}

function findHolders(
  sources: readonly MergeSource[],
  parts: PartNaming,
  languages: readonly string[],
): Map<string, Holder[]> {
  const holders = new Map<string, Holder[]>();
  for (const source of sources) {
    const { segment } = source;
    const splitting = [...languages.entries()].filter(
      ([number, code]) => ((segment.languageMask >>> number) & 1) === 1 && parts.splits(code),
    );
    if (splitting.length === 0) continue;
    const stems = segment.dictionary.stems();
    for (const [language, code] of splitting) {
      forEachPart(
        stems,
        (stem) => parts.keysOf(stem, code),
        (term, key) => {
          const list = holders.get(key) ?? [];
          holders.set(key, list);
          list.push({ source, term, language });
        },
      );
    }
  }
  return holders;
}

function forEachPart(
  stems: readonly string[],
  keysOf: (stem: string) => readonly string[],
  visit: (term: number, key: string) => void,
): void {
  for (const [term, stem] of stems.entries()) {
    if (isWordTerm(stem)) for (const key of keysOf(stem)) visit(term, key);
  }
}

function openPositions({ segment }: MergeSource): PositionReader {
  const reader = new PositionReader();
  reader.open(segment.positions(), segment.tfBytes);
  return reader;
}

/** Places of a compound in the live documents of its language. */
function readTokens({ source, term, language }: Holder, reader: PositionReader, documents: Uint32Array, out: Token[]) {
  const { segment, documentMap } = source;
  decodeTerm(segment, term, documents);
  const first = segment.termPosting[term]!;
  for (let i = 0; i < segment.termDf[term]!; i++) {
    const document = documentMap[documents[i]!]!;
    if (document < 0 || segment.languages[documents[i]!] !== language) continue;
    reader.read(first + i);
    for (let at = 0; at < reader.end; at++) {
      const textClass = at < reader.endA ? 0 : at < reader.endB ? 1 : 2;
      out.push({ document, place: ((textClass << POSITION_CLASS_SHIFT) | reader.positions[at]!) >>> 0 });
    }
  }
}

function writeTokens(tokens: readonly Token[], out: PostingsWriter): void {
  const indexes = Uint32Array.from(tokens, ({ place: index }) => index);
  const counts = { a: 0, b: 0, c: 0 };
  const coded = new GrowableU8();
  for (let from = 0; from < tokens.length; ) {
    const { document } = tokens[from]!;
    let to = from + 1;
    while (to < tokens.length && tokens[to]!.document === document) to++;
    coded.length = 0;
    const tf = codePositions(indexes, from, to, counts, coded);
    out.add(document, tf, coded.array, 0, coded.length);
    from = to;
  }
}
