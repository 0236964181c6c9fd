import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareCodePoints } from '../../../../src/core/compare-text.ts';
import { countBits, fullBits, hasBit, listBits } from '../../../../src/search-index/embedded/bytes/bitset.ts';
import { encodeText, sortByCodePoint } from '../../../../src/search-index/embedded/bytes/text-order.ts';
import { BoundedHeap } from '../../../../src/search-index/embedded/collect/bounded-heap.ts';
import {
  KeywordColumnWriter,
  NUMBER_KINDS,
  NumberColumnWriter,
} from '../../../../src/search-index/embedded/columns/column-writers.ts';
import { isLongValue, readKeywordColumn, valueKey } from '../../../../src/search-index/embedded/columns/keyword.ts';
import { numbersOf, readNumberColumn, setBitsInRange } from '../../../../src/search-index/embedded/columns/number.ts';
import { chooseIdleMerge, chooseMerge, chooseSplitAnew } from '../../../../src/search-index/embedded/merge/tiered.ts';
import { decodeTerm, PostingsWriter, widthCode } from '../../../../src/search-index/embedded/postings/blocks.ts';
import { PostingCursor } from '../../../../src/search-index/embedded/postings/cursor.ts';
import { RowMap } from '../../../../src/search-index/embedded/segment/row-map.ts';
import { SECTION, type Section } from '../../../../src/search-index/embedded/segment/sections.ts';
import { FrontCodedList } from '../../../../src/search-index/embedded/term-dictionary/front-coded-list.ts';
import { FrontCodingWriter } from '../../../../src/search-index/embedded/term-dictionary/front-coding-writer.ts';
import { TermDictionary } from '../../../../src/search-index/embedded/term-dictionary/reader.ts';
import { boundedDistance, unitsOf } from '../../../../src/search-index/embedded/term-dictionary/surface-scan.ts';
import { type DictionarySource, ownsLists } from '../../../../src/search-index/embedded/term-dictionary/surfaces.ts';
import { writeDictionary } from '../../../../src/search-index/embedded/term-dictionary/writer.ts';
import { DEFAULT_RELEVANCE, saturationTable, tfByte } from '../../../../src/search-index/relevance.ts';
import { editDistance } from '../../../helpers/in-memory-index/edit-distance.ts';
import { seededRandom } from '../../../helpers/random.ts';

/** Finds a section by kind and part, as a segment does. */
function finder(sections: readonly Section[]) {
  return (kind: number, part = 0) => sections.find((item) => item.kind === kind && item.part === part)?.data;
}

describe('front coding', () => {
  const texts = (count: number) =>
    sortByCodePoint([...new Set(Array.from({ length: count }, (_, i) => `${i % 3 ? 'wörd' : '\u{1f600}'}${i * 37}`))]);

  test.each([0, 1, 15, 16, 17, 33, 500])('%i texts come back by number, by text and in order', (count) => {
    const all = texts(count);
    const writer = new FrontCodingWriter();
    for (const text of all) writer.push(text);
    const list = new FrontCodedList(writer.finish(), all.length);

    expect([...list]).toEqual(all);
    expect(all.map((_, i) => list.at(i))).toEqual(all);
    expect(all.map((text) => list.find(text))).toEqual(all.map((_, i) => i));
    for (const missing of ['', 'a', 'zz', 'wörd', '\u{10ffff}']) expect(list.find(missing)).toBe(-1);
  });

  test('of equal texts over a block border the first is found', () => {
    const all = Array.from({ length: 40 }, (_, i) => (i < 14 ? 'a' : i < 18 ? 'b' : 'c'));
    const writer = new FrontCodingWriter();
    for (const text of all) writer.push(text);
    const list = new FrontCodedList(writer.finish(), all.length);
    expect(['a', 'b', 'c'].map((text) => list.find(text))).toEqual([0, 14, 18]);
  });

  test('the lower bound is the first text that is not below, for any key and list', () => {
    const unit = fc.constantFrom('a', 'b', 'ab', 'é', '\u{1f600}', '\u{ffff}');
    const text = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 80 }), text, (some, key) => {
        const all = some.toSorted(compareCodePoints);
        const writer = new FrontCodingWriter();
        for (const item of all) writer.push(item);
        const list = new FrontCodedList(writer.finish(), all.length);
        const expected = all.findIndex((item) => compareCodePoints(item, key) >= 0);

        expect(list.lowerBound(encodeText(key))).toBe(expected < 0 ? all.length : expected);
        expect(list.find(key)).toBe(all.indexOf(key));
      }),
      { numRuns: 500 },
    );
  });

  test('an iteration survives look-ups between its steps', () => {
    const all = texts(40);
    const writer = new FrontCodingWriter();
    for (const text of all) writer.push(text);
    const list = new FrontCodedList(writer.finish(), all.length);
    const seen: string[] = [];
    for (const text of list) {
      seen.push(text);
      list.find('wörd37');
    }
    expect(seen).toEqual(all);
  });
});

