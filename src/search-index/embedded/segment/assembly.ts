import { randomBytes } from 'node:crypto';
import { ANALYSIS_VERSION } from '../../../text/analysis-version.ts';
import { encodeFieldCounts, type FieldColumnsWriter } from '../columns/field-writer.ts';
import type { IdentityWriter } from '../columns/identity.ts';
import { INDEX_FORMAT_VERSION } from '../format-version.ts';
import type { RunsWriter } from '../positions/runs.ts';
import type { PostingsWriter } from '../postings/blocks.ts';
import type { DictionarySource } from '../term-dictionary/surfaces.ts';
import { writeDictionary } from '../term-dictionary/writer.ts';
import { RESIDENCY, SECTION, type Section, type SegmentHeader } from './sections.ts';
import { writeSegmentFile } from './segment-file.ts';

/** Everything a new segment consists of, from a builder or a merge. */
export type SegmentParts = {
  readonly identity: IdentityWriter;
  readonly postings: PostingsWriter;
  /** Stems of the terms of `postings`, and surface words. */
  readonly dictionary: DictionarySource;
  /** `ownsLists` of the dictionary. */
  readonly owns: Uint8Array;
  readonly runs: RunsWriter;
  readonly columns: ReadonlyMap<number, FieldColumnsWriter>;
  readonly crawlerIds: readonly number[];
  /** Number of the vocabulary that split the compounds. */
  readonly vocabulary: number;
  readonly minSeq: number;
  readonly maxSeq: number;
};

/** What a manifest says of a written segment. */
export type WrittenSegment = {
  readonly uid: string;
  readonly bytes: number;
  readonly documents: number;
  readonly bodyTokens: number;
  readonly minSeq: number;
  readonly maxSeq: number;
  readonly vocabulary: number;
};

/** Writes the file of a segment; whole and synced when it resolves. */
export async function writeSegment(path: string, parts: SegmentParts): Promise<WrittenSegment> {
  const documents = parts.identity.count;
  const sections: Section[] = [
    ...writeDictionary(parts.dictionary, parts.owns),
    ...parts.postings.sections(),
    ...parts.identity.sections(parts.crawlerIds),
    ...parts.runs.sections(),
    fieldCountsSection(parts.columns),
  ];
  for (const [field, column] of parts.columns) sections.push(...column.sections(field, documents));
  const header: SegmentHeader = {
    format: INDEX_FORMAT_VERSION,
    uid: randomBytes(8).toString('hex'),
    documents,
    terms: parts.postings.terms,
    entries: parts.dictionary.count,
    blocks: parts.postings.blocks,
    postings: parts.postings.postings,
    bodyTokens: parts.identity.bodyTokens,
    minSeq: parts.minSeq,
    maxSeq: parts.maxSeq,
    analysis: ANALYSIS_VERSION,
    vocabulary: parts.vocabulary,
  };
  const bytes = await writeSegmentFile(path, header, sections);
  const { uid, bodyTokens, minSeq, maxSeq, vocabulary } = header;
  return { uid, bytes, documents, bodyTokens, minSeq, maxSeq, vocabulary };
}

function fieldCountsSection(columns: ReadonlyMap<number, FieldColumnsWriter>): Section {
  const rows = [...columns].map(([field, column]) => column.counts(field));
  const data = encodeFieldCounts(rows);
  return { kind: SECTION.fieldCounts, subject: 0, part: 0, residency: RESIDENCY.engine, data };
}
