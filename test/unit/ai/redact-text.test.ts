import { expect, test } from 'vitest';
import { redactText } from '../../../src/ai/conversation.ts';
import { cpuMs } from '../../helpers/cpu-time.ts';

test.each([
  ['Write to jane.doe+x@example.co.uk.', 'Write to [e-mail].'],
  ['grüße@bücher.example please', '[e-mail] please'],
  ['Call +45 12 34 56 78 today', 'Call [number] today'],
  ['Call (030) 1234-5678', 'Call ([number]'],
  ['Card 4111 1111 1111 1111, thanks', 'Card [number], thanks'],
  ['My number is 010190-1234', 'My number is [number]'],
  ['Account DE89 3704 0044 0532 0130 00.', 'Account [number].'],
  ['since 2026-01-31', 'since 2026-01-31'],
  ['on 31.01.2026 or 1/2/2026', 'on 31.01.2026 or 1/2/2026'],
  ['version 1.24.3 of 2026, 25 years, 150000 km', 'version 1.24.3 of 2026, 25 years, 150000 km'],
  ['@home, a@b and 10 000', '@home, a@b and 10 000'],
])('%j is stored as %j', (text, stored) => {
  expect(redactText(text)).toBe(stored);
});

test('costs no more than the length of the text', () => {
  const texts = ['1 ', 'a.', 'a@', 'a@a.', '1-', 'AA11 '].map((part) => part.repeat(50_000));
  expect(cpuMs(() => texts.map(redactText))).toBeLessThan(2_000);
});
