import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Vocabulary } from '../../../text/compounds.ts';
import { hasBit } from '../bytes/bitset.ts';
import { FieldColumnsWriter } from '../columns/field-writer.ts';
import { IdentityWriter } from '../columns/identity.ts';
import { RunsWriter } from '../positions/runs.ts';
import { PostingsWriter } from '../postings/writer.ts';
import { type WrittenSegment, writeSegment } from '../segment/assembly.ts';
import { openWholeSegment, readBodyLengths } from '../segment/open-segment.ts';
import type { Segment } from '../segment/segment.ts';
import { ownsLists } from '../term-dictionary/surfaces.ts';
import { readWords } from '../words-file.ts';
import { mergeColumn } from './merge-columns.ts';
import { mergeEntries } from './merge-entries.ts';
import { writeParts } from './merge-parts.ts';
import { mergePostings } from './merge-postings.ts';
import { MergedDictionary } from './merged-dictionary.ts';

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
