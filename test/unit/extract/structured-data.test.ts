import { describe, expect, test } from 'vitest';
import { createMarkupReader } from '../../../src/extract/html/page-facts.ts';
import { parsePage, walkTree } from '../../../src/extract/html/page-tree.ts';
import { readJsonLd, textAt, textsAt } from '../../../src/extract/html/structured-data.ts';

describe('JSON-LD is read', () => {
  test.each([
    ['as it should be', '{"@type":"Book","name":"A"}'],
    ['in a comment of HTML', '<!-- {"@type":"Book","name":"A"} -->'],
    ['in a section', '<![CDATA[{"@type":"Book","name":"A"}]]>'],
    ['in a section that scripts ignore', '//<![CDATA[\n{"@type":"Book","name":"A"}\n//]]>'],
    ['with trailing commas', '{"@type":"Book","name":"A",}'],
    ['with control characters', '{"@type":"Book",\u0001"name":"A"}'],
    ['with line breaks in texts', '{"@type":"Book","name":"A","description":"one\ntwo"}'],
    ['with quotes as entities', '{&quot;@type&quot;:&quot;Book&quot;,&quot;name&quot;:&quot;A&quot;}'],
    ['with the address of the vocabulary', '{"@type":"https://schema.org/Book","name":"A"}'],
    ['with several types', '{"@type":["Thing","Book"],"name":"A"}'],
    ['in a list', '[{"@type":"Book","name":"A"}]'],
    ['in a graph', '{"@graph":[{"@type":"Book","name":"A"}]}'],
    ['below another item', '{"@type":"WebPage","mainEntity":{"@type":"Book","name":"A"}}'],
  ])('%s', (_, script) => {
    const book = readJsonLd([script]).find(({ types }) => types.includes('Book'));
    expect(textAt(book?.data, 'name')).toBe('A');
  });

  test('in the order of the page, broken scripts left out', () => {
    const item = (name: string) => JSON.stringify({ '@type': 'Book', name });
    const names = readJsonLd([item('A'), '{"@type":', `[${item('B')},${item('C')}]`]).map(({ data }) =>
      textAt(data, 'name'),
    );
    expect(names).toEqual(['A', 'B', 'C']);
  });

  test('items of lists and other pages are told from the page itself', () => {
    const product = { '@type': 'Product', name: 'own', isRelatedTo: { '@type': 'Product', name: 'related' } };
    const list = { '@type': 'ItemList', itemListElement: [{ item: { '@type': 'Product', name: 'listed' } }] };
    const items = readJsonLd([JSON.stringify([product, list])]);
    const listed = items.filter(({ isListed }) => isListed).map(({ data }) => textAt(data, 'name'));
    expect(listed).toEqual(['related', 'listed']);
  });

  test('no deeper than eight levels, and no more than 20,000 values', () => {
    const deep = `${'{"a":'.repeat(9)}{"@type":"Book"}${'}'.repeat(9)}`;
    const wide = JSON.stringify([...Array.from({ length: 20_000 }, () => ({})), { '@type': 'Book' }]);
    expect(readJsonLd([deep])).toEqual([]);
    expect(readJsonLd([wide])).toEqual([]);
  });
});

function markupOf(html: string) {
  const reader = createMarkupReader();
  walkTree(parsePage(html).root, {
    enter: (element) => {
      reader.enter(element);
      return undefined;
    },
    exit: reader.exit,
  });
  return reader.items;
}

describe('microdata is read', () => {
  const [book] = markupOf(`<div itemscope itemtype="https://schema.org/Book" itemid="urn:1">
    <h1 itemprop="name">A <b>book</b></h1><meta itemprop="isbn" content="123"><time itemprop="datePublished" datetime="2026-03-04">March</time>
    <a itemprop="url" href="/a"></a><img itemprop="image" src="/a.png"><span itemprop="keywords genre">novel</span>
    <div itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">Ann</span></div>
    <div itemprop="author" itemscope><span itemprop="name">Bob</span></div></div><span itemprop="name">nobody's</span>`);

  test.each([
    ['name', 'A book'],
    ['isbn', '123'],
    ['datePublished', '2026-03-04'],
    ['url', '/a'],
    ['image', '/a.png'],
    ['keywords', 'novel'],
    ['genre', 'novel'],
    ['@id', 'urn:1'],
  ])('%s', (member, value) => {
    expect(textsAt(book?.data, member)).toEqual([value]);
  });

  test('items within items, with or without a type', () => {
    expect(textsAt(book?.data, 'author.name')).toEqual(['Ann', 'Bob']);
  });
});

test('RDFa is read with and without a prefix', () => {
  const items =
    markupOf(`<meta property="og:title" content="no"><ol vocab="https://schema.org/" typeof="BreadcrumbList">
    <li property="itemListElement" typeof="schema:ListItem"><a property="item" href="/docs"><span property="schema:name">Docs</span></a></li></ol>`);
  expect(items.map(({ types, from, isListed }) => ({ types, from, isListed }))).toEqual([
    { types: ['BreadcrumbList'], from: 'rdfa', isListed: false },
    { types: ['ListItem'], from: 'rdfa', isListed: true },
  ]);
  expect(textAt(items[0]?.data, 'itemListElement.name')).toBe('Docs');
});
