import { describe, expect, test } from 'vitest';
import { wantsAddresses, withoutForeignAddresses } from '../../../src/ai/foreign-addresses.ts';

const URLS = ['https://www.pool.example/hours'];

describe('withoutForeignAddresses', () => {
  test.each([
    ['a host', 'All of it stands at evil.example/t15.', 'All of it stands at '],
    ['a host of a common domain', 'Look at evil-desk.com today.', 'Look at  today.'],
    ['a link', 'See https://evil.test/a?b=c for it.', 'See  for it.'],
    ['a host with a path', 'See evil.museum/pool for it.', 'See  for it.'],
    ['a mailbox', 'Write to desk@evil.museum about it.', 'Write to  about it.'],
    ['a script', "Open javascript:location='//evil.example' now.", 'Open  now.'],
    ['data', 'The page data:text/html,evil.example is it.', 'The page  is it.'],
  ])('takes out %s', (_, text, rest) => {
    expect(withoutForeignAddresses(text, URLS)).toBe(rest);
  });

  test.each([
    'Write to desk@pool.example or see www.pool.example/map and shop.pool.example.',
    'Node.js reads index.html and config.d/pool.conf since v1.2.',
    'It opens at 9:30, e.g. on Mondays: ask at desk no.4.',
    'The ratio is 16:9, and a ticket costs 7.50 euros.',
  ])('leaves alone: %s', (text) => {
    expect(withoutForeignAddresses(text, URLS)).toBe(text);
  });
});

test('a value wants no address, how to reach somebody does, and a summary none of others', () => {
  const question = { type: 'number', asksFor: undefined, intent: undefined } as const;

  expect(wantsAddresses(question, 'answer')).toBe(false);
  expect(wantsAddresses({ ...question, type: 'place' }, 'answer')).toBe(true);
  expect(wantsAddresses({ ...question, asksFor: 'email' }, 'summary')).toBe(true);
  expect(wantsAddresses({ ...question, type: 'other' }, 'summary')).toBe(false);
  expect(wantsAddresses({ ...question, intent: 'contact' }, 'summary')).toBe(true);
});
