import { textOf } from './cut-passages.ts';
import type { FoundCandidates } from './find-candidates.ts';
import type { AnalysedCandidate, AnalysedPassage, Passage, PassageSentence, Terms } from './passage.ts';

/**
 * Candidates as few objects: what passes between threads is copied object by object and name by name, and 40 passages
 * are 250 sentences with as many arrays of stems. Packed, copied and unpacked they cost 1.1 instead of 2 to 4 ms.
 */
export type PackedCandidates = Omit<FoundCandidates, 'candidates'> & {
  readonly candidates: readonly (Found & { readonly passage: PassageRow })[];
  /** Of all sentences, passage by passage. */
  readonly texts: readonly string[];
  /** `SENTENCE_COLUMNS` numbers for each of them. */
  readonly sentences: Uint32Array;
  /** All stems, and how many each text has: of each passage its sentences, headings, last heading and title. */
  readonly stems: Uint32Array<ArrayBuffer>;
  readonly counts: Uint32Array;
};

type Found = Omit<AnalysedCandidate, 'analysed' | 'passage'>;
/** The text of a passage is that of its sentences. */
type PassageRow = readonly [
  rid: number,
  crawlerId: number,
  documentId: string,
  seq: number,
  ordinal: number,
  field: string,
  url: string,
  title: string,
  language: string,
  headings: readonly string[],
  anchor: string | undefined,
  page: number | undefined,
  hash: string,
  sentences: number,
];

const KINDS = ['paragraph', 'list', 'table', 'code', 'quote'] as const satisfies readonly PassageSentence['kind'][];
/** Kind, block, and whether it starts a line and is suspicious. */
const SENTENCE_COLUMNS = 4;

/** O(stems). What it gives shares no buffer with what it took: all of them may be transferred. */
export function packCandidates({ candidates, ...found }: FoundCandidates): PackedCandidates {
  const sentences = candidates.flatMap(({ passage }) => passage.sentences);
  const lists: Terms[] = [];
  for (const { analysed } of candidates) {
    lists.push(...analysed.sentences, analysed.headings, analysed.lastHeading, analysed.title);
  }
  return {
    ...found,
    candidates: candidates.map(({ analysed: _, passage, ...own }) => ({ ...own, passage: rowOf(passage) })),
    texts: sentences.map(({ text }) => text),
    sentences: columnsOf(sentences),
    ...joined(lists),
  };
}

function rowOf(passage: Passage): PassageRow {
  const { rid, crawlerId, documentId, seq, ordinal, field, url, title, language } = passage;
  const { headings, anchor, page, hash, sentences } = passage;
  const document = [rid, crawlerId, documentId, seq, ordinal, field, url, title, language] as const;
  return [...document, headings, anchor, page, hash, sentences.length];
}

function columnsOf(sentences: readonly PassageSentence[]): Uint32Array {
  const columns = new Uint32Array(SENTENCE_COLUMNS * sentences.length);
  let at = 0;
  for (const { kind, block, startsLine, isSuspicious } of sentences) {
    columns[at++] = KINDS.indexOf(kind);
    columns[at++] = block;
    columns[at++] = Number(startsLine);
    columns[at++] = Number(isSuspicious);
  }
  return columns;
}

function joined(lists: readonly Terms[]): Pick<PackedCandidates, 'stems' | 'counts'> {
  const counts = new Uint32Array(lists.length);
  let at = 0;
  for (const { length } of lists) counts[at++] = length;
  const stems = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
  at = 0;
  for (const list of lists) {
    stems.set(list, at);
    at += list.length;
  }
  return { stems, counts };
}

/** O(sentences). Stems of all passages are parts of one array. */
export function unpackCandidates(packed: PackedCandidates): FoundCandidates {
  const { candidates, texts, sentences, stems, counts, ...found } = packed;
  const cursor = { sentence: 0, stem: 0, list: 0 };
  const nextTerms = (): Terms => {
    const from = cursor.stem;
    cursor.stem += counts[cursor.list++] ?? 0;
    return stems.subarray(from, cursor.stem);
  };
  const nextSentence = (): PassageSentence => {
    const at = cursor.sentence * SENTENCE_COLUMNS;
    return {
      text: texts[cursor.sentence++] ?? '',
      kind: KINDS[sentences[at] ?? 0] ?? 'paragraph',
      block: sentences[at + 1] ?? 0,
      startsLine: sentences[at + 2] === 1,
      isSuspicious: sentences[at + 3] === 1,
    };
  };
  const unpacked = candidates.map(({ passage: row, ...own }): AnalysedCandidate => {
    const passage = passageOf(row, nextSentence);
    const ownTerms = passage.sentences.map(nextTerms);
    const [headings, lastHeading, title] = [nextTerms(), nextTerms(), nextTerms()];
    const analysed: AnalysedPassage = { passage, sentences: ownTerms, headings, lastHeading, title };
    return { ...own, passage, analysed };
  });
  return { ...found, candidates: unpacked };
}

function passageOf(row: PassageRow, nextSentence: () => PassageSentence): Passage {
  const [rid, crawlerId, documentId, seq, ordinal, field, url, title, language, ...more] = row;
  const [headings, anchor, page, hash, count] = more;
  const sentences = Array.from({ length: count }, nextSentence);
  const document = { rid, crawlerId, documentId, seq, url, title, language };
  return { ...document, ordinal, field, headings, anchor, page, hash, text: textOf(sentences), sentences };
}
