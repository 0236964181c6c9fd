import { fileURLToPath } from 'node:url';
import type { StoredDocument } from '../../src/core/document.ts';
import { deletedDocument, storedDocument } from './stored-documents.ts';

/** Folder of the stored index of a format version, made by `scripts/make-index-fixture.ts`. */
export function indexFixture(version: number): string {
  return fileURLToPath(new URL(`../fixtures/stored/index-v${version}`, import.meta.url));
}

const WORDS = ['panel', 'turbine', 'meter', 'solar', 'wind', 'grid', 'storage', 'power'];
const ROWS = 60;

/** The changes that every index fixture was made from, one list per generation. Never changed: the files are not. */
export const FIXTURE_GENERATIONS: readonly (readonly StoredDocument[])[] = [
  Array.from({ length: ROWS }, (_, i) => original(i + 1)),
  [
    storedDocument({ rid: 3, seq: 101, fields: { Title: 'Replaced panel', Category: 'News', Price_number: '7' } }),
    ...Array.from({ length: 5 }, (_, i) => deletedDocument(10 + i, 102 + i)),
    storedDocument({
      rid: 70,
      seq: 110,
      language: 'de',
      fields: { Title: 'Neue Häuser', Category: ['Häuser', 'News'] },
    }),
  ],
];

function original(rid: number): StoredDocument {
  const word = (step: number) => WORDS[(rid * step) % WORDS.length] ?? '';
  return storedDocument({
    rid,
    language: rid % 5 === 0 ? 'da' : 'en',
    kind: rid % 9 === 0 ? 'FileContent' : 'PageContent',
    crawlerId: 17 + (rid % 2),
    fields: {
      Title: `The ${word(1)} ${rid}`,
      Description: `About ${word(3)} and ${word(5)}`,
      Content: [`${word(1)}s turn ${word(3)} into ${word(7)}.`, `${word(5)} `.repeat(1 + (rid % 20)).trim()],
      Url: `https://example.com/${word(1)}/${rid}`,
      Category: rid % 3 === 0 ? ['Guides', 'News'] : 'Guides',
      Price_number: String(rid * 1.5),
      Published_date: `2026-01-${String(1 + (rid % 28)).padStart(2, '0')}`,
      Place_geo_point: `${50 + rid / 10},${9 + rid / 10}`,
      Note: rid % 10 === 0 ? `A long note about ${word(1)} `.repeat(12) : 'short',
    },
  });
}

/** State of the store after all generations, by rid; deletions included. */
export function fixtureRows(): Map<number, StoredDocument> {
  return new Map(FIXTURE_GENERATIONS.flat().map((row) => [row.rid, row]));
}
