import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wordGroups } from '../../../src/search/question-terms.ts';
import { stemWord } from '../../../src/text/stemming.ts';

const folder = (kind: string) => new URL(`../../../src/search/${kind}/`, import.meta.url);
const files = (['thesaurus', 'word-forms'] as const).flatMap((kind) =>
  readdirSync(folder(kind)).map((name) => ({ kind, language: name.replace('.txt', '') })),
);
const texts = async (words: readonly string[], kind: 'thesaurus' | 'word-forms', language: string) =>
  (await wordGroups(kind, language))?.findAt(words, 0)?.others.map(({ text }) => text);

test('words of a group stand for each other, however they are inflected', async () => {
  expect(await texts(['elevators'], 'thesaurus', 'en')).toEqual(['lift']);
  expect(await texts(['shutting', 'down'], 'thesaurus', 'en')).toContain('shutdown');
  expect(await texts(['bücherei'], 'thesaurus', 'de')).toEqual(['bibliothek', 'stadtbibliothek', 'stadtbücherei']);
});

test('a word of several groups has the words of all of them', async () => {
  expect(await texts(['abort'], 'thesaurus', 'en')).toEqual(expect.arrayContaining(['cancel', 'interrupt', 'undo']));
});

test('forms of one word are found by each of them', async () => {
  expect(await texts(['went'], 'word-forms', 'en')).toEqual(['go', 'gone']);
  expect(await texts(['gegangen'], 'word-forms', 'de')).toEqual(['gehen', 'geht', 'ging']);
});

test('languages without a file have no groups', async () => {
  expect(await wordGroups('thesaurus', 'xx')).toBeUndefined();
  expect(await wordGroups('word-forms', '../thesaurus/en')).toBeUndefined();
});

describe.each(files)('the $kind of $language', ({ kind, language }) => {
  const lines = readFileSync(new URL(`${language}.txt`, folder(kind)), 'utf8')
    .trimEnd()
    .split('\n');
  const groups = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(kind === 'thesaurus' ? ', ' : ' '));

  test('is made of small groups of distinct words in lower case', () => {
    for (const words of groups) {
      expect(words.length, words.join()).toBeGreaterThan(1);
      expect(words.length, words.join()).toBeLessThanOrEqual(8);
      expect(new Set(words).size, words.join()).toBe(words.length);
      expect(words.map((word) => word.toLowerCase())).toEqual(words);
      expect(words.filter((word) => word !== word.trim() || word === '')).toEqual([]);
    }
  });

  test('says more than the stemmer knows', () => {
    const known = groups.filter((words) => new Set(words.map((word) => stemWord(word, language))).size === 1);
    expect(known.map((words) => words.join())).toEqual([]);
  });
});
