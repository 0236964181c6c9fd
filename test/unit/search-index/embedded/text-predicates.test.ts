import { expect, test } from 'vitest';
import { type CompareOperator, matchesFilter } from '../../../../src/core/filters.ts';
import {
  setBitsOfMatchingTexts,
  TextAutomaton,
  type TextPredicate,
} from '../../../../src/search-index/embedded/query/text-predicates.ts';
import { type Random, seededRandom } from '../../../helpers/random.ts';
import { RUN_SEED } from '../../../helpers/run-seed.ts';

const LETTERS = ['a', 'b', 'A', 'ß', 'Å', 'å', 'İ', 'Σ', ' ', '\u{1f600}', '中'];
const ORDERS: readonly CompareOperator[] = ['gt', 'gte', 'lt', 'lte'];

const textOf = (random: Random, most: number) => random.list(0, most, () => random.pick(LETTERS)).join('');

function randomPredicate(random: Random): TextPredicate {
  const values = random.list(1, random.pick([1, 3, 40]), () =>
    random.chance(0.05) ? random.pick(['\ud83d', 'a\ude00', 'a'.repeat(2_000)]) : textOf(random, 5),
  );
  if (random.chance(0.2)) {
    return { kind: 'compare', field: 'F', operator: random.pick(ORDERS), values: values.slice(0, 1) };
  }
  return { kind: 'text', field: 'F', operator: random.pick(['prefix', 'contains']), values };
}

test(`one pass over the texts says of every predicate what the filter says of each text (TEST_SEED=${RUN_SEED})`, () => {
  const random = seededRandom(RUN_SEED);
  for (let round = 0; round < 300; round++) {
    const texts = random.list(0, 12, () => (random.chance(0.1) ? 'a'.repeat(3_000) : textOf(random, 40)));
    const predicates = random.list(1, random.pick([1, 4, 20]), () => randomPredicate(random));

    const marks = setBitsOfMatchingTexts(texts, texts.length, predicates);

    const expected = predicates.map((predicate) =>
      texts.map((text) => {
        const document = { id: '1', kind: 'PageContent', fields: new Map([['F', [text]]]) } as const;
        return matchesFilter(document, predicate, () => 'text') ? 1 : 0;
      }),
    );
    expect(
      marks.map((own) => [...own]),
      JSON.stringify([texts, predicates]),
    ).toEqual(expected);
  }
});

test('patterns that do not fit one table are spread over several', () => {
  const patterns = Array.from({ length: 60 }, (_, i) => Buffer.from(`${i}`.padStart(4, '0') + 'x'.repeat(4_000)));
  const wide = Buffer.from(Array.from({ length: 120 }, (_, i) => String.fromCharCode(0x100 + i)).join(''));

  const automata = TextAutomaton.build([...patterns, wide], 'anywhere');

  const text = Buffer.concat([Buffer.from('..'), patterns[3]!, Buffer.from(' '), wide, patterns[59]!]);
  const found: number[] = [];
  for (const automaton of automata) automaton.scan(text, text.length, (pattern) => found.push(pattern) > 0);
  expect(automata.length).toBeGreaterThan(1);
  expect(found.sort((a, b) => a - b)).toEqual([3, 59, 60]);
});
