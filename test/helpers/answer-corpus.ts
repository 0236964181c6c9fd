import { readFileSync } from 'node:fs';
import type { Source } from '../../src/ai/sources.ts';
import type { Passage } from '../../src/search/passage.ts';
import { isInjected } from '../../src/text/injected-text.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { sentenceOf } from './passages.ts';

const CORPORA = ['garden', 'municipality', 'python', 'postgresql'] as const;
export type CorpusName = (typeof CORPORA)[number];

/** A page of a corpus, cut into passages of about 110 words. */
export type CorpusPage = { readonly corpus: CorpusName; readonly id: string; readonly passages: readonly Passage[] };

const WANTED_WORDS = 110;

let pages: readonly CorpusPage[] | undefined;

/** All pages of the committed relevance corpora. */
export function corpusPages(): readonly CorpusPage[] {
  pages ??= CORPORA.flatMap((corpus) =>
    readFileSync(new URL(`../golden/relevance/${corpus}.documents.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => pageOf(corpus, JSON.parse(line))),
  );
  return pages;
}

type StoredPage = {
  id: string;
  language: string;
  fields: { Title?: string[]; Headings?: string[]; Content?: string[] };
};

function pageOf(corpus: CorpusName, { id, language, fields }: StoredPage): CorpusPage {
  const title = fields.Title?.[0] ?? '';
  const headings = new Set(fields.Headings ?? []);
  const sections: { heading: string; lines: string[][] }[] = [{ heading: title, lines: [] }];
  for (const line of (fields.Content?.[0] ?? '').split('\n')) {
    if (headings.has(line) || line === title) sections.push({ heading: line, lines: [] });
    else sections.at(-1)!.lines.push(line.split(/(?<=[.!?])\s+(?=[\p{Lu}\d“"(`])/u));
  }
  const cut = sections.flatMap(({ heading, lines }) =>
    chunks(lines.flat()).map((sentences) => ({ heading, sentences })),
  );
  return {
    corpus,
    id,
    passages: cut.map(({ heading, sentences }, ordinal) =>
      makePassage({ documentId: `${corpus}/${id}`, title, headings: [heading], language, sentences, ordinal }),
    ),
  };
}

function chunks(sentences: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const sentence of sentences.filter((text) => text.trim() !== '')) {
    const words = parts.at(-1)!.join(' ').split(' ').length;
    if (words >= WANTED_WORDS) parts.push([]);
    parts.at(-1)!.push(sentence);
  }
  return parts.filter((part) => part.length > 0);
}

export type PassageParts = {
  readonly documentId: string;
  readonly title: string;
  readonly headings?: readonly string[];
  readonly language?: string;
  readonly sentences: readonly string[];
  readonly ordinal?: number;
};

/** A passage as the cutter makes it. */
export function makePassage({
  documentId,
  title,
  headings = [],
  language = 'en',
  sentences,
  ordinal = 0,
}: PassageParts): Passage {
  return {
    rid: 1,
    crawlerId: 17,
    documentId,
    seq: 1,
    ordinal,
    field: 'Content',
    url: `https://site.example/${documentId}`,
    title,
    language,
    headings,
    anchor: undefined,
    page: undefined,
    text: sentences.join(' '),
    sentences: sentences.map((text, block) => sentenceOf({ text, block, isSuspicious: isInjected(text, language) })),
    hash: `${documentId}#${ordinal}`,
  };
}

export function makeSource(reference: number, ...passages: readonly [Passage, ...Passage[]]): Source {
  return { reference, passages };
}

type SectionedPage = {
  id: string;
  language: string;
  title: string;
  sections: { headings: { text: string }[]; blocks: { kind: string; text: string }[] }[];
};

/** A page of the question sets of answers, a passage for each of its sections. */
export function passagesOfSet(set: string, id: string): readonly Passage[] {
  const file = new URL(`../golden/answers/${set}.documents.jsonl`, import.meta.url);
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`{"id":${JSON.stringify(id)},`));
  if (line === undefined) throw new Error(`No page ${id} in ${set}`);
  const { title, language, sections }: SectionedPage = JSON.parse(line);
  return sections.flatMap(({ headings, blocks }, ordinal) => {
    const sentences = blocks.flatMap(({ kind, text }) =>
      kind === 'paragraph' ? splitSentences(text, language) : text.split('\n'),
    );
    const parts = { documentId: `${set}/${id}`, title, headings: headings.map(({ text }) => text), language };
    return sentences.length === 0 ? [] : [makePassage({ ...parts, sentences, ordinal })];
  });
}
