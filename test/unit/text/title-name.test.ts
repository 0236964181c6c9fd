import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/text/analyzer.ts';
import { titleName } from '../../../src/text/title-name.ts';

test.each([
  ['23.6. Tablespaces', ['tablespaces']],
  ['F.28. pgcrypto', ['pgcrypto']],
  ['json — JSON encoder and decoder', ['json']],
  ['email.policy: Policy Objects', ['email', 'policy']],
  ['Contact | Town of Lyngby', ['contact']],
  ['Opening hours - Garden', ['opening', 'hours']],
  ['Edelweiss (Leontopodium nivale)', ['edelweiss']],
  ['1. Mai — Tag der Arbeit', ['mai']],
])('the name of %s is %o', (title, words) => {
  const { from, to } = titleName(title) ?? { from: 0, to: 0 };
  const positions = title.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');

  expect(positions.slice(from, to).flatMap(wordsOf)).toEqual(words);
});

test.each([
  'VACUUM',
  'Wi-Fi for all',
  'pg_hba.conf',
  '2024 in numbers',
  '— Notes',
  '3. ',
  '',
  `a${' a'.repeat(300)} — b`,
])('the name of %j is the whole title', (title) => {
  expect(titleName(title)).toBeUndefined();
});
