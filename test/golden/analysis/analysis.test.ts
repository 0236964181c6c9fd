import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openEmbeddedIndex } from '../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../src/search-index/embedded/writer.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import type { MatchNode } from '../../../src/search-index/query-plan.ts';
import type { SearchIndex } from '../../../src/search-index/search-index.ts';
import { wordsOf } from '../../../src/text/analyzer.ts';
import { createVocabulary, hasCompounds, knownWord, type Vocabulary } from '../../../src/text/compounds.ts';
import { foldWord } from '../../../src/text/folding.ts';
import { indexSourceOf } from '../../helpers/index-source.ts';
import { facetOf, planOf, word } from '../../helpers/query-plans.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

type Pair = readonly [string, string];

/** What an analysis has to do in a language, written by hand. */
type Table = {
  /** A document with the first word is found by the second, and the other way round; or it is not. */
  readonly meet: readonly Pair[];
  readonly apart: readonly Pair[];
  /** Text and its words. */
  readonly tokens: readonly (readonly [string, readonly string[]])[];
  /** A word of a document and what visitors have typed of it so far, in languages that are not stemmed. */
  readonly prefixes?: readonly Pair[];
  /** A text and what finds it, or does not, in scripts that write words together. */
  readonly finds?: readonly Pair[];
  readonly misses?: readonly Pair[];
  readonly compounds?: {
    /** Words that stand alone in the site's documents. */
    readonly known: string;
    /** A compound and the words that find it. */
    readonly parts: readonly (readonly [string, readonly string[]])[];
    /** A word and what is no part of it. */
    readonly never: readonly Pair[];
  };
  /** A typo and the word that was meant. */
  readonly typos?: readonly Pair[];
  readonly neverCorrected?: readonly string[];
};

