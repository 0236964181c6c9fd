import type { StoredDocument } from '../../src/core/document.ts';
import { type Random, seededRandom } from './random.ts';
import { storedDocument } from './stored-documents.ts';

const LETTERS = [...'etaoinshrdlucmfwypvbgkjqxzå'];
const words = seededRandom(1);
const WORDS = Array.from({ length: 5_000 }, () => words.list(3, 10, () => words.pick(LETTERS)).join(''));

/** Ordinary words, the frequent ones far more often, until a text has so many characters. */
export function longText(random: Random, chars: number): string {
  let text = '';
  while (text.length < chars) text += `${random.pickSkewed(WORDS)} `;
  return text;
}

/** Pages of so many characters, each with a value of every type. */
export function longDocuments(count: number, chars: number): readonly StoredDocument[] {
  const random = seededRandom(chars);
  return Array.from({ length: count }, (_, i) =>
    storedDocument({
      rid: i + 1,
      fields: {
        Title: `Page ${i} of ${longText(random, 30)}`,
        Content: longText(random, chars),
        Category: `category ${i % 20}`,
        Unique: `value ${i}`,
        Number: `${i}`,
        Seen_date: new Date(1_700_000_000_000 + i * 3_600_000).toISOString(),
        Place_geo_point: `${40 + (i % 100) / 10},${10 + (i % 70) / 10}`,
      },
    }),
  );
}
