import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '../../../src/core/interface-languages.ts';
import { loadCatalogue, type MessageKey } from '../../../web/messages/catalogues.ts';
import { en } from '../../../web/messages/en.ts';
import type { Message } from '../../../web/messages/message.ts';

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const namesOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
const TRANSLATIONS = INTERFACE_LANGUAGES.filter((code) => code !== 'en');

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

/** Texts that are written in a language as they are in English. */
const AS_IN_ENGLISH: { readonly [Code in InterfaceLanguage]?: readonly MessageKey[] } = {
  fr: ['answer.source', 'answer.sources', 'box.completions', 'facets.date', 'facets.pages', 'pages.page'],
  it: ['results.file'],
  nl: ['facets.button', 'facets.label'],
  da: ['answer.stop'],
  cs: ['sort.relevance'],
  id: ['results.file'],
};

test.each(TRANSLATIONS)('the catalogue of %s repeats no English text but where both say it alike', async (code) => {
  const { catalogue } = await loadCatalogue([code]);
  const repeated = Object.entries(catalogue).filter(([key, message]) => {
    const english = formsOf(en[key as MessageKey]);
    return formsOf(message).some((text) => english.includes(text));
  });
  expect(repeated.map(([key]) => key).sort()).toEqual([...(AS_IN_ENGLISH[code] ?? [])].sort());
});

/** Texts of buttons, links that look like buttons, and options: they stand in one line beside others. */
const SHORT: readonly MessageKey[] = [
  'page.cancel',
  'menu.language',
  'menu.scheme',
  'menu.schemeAuto',
  'menu.schemeLight',
  'menu.schemeDark',
  'start.clearRecent',
  'box.submit',
  'results.withoutFilters',
  'results.lastPage',
  'results.file',
  'sort.label',
  'sort.relevance',
  'sort.newest',
  'sort.oldest',
  'pages.previous',
  'pages.next',
  'facets.label',
  'facets.button',
  'facets.clear',
  'facets.kind',
  'facets.language',
  'facets.pages',
  'facets.files',
  'facets.more',
  'facets.fewer',
  'facets.date',
  'facets.anyTime',
  'facets.pastWeek',
  'facets.pastMonth',
  'facets.pastYear',
  'facets.from',
  'facets.to',
  'facets.apply',
  'answer.summarize',
  'answer.stop',
  'answer.ask',
  'answer.helpful',
  'answer.notHelpful',
  'answer.more',
  'answer.again',
  'answer.copy',
  'answer.copyCode',
  'answer.copyLink',
  'widget.close',
  'error.retry',
];

test.each(TRANSLATIONS)('the labels of %s fit where the English ones do', async (code) => {
  const { catalogue } = await loadCatalogue([code]);
  const lengthOf = (message: Message) => Math.max(...formsOf(message).map((text) => text.length));
  const room = (key: MessageKey) => Math.max(12, 2.2 * lengthOf(en[key]));
  expect(SHORT.filter((key) => lengthOf(catalogue[key]) > room(key))).toEqual([]);
});

test.each(INTERFACE_LANGUAGES)('what is read out in %s holds what is shown (WCAG 2.5.3)', async (code) => {
  const { catalogue } = await loadCatalogue([code]);
  const written = (key: MessageKey) => formsOf(catalogue[key]).join().toLowerCase();
  expect(written('pages.previousLabel')).toContain(written('pages.previous'));
  expect(written('pages.nextLabel')).toContain(written('pages.next'));
  expect(written('results.removeFilter')).toContain('{name}: {value}');
});

test.each([
  [['pt-BR', 'en'], 'pt-BR'],
  [['tlh', 'en'], 'en'],
  [[], 'en'],
  [['EN-gb'], 'EN-gb'],
])('%j loads the catalogue of %s', async (wanted, expected) => {
  expect((await loadCatalogue(wanted)).code).toBe(expected);
});

test('every text of the interface is shown somewhere', () => {
  const sources = ['search', 'parts', 'widget'].flatMap((name) => {
    const folder = new URL(`../../../web/${name}/`, import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    return files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
  });
  const isShown = (key: string) => {
    const made = `\`${key.replace(/\.\w+$/, '')}.\${`;
    return sources.some((source) => source.includes(`'${key}'`) || source.includes(made));
  };
  expect(Object.keys(en).filter((key) => !isShown(key))).toEqual([]);
});
