/** A sentence of a passage, a line of code, an item of a list or a row of a table. */
export type PassageSentence = {
  /** As the page has it, each run of blanks one blank; code keeps its blanks. */
  readonly text: string;
  readonly isCode: boolean;
  /** Addresses an assistant instead of a reader: neither quoted nor put into a prompt. */
  readonly isSuspicious: boolean;
};

/** What answers are made of: up to 180 words of one field of a document, under one heading. */
export type Passage = {
  readonly rid: number;
  readonly crawlerId: number;
  /** Id of the document. */
  readonly documentId: string;
  /** Last change of the document: another version has other passages. */
  readonly seq: number;
  /** Place in the document, from 0. */
  readonly ordinal: number;
  /** The field that it was cut from. */
  readonly field: string;
  /** `Url` and `Title` of the index record; `''` = it has none. */
  readonly url: string;
  readonly title: string;
  /** Of the document, or of the engine when the document tells none. */
  readonly language: string;
  /** Open headings from the outermost on. */
  readonly headings: readonly string[];
  /** Of the nearest heading that has one. */
  readonly anchor: string | undefined;
  /** Of a file with pages, from 1. */
  readonly page: number | undefined;
  /** The sentences with what stands between them: line feeds between items, rows, lines and paragraphs. */
  readonly text: string;
  readonly sentences: readonly PassageSentence[];
  /** SHA-256 of text and headings, 16 bytes as hex: the same passage in another version has the same. */
  readonly hash: string;
};

/** A passage that may bear on a question, with what the search for its document said. */
export type PassageCandidate = {
  readonly passage: Passage;
  /** BM25 of the passage for the question's words, with `valueBoost`; 0 when it was found otherwise. */
  readonly score: number;
  /** Score of its document in the search that found it, divided by the best one: 0 to 1. */
  readonly documentScore: number;
};
