import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesIn, namesOf } from '../../../src/ai/question-names.ts';
import { passageOf } from '../../helpers/passages.ts';

const wordsOf = (question: string) => namesIn(question, 'en').map((name) => name.join(' '));

describe('the names of a question', () => {
  test.each([
    ['a number behind a word', 'What does the Marlo cabin 5 cost?', ['cabin 5']],
    ['a word with digits', 'Is the KX-4711 waterproof?', ['kx-4711']],
    ['a version', 'What is new in v1.2?', ['v1.2']],
    ['a word in capitals with an underscore', 'Why do I get SQLITE_BUSY?', ['sqlite_busy']],
    ['inner capitals', 'What does maxAge mean?', ['maxage']],
    ['each once', 'Is KX-4711 better than kx-4711?', ['kx-4711']],
    ['no price', 'What can I buy for 20 €?', []],
    ['no part of a number', 'What happened on day 12.5?', []],
    ['no plain words', 'Are dogs allowed in the garden?', []],
  ])('are %s', (_, question, names) => {
    expect(wordsOf(question)).toEqual(names);
  });
});

describe('a passage has a name', () => {
  const names = namesIn('What does cabin 5 cost?', 'en');
  test.each([
    ['in its text', { text: 'The cabin 5 costs 315 euros.' }, true],
    ['in other letters', { text: 'CABIN 5 costs 315 euros.' }, true],
    ['in its title', { text: 'It costs 315 euros.', title: 'Cabin 5' }, true],
    ['in a heading', { text: 'It costs 315 euros.', headings: ['Prices', 'Cabin 5'] }, true],
    ['beside letters of other languages', { text: 'The café of cabin 5 costs nothing.' }, true],
    ['across a mark', { text: 'The cabin (5) costs 315 euros.' }, true],
    ['not with words between', { text: 'The cabin costs 5 euros.' }, false],
    ['not with words between beside such letters', { text: 'The café in the cabin costs 5 euros.' }, false],
    ['not as part of another', { text: 'The cabin 52 costs 315 euros.' }, false],
    ['not as part of another number', { text: 'The cabin 5.2 costs 315 euros.' }, false],
    ['not as part of another word', { text: 'The log-cabin 5 costs 315 euros.' }, false],
  ])('%s', (_, passage, has) => {
    expect(namesOf(passageOf(passage), names)).toEqual(has ? names : []);
  });

  test('and one of several', () => {
    const several = namesIn('What does cabin 5 of KX-4711 cost?', 'en');
    const found = namesOf(passageOf({ text: 'Ask for kx-4711, which is cabin 6.' }), several);
    expect(found).toEqual([['kx-4711']]);
  });

  test('in ASCII as beside letters of other languages', () => {
    const pieces = ['cabin', '5', 'CABIN 5', 'kx-4711', '-', '.', '_', ' ', '2', 'x', '(', '\n'];
    const asked = namesIn('What does cabin 5 of KX-4711 cost?', 'en');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (own) => {
        const text = own.join('');
        expect(namesOf(passageOf({ text }), asked)).toEqual(namesOf(passageOf({ text: `${text} é` }), asked));
      }),
    );
  });
});
