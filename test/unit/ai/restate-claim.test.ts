import { expect, test } from 'vitest';
import { makePassage, makeSource } from '../../helpers/answer-corpus.ts';
import { guardText } from '../../helpers/guarded.ts';

test.each([
  ['A visiting fellow is a member who does not pay.', 'A visiting fellow is a member who does not pay.⟨1⟩'],
  ['A visiting fellow is a member who pays.', ''],
  ['A fellow needs no boat to be admitted.', ''],
  ['The board accepts a visiting fellow.', 'The board accepts a visiting fellow.⟨1⟩'],
  ['The board rejects a visiting fellow.', ''],
])('judges what is said in other words by what it says: %s', async (written, sent) => {
  const sentences = [
    'A visiting fellow is a non-paying member of the club.',
    'A visiting fellow is admitted by the board and stays until its boat has been launched.',
  ];
  const options = {
    sources: [makeSource(1, makePassage({ documentId: 'fellows', title: 'Joining', sentences }))],
    question: 'What is a visiting fellow?',
    language: 'en',
    numbering: 'as-given' as const,
  };

  expect((await guardText(written, options)).text).toBe(sent);
});
