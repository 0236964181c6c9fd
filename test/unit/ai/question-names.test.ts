import { describe, expect, test } from 'vitest';
import { hasName, knownNames, namesIn } from '../../../src/ai/question-names.ts';
import { passageOf } from '../../helpers/passages.ts';

const wordsOf = (question: string) => namesIn(question, 'en').map(({ words }) => words.join(' '));

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
  const [cabin] = namesIn('What does cabin 5 cost?', 'en');
  test.each([
    ['in its text', { text: 'The cabin 5 costs 315 euros.' }, true],
    ['in its title', { text: 'It costs 315 euros.', title: 'Cabin 5' }, true],
    ['in a heading', { text: 'It costs 315 euros.', headings: ['Prices', 'Cabin 5'] }, true],
    ['not with words between', { text: 'The cabin costs 5 euros.' }, false],
    ['not as part of another', { text: 'The cabin 52 costs 315 euros.' }, false],
  ])('%s', (_, passage, has) => {
    expect(cabin !== undefined && hasName(passageOf(passage), cabin)).toBe(has);
  });

  test('and a name that none has parts none from the others', () => {
    const names = namesIn('What does cabin 5 of KX-4711 cost?', 'en');
    const passages = [passageOf({ text: 'Cabin 5 is here.' }), passageOf({ text: 'Cabin 6 is here.' })];
    expect(knownNames(names, passages)).toEqual(names.filter(({ words }) => words[0] === 'cabin'));
  });
});
