import { expect, test } from 'vitest';
import { INTERFACE_LANGUAGES } from '../../../src/core/interface-languages.ts';
import { loadCatalogue } from '../../../web/messages/catalogues.ts';
import { en } from '../../../web/messages/en.ts';
import type { Message } from '../../../web/messages/message.ts';

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const namesOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();

test.each(INTERFACE_LANGUAGES)(
  'the catalogue of %s has every text with its values, and every plural form',
  async (code) => {
    const { catalogue } = await loadCatalogue([code]);
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
    const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
    const problems = Object.entries(catalogue).flatMap(([key, message]) => {
      const english: Message = en[key as keyof typeof en];
      const wanted = namesOf(formsOf(english).at(-1) ?? '');
      const isPlural = typeof english !== 'string';
      if (isPlural !== (typeof message !== 'string')) return [`${key}: plural forms or none`];
      if (isPlural && Object.keys(message).sort().join() !== [...categories].sort().join())
        return [`${key}: forms for ${categories.join(', ')}`];
      // Only a form for one or two things may leave their number out.
      const lacking = formsOf(message).filter((text) => {
        const left = wanted.filter((name) => !namesOf(text).includes(name));
        return left.length > (isPlural ? 1 : 0) || namesOf(text).some((name) => !wanted.includes(name));
      });
      return lacking.map((text) => `${key}: other values than ${wanted.join(', ')} in «${text}»`);
    });
    expect(problems).toEqual([]);
  },
);

test.each([
  [['pt-BR', 'en'], 'en'],
  [['tlh', 'en'], 'en'],
  [[], 'en'],
  [['EN-gb'], 'EN-gb'],
])('%j loads the catalogue of %s', async (wanted, expected) => {
  expect((await loadCatalogue(wanted)).code).toBe(expected);
});
