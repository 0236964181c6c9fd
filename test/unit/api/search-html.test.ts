import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { bind } from '../../../src/api/binding.ts';
import { safeLink, searchHtmlResponse } from '../../../src/api/search/html.ts';
import { SEARCH_REQUEST } from '../../../src/api/search/schemas.ts';
import type { FacetConfig } from '../../../src/core/records.ts';
import { HOSTILE_ADDRESSES, HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';
import { elementsOf } from '../../helpers/html-parts.ts';

// Contract: 2.11.
const OBJECT = {
  QueryId: 'q',
  ResponseTime: 1,
  FixedQuery: '' as const,
  TotalDocument: 0,
  TypedDocuments: [],
  Facets: {},
  RangeFacets: {},
  TopHits: [] as const,
  Banners: [],
  Quicklinks: [] as const,
  Suggestions: [],
  Synonyms: [] as const,
  RelatedSearchDocuments: [],
  GenerativeAnswerAvailable: false,
};
type JsonObject = Parameters<typeof searchHtmlResponse>[0];

function htmlOf(members: Partial<JsonObject>, { sent = {}, facets = ENGINE_DEFAULTS.facets, language = 'en' } = {}) {
  const settings = { ...ENGINE_DEFAULTS, facets };
  const engine = { id: 6, customerId: 3, name: 'E', language, settings, managedBy: undefined, createdAt: 0 };
  const { request, template } = bind(SEARCH_REQUEST.v4, { query: 'solar', ...sent });
  const style = { prefixes: ['data-search', 'data-x'], language, template };
  const asked = { engine: { ...engine, publicSettings: {} as never }, request, style, maxResultWindow: 10_000 };
  return searchHtmlResponse({ ...OBJECT, ...members } as JsonObject, asked);
}

test('a banner is wrapped in an element that says which it is', () => {
  const banner = { Id: 12, Name: 'A "name"', Banner: '<p>Sale</p>', WebsiteId: 6 };

  expect(htmlOf({ Banners: [banner] }).Banners).toEqual([
    {
      ...banner,
      Banner:
        '<div data-search-result="banner" data-search-id="12" data-search-title="A &quot;name&quot;" data-x-result="banner" data-x-id="12" data-x-title="A &quot;name&quot;"><p>Sale</p></div>',
    },
  ]);
});

test.each([
  ['v4', ['wind & sun', 'heat'], ['wind & sun', 'heat']],
  [
    'v3',
    [
      { SearchTerm: 'wind & sun', DocsCount: 3 },
      { SearchTerm: 'heat', DocsCount: 1 },
    ],
    ['wind & sun', 'heat'],
  ],
])('related searches of %s are a list of links', (_version, related, expected) => {
  const { RelatedSearchesResult, RelatedSearchDocuments } = htmlOf({ RelatedSearchDocuments: related });

  expect(RelatedSearchesResult).toContain('<li><a data-search-related="wind &amp; sun"');
  const anchors = elementsOf(RelatedSearchesResult).filter(({ name }) => name === 'a');
  expect(anchors.map(({ text }) => text)).toEqual(expected);
  expect(anchors.map(({ attributes }) => attributes['data-x-related'])).toEqual(expected);
  expect(RelatedSearchDocuments).toEqual(related);
});

test.each([
  ['the best text of v4', 9, ['solar park', 'solar'], 'solar park'],
  ['the best text of v3', 0, [{ Text: 'solar park' }, { Text: 'solar' }], 'solar park'],
  ['as plain text', 0, ['a < b & "c"'], 'a < b & "c"'],
  ['nothing without suggestions', 0, [], ''],
  ['nothing from ten results on', 10, ['solar park'], ''],
])('DidYouMean is %s', (_what, TotalDocument, Suggestions, expected) => {
  expect(htmlOf({ TotalDocument, Suggestions }).DidYouMean).toBe(expected);
});

const facet = (name: string, field: string, inner = {}) => ({
  FieldName: name,
  Field: field,
  MissingCount: 0,
  AllCount: 2,
  Items: [{ Key: 'A & B', Count: 2, Facets: inner }],
});
const config = (name: string, operator: 'Or' | 'And'): FacetConfig => ({
  name,
  field: name,
  orderBy: 'DocCount',
  direction: 'Desc',
  size: 50,
  includeEmpty: false,
  operator,
  facets: [],
});

test('a facet goes by its field, its heading by its name', () => {
  const { Facets } = htmlOf({ Facets: { Topic: facet('Topic', 'Category') } });

  expect(Facets).toContain('>Topic</h3>');
  expect(Facets).toContain('<li><a data-facet-name="Category" data-facet="A &amp; B"');
});

test('data-multifacet stands on facets whose values are joined by Or', () => {
  const Facets = { One: facet('One', 'One'), Two: facet('Two', 'Two') };

  const { Facets: html } = htmlOf({ Facets }, { facets: [config('One', 'And'), config('Two', 'Or')] });

  const several = elementsOf(html).filter(({ attributes }) => 'data-multifacet' in attributes);
  expect(new Set(several.map(({ attributes }) => attributes['data-facet-name']))).toEqual(new Set(['Two']));
});

test('nested facets are lists inside the value that they belong to', () => {
  const { Facets } = htmlOf({ Facets: { Topic: facet('Topic', 'Topic', { Year: facet('Year', 'Year') }) } });

  const outer = elementsOf(Facets).filter(({ name, text }) => name === 'li' && text.includes('Year'));
  expect(outer).toHaveLength(1);
  expect(Facets).toContain('data-facet-name="Year" data-facet="A &amp; B"');
});

test('the words of the lists are in the language of the engine', () => {
  const Facets = { Topic: facet('Topic', 'Topic') };
  const all = (language: string) =>
    elementsOf(htmlOf({ Facets }, { language }).Facets).find((e) => e.name === 'a')?.text;

  expect(['da', 'de-AT', 'tlh'].map(all)).toEqual(['Alle', 'Alle', 'All']);
});

test.each(HOSTILE_TEXTS)('case %# of markup stays text in names of banners, related searches and facets', (text) => {
  const { Banners, RelatedSearchesResult, Facets } = htmlOf({
    Banners: [{ Id: 1, Name: text, Banner: '', WebsiteId: 6 }],
    RelatedSearchDocuments: [text],
    Facets: { [text]: { ...facet(text, text), Items: [{ Key: text, Count: 1, Facets: {} }] } },
  });

  const elements = elementsOf((Banners[0]?.Banner ?? '') + RelatedSearchesResult + Facets);

  expect(elements.map(({ name }) => name)).toEqual([
    ...['div', 'ul', 'li', 'a'],
    ...['div', 'h3', 'ul', 'li', 'a', 'li', 'a', 'span'],
  ]);
  expect(elements[3]?.text).toBe(text);
  expect(elements.at(-2)?.attributes['data-facet']).toBe(text);
});

test.each<readonly [address: string, isLink: boolean]>([
  ['https://example.com/a?b=1#c', true],
  ['http://example.com', true],
  ['/shop/1', true],
  ['../a', true],
  ['page.html', true],
  ['?page=2', true],
  ['//example.com/a', true],
  ['HTTPS://EXAMPLE.COM/', true],
  ['', false],
  ['  ', false],
  ['mailto:a@example.com', false],
  ['tel:1', false],
  ['https://exa mple.com/', false],
  ...HOSTILE_ADDRESSES.map((address) => [address, address.startsWith('https:')] as const),
])('the address %j is a link: %s', (address, isLink) => {
  expect(safeLink(address)).toBe(isLink ? address : undefined);
});
