import { expect, test } from 'vitest';
import { createPasswords } from '../../../src/accounts/passwords.ts';

const CHEAP = { costLog2: 4, blockSize: 8, parallelism: 1 };
const passwords = createPasswords(CHEAP);

test('a password is right against its own hash alone, which never looks the same', async () => {
  const [one, other] = [await passwords.hash('a walk in the rain'), await passwords.hash('a walk in the rain')];

  expect(one).not.toBe(other);
  expect(one).not.toContain('rain');
  expect(await passwords.verify('a walk in the rain', one)).toBe('right');
  expect(await passwords.verify('a walk in the sun', one)).toBe('wrong');
});

test('a letter of two parts is the same as in one', async () => {
  expect(await passwords.verify('caf\u0065\u0301 at nine', await passwords.hash('caf\u00e9 at nine'))).toBe('right');
});

test.each([undefined, '', 'plain', '$scrypt$ln=4,r=8,p=1$short$short', '$scrypt$ln=99$x$y'])(
  'nothing is right against %j',
  async (stored) => {
    expect(await passwords.verify('', stored)).toBe('wrong');
  },
);

test('a hash of another cost is outdated when it is right', async () => {
  const stored = await createPasswords({ ...CHEAP, costLog2: 5 }).hash('a walk in the rain');

  expect(await passwords.verify('a walk in the rain', stored)).toBe('outdated');
  expect(await passwords.verify('a walk in the sun', stored)).toBe('wrong');
});

test('of a flood the first are answered and the others told to come again', async () => {
  const flooded = createPasswords(CHEAP);
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => flooded.verify('x', undefined)));

  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(answers.length - refused.length).toBe(33);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'rate.exceeded' });
});
