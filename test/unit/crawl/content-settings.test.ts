import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/errors.ts';
import { compileCrawlRules } from '../../../src/crawl/rules/crawl-rules.ts';
import { parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';

function problems(content: unknown): readonly (readonly [string, string])[] {
  try {
    parseCrawlSettings({ content });
    return [];
  } catch (error) {
    const found = error instanceof AppError ? error.options.problems : undefined;
    return (found ?? []).map(({ path, message }) => [path, message] as const);
  }
}

test('a crawler without settings of content has the stock ones', () => {
  expect(parseCrawlSettings({}).content).toEqual({
    profile: 'balanced',
    include: [],
    exclude: [],
    marks: { off: [], on: [] },
    fields: [],
    categoryFromPath: false,
    index: { hidden: true },
    pages: [],
  });
});

describe('what is wrong is refused with its path', () => {
  test.each([
    ['an unknown profile', { profile: 'best' }, 'content.profile', 'precision'],
    ['an unknown member', { profiles: 'recall' }, 'content.profiles', 'did you mean profile?'],
    ['a broken selector', { include: ['main', 'a[href'] }, 'content.include[1]', 'is no CSS selector'],
    ['an empty selector', { exclude: [' '] }, 'content.exclude[0]', 'is empty'],
    ['an unknown pseudo-class', { exclude: ['p:shiny'] }, 'content.exclude[0]', 'shiny'],
    ['the name of an attribute', { marks: { attribute: 'a b' } }, 'content.marks.attribute', 'name of an attribute'],
    ['the text of a comment', { marks: { off: ['<!-- off -->'] } }, 'content.marks.off[0]', 'text of a comment'],
    ['a page without a rule', { pages: [{ profile: 'recall' }] }, 'content.pages[0].match', 'is required'],
    ['a broken rule of a page', { pages: [{ match: 're:(' }] }, 'content.pages[0].match', 'is no rule for URLs'],
    ['a selector of a page', { pages: [{ match: '/a', include: ['>>'] }] }, 'content.pages[0].include[0]', 'selector'],
    ['pages within pages', { pages: [{ match: '/a', pages: [] }] }, 'content.pages[0].pages', 'no setting'],
  ])('%s', (_, content, path, message) => {
    expect(problems(content)).toEqual([[path, expect.stringContaining(message)]]);
  });
});

describe('a rule for a field is refused with its path', () => {
  const source = { constant: 'x' };

  test.each([
    ['no source', { name: 'A' }, '', 'exactly one of selector, xpath'],
    ['two sources', { name: 'A', meta: 'a', constant: 'x' }, '', 'exactly one of'],
    ['no name', { ...source }, '.name', 'is required'],
    ['a name of 257 characters', { ...source, name: 'x'.repeat(257) }, '.name', '1 to 256 characters'],
    ['blanks around a name', { ...source, name: ' A' }, '.name', 'without blanks'],
    ['control characters', { ...source, name: 'A\nB' }, '.name', 'control characters'],
    ['a field of the search', { ...source, name: '_type' }, '.name', 'makes itself'],
    ['an unknown member', { ...source, name: 'A', regex: 'x' }, '.regex', 'no setting'],
    ['a selector', { name: 'A', selector: 'a[' }, '.selector', 'is no CSS selector'],
    ['an attribute without selector', { ...source, name: 'A', attribute: 'href' }, '.attribute', 'selector only'],
    ['a path', { name: 'A', xpath: '//a/..' }, '.xpath', 'cannot be read at "/.." (character 4)'],
    ['a header of cookies', { name: 'A', header: 'Set-Cookie' }, '.header', 'not set-cookie'],
    ['a path of JSON-LD', { name: 'A', jsonLd: 'Product' }, '.jsonLd', 'Product.offers[].price'],
    ['an expression', { name: 'A', url: '(a' }, '.url', 'Invalid regular expression'],
    ['an expression without bound', { ...source, name: 'A', match: '(a)\\1' }, '.match', 'references to groups'],
    ['look-around', { ...source, name: 'A', match: 'a(?=b)' }, '.match', 'at character'],
    ['a replacement without match', { ...source, name: 'A', replace: '' }, '.replace', 'match only'],
    ['a form', { ...source, name: 'A', as: 'float' }, '.as', 'must be one of text, '],
    ['a form against the name', { ...source, name: 'A_number', as: 'date' }, '.as', 'must be number'],
    ['a form of dates', { ...source, name: 'A_date', dateFormat: 'DD.MM.YYYY' }, '.dateFormat', 'DD is none of'],
    ['a form of dates without day', { ...source, name: 'A_date', dateFormat: 'yyyy-MM' }, '.dateFormat', 'needs yyyy'],
    ['a form of dates for text', { ...source, name: 'A', dateFormat: 'yyyy-MM-dd' }, '.dateFormat', 'dates only'],
    ['a decimal sign for text', { ...source, name: 'A', decimal: ',' }, '.decimal', 'numbers only'],
    ['a condition', { ...source, name: 'A', when: { url: 're:[' } }, '.when.url', 'no rule for URLs'],
    ['a selector of a condition', { ...source, name: 'A', when: { selector: '..' } }, '.when.selector', 'selector'],
    ['a mode', { ...source, name: 'A', mode: 'prepend' }, '.mode', 'must be one of '],
  ])('%s', (_, rule, path, message) => {
    const fields = [{ ...source, name: 'Good' }, rule];

    expect(problems({ fields })).toEqual([[`content.fields[1]${path}`, expect.stringContaining(message)]]);
    expect(problems({ pages: [{ match: '/a', fields }] })).toEqual([
      [`content.pages[0].fields[1]${path}`, expect.stringContaining(message)],
    ]);
  });
});

test('of the settings for pages the first that matches counts, and what it leaves out holds as everywhere', () => {
  const content = {
    profile: 'recall',
    categoryFromPath: true,
    pages: [
      { match: '/blog/**', profile: 'precision' },
      { match: '/blog/**', categoryFromPath: false },
      { match: 'shop.test/p/**', index: { hidden: false } },
    ],
  };
  const { extract } = compileCrawlRules({ config: { seeds: ['https://site.test/'], content }, configVersion: 1 });
  const of = (url: string) => {
    const { profile, categoryFromPath, searchesHidden } = extract.content(url);
    return [profile, categoryFromPath, searchesHidden];
  };

  expect(of('https://site.test/')).toEqual(['recall', true, true]);
  expect(of('https://site.test/blog/2026/post')).toEqual(['precision', true, true]);
  expect(of('https://shop.test/p/1')).toEqual(['recall', true, false]);
});

test('pages are read anew under other settings of content', () => {
  const version = (content: unknown) => compileCrawlRules({ config: { content }, configVersion: 1 }).extractVersion;

  expect(version({})).toBe(version(undefined));
  expect(version({ profile: 'recall' })).not.toBe(version({}));
  expect(version({ pages: [{ match: '/a', include: ['b'] }] })).not.toBe(version({ pages: [{ match: '/a' }] }));
});
