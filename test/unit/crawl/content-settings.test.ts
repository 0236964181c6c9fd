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
    ['a page without a rule', { pages: [{ profile: 'recall' }] }, 'content.pages[0].match', 'Invalid input'],
    ['a broken rule of a page', { pages: [{ match: 're:(' }] }, 'content.pages[0].match', 'is no rule for URLs'],
    ['a selector of a page', { pages: [{ match: '/a', include: ['>>'] }] }, 'content.pages[0].include[0]', 'selector'],
    ['pages within pages', { pages: [{ match: '/a', pages: [] }] }, 'content.pages[0].pages', 'no setting'],
  ])('%s', (_, content, path, message) => {
    expect(problems(content)).toEqual([[path, expect.stringContaining(message)]]);
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