describe('postings', () => {
  function written(documents: readonly number[]) {
    const norms = new Uint8Array(Math.max(0, ...documents) + 1).map((_, d) => d % 64);
    const writer = new PostingsWriter(norms);
    writer.beginTerm();
    for (const d of documents) writer.add(d, tfByte(d % 4, d % 3, d % 70), new Uint8Array([1]), 0, 1);
    writer.endTerm();
    const section = finder(writer.sections());
    const u32 = (kind: number) => section(kind) as Uint32Array;
    const arrays = {
      termDf: u32(SECTION.termDf),
      termFirst: u32(SECTION.termFirst),
      termPosting: u32(SECTION.termPosting),
      blockFirst: u32(SECTION.blockFirst),
      blockLast: u32(SECTION.blockLast),
      blockOffset: u32(SECTION.blockOffset),
      deltas: section(SECTION.deltas) as Uint8Array,
      tfBytes: section(SECTION.tfBytes) as Uint8Array,
    };
    return {
      arrays,
      norms,
      termMax: section(SECTION.termMax) as Uint16Array,
      blockMax: section(SECTION.blockMax) as Uint16Array,
    };
  }

  describe.each([
    { width: 0, step: 3 },
    { width: 1, step: 700 },
    { width: 2, step: 70_000 },
  ])('with deltas of width code $width', ({ width, step }) => {
    test.each([1, 2, 127, 128, 129, 300])('%i documents come back, whole and one by one', (count) => {
      const documents = Array.from({ length: count }, (_, i) => 5 + i * step);
      const { arrays } = written(documents);
      const out = new Uint32Array(count);
      decodeTerm(arrays, 0, out);
      expect([...out]).toEqual(documents);
      expect(widthCode(step)).toBe(width);

      const cursor = new PostingCursor();
      cursor.open(arrays, 0);
      for (const [i, d] of documents.entries()) {
        if (i % 7 === 3) expect(cursor.seek(d - 1)).toBe(-1);
        if (i % 5 !== 2) expect(cursor.seek(d)).toBe(i);
      }
      expect(cursor.seek(documents.at(-1)! + 1)).toBe(-1);
    });
  });

  test('the bound of a block is at least the score of every posting, whatever the weights', () => {
    const documents = Array.from({ length: 300 }, (_, i) => i * 2);
    const { arrays, norms, blockMax, termMax } = written(documents);
    for (const settings of [DEFAULT_RELEVANCE, { classWeights: { a: 0.1, b: 9, c: 4 }, k1: 2, b: 0.2 }]) {
      const table = saturationTable(settings, 20);
      for (const [i, d] of documents.entries()) {
        const score = table[(arrays.tfBytes[i]! << 6) | norms[d]!]!;
        expect(table[blockMax[i >>> 7]!]!).toBeGreaterThanOrEqual(score);
        expect(table[termMax[0]!]!).toBeGreaterThanOrEqual(score);
      }
    }
  });

  test('the bound of one posting is its term frequencies and its length', () => {
    expect(written([5]).termMax[0]).toBe((tfByte(1, 2, 5) << 6) | 5);
  });
});

