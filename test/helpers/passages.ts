import type { Passage, PassageSentence } from '../../src/search/passage.ts';

/** A sentence of a paragraph of its own, unless a test says more. */
export function sentenceOf(given: Partial<PassageSentence> & { readonly text: string }): PassageSentence {
  return { kind: 'paragraph', block: 0, startsLine: true, isSuspicious: false, ...given };
}

/** Lines that begin with a dash are a list, those with cells a table; each other one is a paragraph. */
function sentencesOf(text: string): readonly PassageSentence[] {
  const sentences: PassageSentence[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const kind = line.startsWith('- ') ? 'list' : line.includes(' | ') ? 'table' : 'paragraph';
    const before = sentences.at(-1);
    const goesOn = before !== undefined && before.kind === kind && kind !== 'paragraph';
    const block = before === undefined ? 0 : before.block + (goesOn ? 0 : 1);
    for (const [at, sentence] of line.split(/(?<=[.!?:])\s+/).entries()) {
      sentences.push(sentenceOf({ text: sentence.trim(), kind, block, startsLine: at === 0 }));
    }
  }
  return sentences;
}

/** A passage from what a test says about it: one sentence per line feed or full stop of its text. */
export function passageOf(given: Partial<Passage> & { readonly text: string }): Passage {
  const { rid = 1, ordinal = 0, text } = given;
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
    sentences: sentencesOf(text),
    ...given,
  };
}