const ENGINE = 6;
const LANGUAGES = 'ar bg cs da de en es fi fr it ja ko nb nl pl pt ru sv th zh'.split(' ');
const log = pino({ level: 'silent' });
const tables = new Map<string, Table>();
for (const code of LANGUAGES) {
  tables.set(code, JSON.parse(await readFile(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Table);
}

describe.each([...tables])('%s', (language, table) => {
  test.each(table.tokens)('the words of %s', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each(adapters())('%s: forms meet, other words do not', async (_name, open) => {
    const texts = [...table.meet, ...table.apart].flat();
    await using index = await open(language, texts, undefined);
    const met = async (pairs: readonly Pair[]) =>
      Promise.all(pairs.map(async ([a, b]) => [a, b, (await index.find(b)).includes(a), (await index.find(a)).includes(b)]));

    expect(await met(table.meet)).toEqual(table.meet.map(([a, b]) => [a, b, true, true]));
    expect(await met(table.apart)).toEqual(table.apart.map(([a, b]) => [a, b, false, false]));
  });

  test.each(adapters())('%s: what is part of a text finds it', async (_name, open) => {
    const { finds = [], misses = [], prefixes = [] } = table;
    await using index = await open(language, [...finds, ...misses, ...prefixes].map(([text]) => text), undefined);
    const found = async (pairs: readonly Pair[], find: (query: string) => Promise<readonly string[]>) =>
      Promise.all(pairs.map(async ([text, query]) => [text, query, (await find(query)).includes(text)]));

    expect(await found(finds, index.find)).toEqual(finds.map((pair) => [...pair, true]));
    expect(await found(misses, index.find)).toEqual(misses.map((pair) => [...pair, false]));
    expect(await found(prefixes, index.findPrefix)).toEqual(prefixes.map((pair) => [...pair, true]));
  });

  test.each(adapters())('%s: parts find compounds, and only those', async (_name, open) => {
    const { known = '', parts = [], never = [] } = table.compounds ?? {};
    const vocabulary = vocabularyOf(language, known);
    await using index = await open(language, [...parts, ...never].map(([whole]) => whole), vocabulary);
    const found = async (whole: string, part: string) => [whole, part, (await index.find(part)).includes(whole)];
    const wanted = parts.flatMap(([whole, own]) => own.map((part): Pair => [whole, part]));

    expect(await Promise.all(wanted.map(([whole, part]) => found(whole, part)))).toEqual(
      wanted.map((pair) => [...pair, true]),
    );
    expect(await Promise.all(never.map(([whole, part]) => found(whole, part)))).toEqual(
      never.map((pair) => [...pair, false]),
    );
    expect(parts.length).toBeGreaterThanOrEqual(hasCompounds(language) ? 30 : 0);
  });

  test.each(adapters())('%s: the word that was meant is near its typo', async (_name, open) => {
    const { typos = [], neverCorrected = [] } = table;
    const texts = typos.map(([, meant]) => meant);
    await using index = await open(language, [...texts, ...texts, ...neverCorrected.map((code) => `${code}x`)], undefined);
    const best = async (typo: string) => {
      const near = await index.index.fuzzyTerms(ENGINE, typo, { maxDistance: 2, limit: 5 }, AbortSignal.timeout(60_000));
      return near.map(({ text }) => foldWord(text));
    };

    expect(await Promise.all(typos.map(async ([typo]) => [typo, (await best(typo))[0]]))).toEqual(
      typos.map(([typo, meant]) => [typo, foldWord(meant)]),
    );
    expect(await Promise.all(neverCorrected.map(best))).toEqual(neverCorrected.map(() => []));
  });
});

type Opened = AsyncDisposable & {
  readonly index: SearchIndex;
  readonly find: (query: string) => Promise<readonly string[]>;
  readonly findPrefix: (query: string) => Promise<readonly string[]>;
};
type Open = (language: string, texts: readonly string[], vocabulary: Vocabulary | undefined) => Promise<Opened>;

function adapters(): readonly (readonly [string, Open])[] {
  return [
    ['in memory', openInMemory],
    ['embedded', openEmbedded],
  ];
}

async function openInMemory(...[language, texts, vocabulary]: Parameters<Open>): Promise<Opened> {
  const index = createInMemoryIndex(vocabulary);
  const writer = index.writer(ENGINE);
  writer.apply(documentsOf(language, texts));
  await writer.refresh();
  return { ...asked(index), [Symbol.asyncDispose]: () => index[Symbol.asyncDispose]() };
}

async function openEmbedded(...[language, texts, vocabulary]: Parameters<Open>): Promise<Opened> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const rows = documentsOf(language, texts);
  // Empty when the writer opens, which would index what is there before the vocabulary is in force.
  const stored = new Map<number, (typeof rows)[number]>();
  const source = indexSourceOf(stored);
  const options = { directory: folder.path, source, language, clock: systemClock, log };
  const writer = stack.use(await openEmbeddedWriter({ ...options, ...(vocabulary && { vocabulary }) }));
  const index = openEmbeddedIndex({ clock: systemClock, log, threads: 0, directoryOf: () => folder.path });
  stack.use(index);
  for (const row of rows) stored.set(row.rid, row);
  writer.apply(rows);
  await writer.refresh();
  await index.waitVisible(ENGINE, writer.appliedSeq, AbortSignal.timeout(10_000));
  return { ...asked(index), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

function documentsOf(language: string, texts: readonly string[]) {
  return texts.map((text, i) => storedDocument({ rid: i + 1, language, fields: { Content: text } }));
}

/** Searches that tell the texts they found: all words of a query, or what begins like it. */
function asked(index: SearchIndex): Omit<Opened, typeof Symbol.asyncDispose> {
  const textsOf = async (match: MatchNode) => {
    const plan = planOf({ match, limit: 500, facets: [facetOf('Content', { size: 500 })] });
    const { facets } = await index.search(ENGINE, plan, AbortSignal.timeout(10_000));
    return facets.flatMap(({ items }) => items.map(({ key }) => key));
  };
  return {
    index,
    find: (query) => textsOf({ kind: 'and', of: wordsOf(query).map((text) => word(text)) }),
    findPrefix: (query) => textsOf({ kind: 'prefix', pattern: foldWord(query), boost: 1 }),
  };
}

function vocabularyOf(language: string, known: string): Vocabulary {
  const words = known.split(' ').filter((text) => text !== '');
  const counted = words.map((text) => knownWord(foldWord(text), 5, language));
  return createVocabulary(1, new Map([[language, { documents: 300, words: counted }]]));
}