describe('dictionary', () => {
  test('finds stems, not surfaces, and keeps which surface leads to which term', () => {
    const terms = ['hous', 'run', 'panel', 'über'].sort();
    const number = (term: string) => terms.indexOf(term);
    const surfaces: Record<string, readonly (readonly [string, number])[]> = {
      houses: [['hous', 1]],
      run: [
        ['über', 2],
        ['run', 1],
      ],
      panel: [['panel', 3]],
    };
    const texts = sortByCodePoint([...new Set([...terms, ...Object.keys(surfaces)])]);
    const source: DictionarySource = {
      count: texts.length,
      termCount: terms.length,
      pushText: (entry, out) => out.push(texts[entry]!),
      termOf: (entry) => number(texts[entry]!),
      isSurface: (entry) => texts[entry]! in surfaces,
      addTerms(entry, out) {
        for (const [term, mask] of surfaces[texts[entry]!]!) out.add(number(term), mask);
      },
      addDocuments: (entry, out) =>
        out.addOwn(
          entry,
          Uint32Array.from([0, 3, 300, 70_000], (document) => (document << 2) | 2),
          1,
          4,
        ),
      addTitles: (entry, out) =>
        texts[entry] === 'panel' ? out.addTitles(entry, Uint32Array.of(0, 5 << 2, 900 << 2), 0, 3) : false,
      displayOf: (entry) => (texts[entry] === 'houses' ? 'hôuses' : undefined),
    };
    const sections = writeDictionary(source, ownsLists(source));
    const section = finder(sections);
    const dictionary = new TermDictionary((kind, part) => section(kind, part)!, texts.length);

    expect(terms.map((term) => dictionary.findTerm(term))).toEqual([0, 1, 2, 3]);
    expect(dictionary.findTerm('houses')).toBe(-1);
    const seen = new Map<string, number>();
    dictionary.forEachSurface((text, entry) => void seen.set(text, entry));
    expect(dictionary.stems()).toEqual(terms);
    expect([...seen.keys()].sort()).toEqual(['houses', 'panel', 'run']);
    const entryOf = (text: string) => seen.get(text) ?? -1;
    expect(dictionary.termsOf(entryOf('run'))).toEqual([number('run'), 1, number('über'), 2]);
    expect([...seen].filter(([, entry]) => dictionary.hasOwnList(entry)).map(([text]) => text)).toEqual(['run']);
    expect(dictionary.termOf(entryOf('houses'))).toBe(number('hous'));
    const own: number[][] = [];
    dictionary.surfaces.forEachOwn(entryOf('run'), (document, classes) => void own.push([document, classes]));
    expect(own).toEqual([
      [3, 2],
      [300, 2],
      [70_000, 2],
    ]);
    expect(dictionary.surfaces.frequencyOf(entryOf('run'))).toBe(3);
    const titles: number[] = [];
    dictionary.surfaces.forEachTitle(entryOf('panel'), (document) => void titles.push(document));
    expect(titles).toEqual([0, 5, 900]);
    expect(['houses', 'panel'].map((text) => dictionary.surfaces.displayOf(entryOf(text)))).toEqual([
      'hôuses',
      undefined,
    ]);
  });
});

