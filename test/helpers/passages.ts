import type { Passage } from '../../src/search/passage.ts';

/** A passage from what a test says about it: one sentence per line feed or full stop of its text. */
export function passageOf(given: Partial<Passage> & { readonly text: string }): Passage {
  const { rid = 1, ordinal = 0, text } = given;
  const lines = text.split(/\n|(?<=[.!?:])\s+/).filter((line) => line.trim() !== '');
  return {
    rid,
    crawlerId: 17,
    documentId: `doc-${rid}`,
    seq: rid,
    ordinal,
    field: 'Content',
    url: `https://www.example.com/${rid}`,
    title: '',
    language: 'en',
    headings: [],
    anchor: undefined,
    page: undefined,
    hash: `${rid}-${ordinal}`,
    sentences: lines.map((line) => ({ text: line.trim(), isCode: false, isSuspicious: false })),
    ...given,
  };
}