describe('edit distance', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 9 });

  test('is that of the whole table, up to its bound', () => {
    fc.assert(
      fc.property(words, words, fc.constantFrom(0, 1, 2), (a, b, most) => {
        const word = { units: unitsOf(`x${b}y`), from: 1, length: b.length };

        expect(boundedDistance(unitsOf(a), word, most)).toBe(Math.min(editDistance(a, b), most + 1));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('columns', () => {
  test.each([
    { documents: 20, every: 1 },
    { documents: 400, every: 9 },
    { documents: 70_000, every: 1 },
  ])('value sets of $documents documents, one in $every with the field, come back', ({ documents, every }) => {
    const writer = new KeywordColumnWriter();
    const expected: string[][] = [];
    for (let d = 0; d < documents; d++) {
      if (d % every !== 0) continue;
      const values = d % 3 === 0 ? [`v${d % 70_000}`] : [`b${d % 5}`, 'a', `b${d % 5}`];
      writer.add(d, writer.internSet(values.map((value) => writer.internValue(value))));
      expected[d] = [...new Set(values)].sort();
    }
    const column = readKeywordColumn(finder(writer.sections(0, documents)), documents);
    for (let d = 0; d < documents; d += every > 1 ? 1 : 611) {
      const set = column.sets[d]!;
      const members = column.setValues.subarray(column.setStart[set]!, column.setStart[set + 1]!);
      expect(Array.from(members, (ordinal) => column.values.at(ordinal))).toEqual(expected[d] ?? []);
    }
  });

  test('a long value is known by its fingerprint, and no value passes for one', () => {
    const long = 'x'.repeat(201);
    expect(isLongValue(valueKey(long, true))).toBe(true);
    expect(valueKey(long, true).startsWith('xxx')).toBe(true);
    expect(valueKey(long, false).startsWith('x')).toBe(false);
    expect(valueKey(long, true)).not.toBe(valueKey(`${long}y`, true));
    expect(valueKey('ä'.repeat(100), true)).toBe('ä'.repeat(100));
    expect(valueKey(valueKey(long, true), true)).not.toBe(valueKey(long, true));
  });

  test.each([1, 10])('numbers of one document in %i and their ranges come back', (every) => {
    const writer = new NumberColumnWriter();
    const all = new Map<number, number[]>();
    for (let d = 0; d < 300; d += every) {
      const values = d % 4 === 0 ? [d] : d % 4 === 1 ? [d, -d] : [5, d, 7];
      writer.add(d, values);
      all.set(
        d,
        [...values].sort((a, b) => a - b),
      );
    }
    const column = readNumberColumn(finder(writer.sections(0, 300, NUMBER_KINDS)), NUMBER_KINDS, 300)!;
    for (let d = 0; d < 300; d++) expect([...new Set(numbersOf(column, d))]).toEqual([...new Set(all.get(d) ?? [])]);
    for (const [from, to] of [
      [6, 8],
      [100, 100],
      [-50, 0],
      [9, 1],
    ] as const) {
      const bits = new Uint32Array(10);
      setBitsInRange(column, from, to, bits);
      const found = Array.from({ length: 300 }, (_, d) => d).filter((d) => hasBit(bits, d));
      expect(found).toEqual([...all].filter(([, own]) => own.some((v) => v >= from && v <= to)).map(([d]) => d));
    }
  });
});

describe('small things', () => {
  test.each([1, 31, 32, 33, 64])('%i full bits are listed and counted', (count) => {
    const bits = fullBits(count);
    const out = new Uint32Array(count);
    expect([countBits(bits), listBits(bits, out)]).toEqual([count, count]);
    expect([...out]).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  test('the heap keeps the best, ties by the order it was given', () => {
    const random = seededRandom(3);
    const scores = random.list(200, 200, () => random.whole(0, 9));
    const isBetter = (a: number, b: number) => scores[a]! > scores[b]! || (scores[a]! === scores[b]! && a < b);
    const heap = new BoundedHeap(17, isBetter);
    for (const [i] of scores.entries()) heap.offer(i);
    const sorted = [...scores.keys()].sort((a, b) => (isBetter(a, b) ? -1 : 1));
    expect(heap.sorted()).toEqual(sorted.slice(0, 17));
  });

  test('the row map forgets a page when its last row goes', () => {
    const rows = new RowMap();
    rows.set(5_000, 2, 7);
    rows.set(5_000, 3, 8);
    expect([rows.segmentOf(5_000), rows.documentOf(5_000), rows.segmentOf(5_001)]).toEqual([3, 8, 0]);
    rows.delete(5_000);
    rows.delete(5_000);
    expect(rows.segmentOf(5_000)).toBe(0);
  });

  test('eight segments of a tier are merged, and one with many dead alone', () => {
    const of = (documents: number, liveCount = documents) => ({
      documents,
      liveCount,
      bytes: documents * 2_000,
      vocabulary: 0,
    });
    const small = Array.from({ length: 8 }, () => of(100));
    expect(chooseMerge([of(10_000), ...small.slice(1)])).toBeUndefined();
    expect(chooseMerge([of(10_000), ...small])).toEqual(small);
    expect(chooseMerge([of(1_000), of(1_000, 790)])).toEqual([of(1_000, 790)]);
    expect(chooseMerge([of(1_000, 800)])).toBeUndefined();
    expect(chooseMerge(Array.from({ length: 8 }, () => of(200_000)))).toBeUndefined();
  });

  test('the smallest segments of other words are split anew, up to a number of documents', () => {
    const of = (liveCount: number, vocabulary: number) => ({ documents: liveCount, liveCount, bytes: 1, vocabulary });
    const present = { vocabulary: 7, documents: 100 };
    expect(chooseSplitAnew([of(10, 7), of(90, 7)], present)).toBeUndefined();
    expect(chooseSplitAnew([of(60, 3), of(10, 7), of(30, 0), of(50, 3)], present)).toEqual([of(30, 0), of(50, 3)]);
    expect(chooseSplitAnew([of(101, 3)], present)).toBeUndefined();
  });

  test('an engine at rest becomes one segment, a large one four', () => {
    const of = (liveCount: number, vocabulary = 7) => ({
      documents: liveCount,
      liveCount,
      bytes: liveCount * 1_000,
      vocabulary,
    });
    expect(chooseIdleMerge([of(10), of(3)], 7)).toEqual([of(10), of(3)]);
    expect(chooseIdleMerge([of(10)], 7)).toBeUndefined();
    expect(chooseIdleMerge([of(150_000), of(5), of(90_000), of(7), of(1_000)], 7)).toEqual([of(5), of(7)]);
    expect(chooseIdleMerge([of(150_000), of(60_000), of(1), of(2)], 7)).toBeUndefined();
    expect(chooseIdleMerge([of(150_000, 6), of(60_000)], 7)).toEqual([of(150_000, 6)]);
  });
});
