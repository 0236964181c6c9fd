import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/extract.ts';
import { compileContent } from '../../../src/extract/extract-settings.ts';
import { DEFAULT_EXTRACT_SETTINGS, type ExtractInput, type ParseFile } from '../../../src/extract/extraction.ts';
import { contentSettings } from '../../helpers/content-settings.ts';

type Members = Readonly<Record<string, unknown>>;

const never = new AbortController().signal;
const noFiles: ParseFile = () => Promise.reject(new Error('a page is no file'));

const PAGE = `<html lang="en"><head><title>Spade</title>
<meta name="price" content="1.299,95 kr"><meta property="og:color" content="red"><meta property="og:color" content="blue">
<meta property="article:section" content="Tools">
<script type="application/ld+json">{"@graph":[
  {"@type":"Product","name":"Spade","brand":{"@type":"Brand","name":"Digger"},"inStock":true,
   "offers":[{"price":"299.00","url":"/a"},{"price":249,"url":"/b"}]},
  {"@type":"Article","author":[{"name":"Ann"},{"name":"Bob"}]}]}</script></head>
<body data-page="7"><main><h1>Spade</h1><p>${'The spade of the shop digs deep holes in every garden of the country. '.repeat(4)}</p>
<ul class="spec"><li>Weight: 2,5 kg</li><li>Length: 1.20 m</li><li>Colour: <b>red</b> / blue</li></ul>
<data class="net" content="129.000" title="129.000">129.000</data>
<a class="manual" href="/manual.pdf">Manual</a><span class="gps">55.676, 12.568</span>
<span class="when">Delivered 5.1.2027 at 14:30</span><span class="flag"> Yes </span><span class="blank"> </span></main></body></html>`;

function read(rules: readonly Members[], changes: Partial<ExtractInput> & { readonly own?: Members } = {}) {
  const { own = {}, ...input } = changes;
  const content = compileContent(contentSettings({ fields: rules, ...own }), (rule) => (url) => url.includes(rule));
  return extract(
    { parseFile: noFiles },
    {
      url: 'https://site.example/shop/garden/4711-spade?sku=A1',
      body: Buffer.from(PAGE),
      headers: { contentType: 'text/html', named: { 'x-product': 'P-9' } },
      settings: { ...DEFAULT_EXTRACT_SETTINGS, content },
      now: Date.parse('2026-11-20'),
      ...input,
    },
    never,
  );
}

async function value(rule: Members) {
  return (await read([{ name: 'Field', ...rule }])).fields.get(String(rule['name'] ?? 'Field'));
}

describe('sources', () => {
  test.each([
    ['text of an element', { selector: '.spec li' }, ['Weight: 2,5 kg']],
    [
      'text of all elements',
      { selector: '.spec li', all: true },
      ['Weight: 2,5 kg', 'Length: 1.20 m', 'Colour: red / blue'],
    ],
    ['what an element contains', { selector: '.spec li:contains(Length)' }, ['Length: 1.20 m']],
    ['one of those that are selected', { selector: '.spec li:eq(1)' }, ['Length: 1.20 m']],
    ['an attribute', { selector: 'body', attribute: 'Data-Page' }, ['7']],
    ['an attribute that is not there', { selector: 'body', attribute: 'id' }, undefined],
    ['a blank text', { selector: '.blank' }, undefined],
    ['nothing that is selected', { selector: '.none' }, undefined],
    ['a path', { xpath: "//ul[@class='spec']/li[2]" }, ['Length: 1.20 m']],
    ['a path to an attribute', { xpath: '//a/@href' }, ['/manual.pdf']],
    ['a meta element by name', { meta: 'Price' }, ['1.299,95 kr']],
    ['a meta element by property', { meta: 'og:color', all: true }, ['red', 'blue']],
    ['a header', { header: 'X-Product' }, ['P-9']],
    ['a header that is not there', { header: 'x-none' }, undefined],
    ['a member of an item', { jsonLd: 'Product.brand.name' }, ['Digger']],
    ['of a list the first', { jsonLd: 'Product.offers.price', all: true }, ['299.00']],
    ['of a list every one', { jsonLd: 'Product.offers[].price', all: true }, ['299.00', '249']],
    ['of a list every one, in the other form', { jsonLd: 'Product.offers.[].price', all: true }, ['299.00', '249']],
    ['of any item', { jsonLd: '*.author[].name', all: true }, ['Ann', 'Bob']],
    ['a truth value', { jsonLd: 'Product.inStock' }, ['true']],
    ['a member that is an object', { jsonLd: 'Product.brand' }, undefined],
    ['another type', { jsonLd: 'Event.name' }, undefined],
    ['a group of the URL', { url: String.raw`/(\d+)-` }, ['4711']],
    ['a named group of the URL', { url: '/shop/(?<category>[a-z]+)/(.*)' }, ['garden']],
    ['the whole match of the URL', { url: 'sku=[A-Z0-9]+' }, ['sku=A1']],
    ['no match of the URL', { url: 'blog' }, undefined],
    ['a constant', { constant: 'Shop' }, ['Shop']],
  ])('%s', async (_, rule, values) => {
    expect(await value(rule)).toEqual(values);
  });
});

describe('steps', () => {
  test.each([
    ['the first group', { selector: '.spec', match: String.raw`Weight: ([\d,]+)` }, ['2,5']],
    ['a named group', { selector: '.spec', match: 'Weight: (?:[^ ]*) (?<unit>[a-z]+)' }, ['kg']],
    ['the whole match', { selector: '.spec', match: String.raw`[\d.]+ m` }, ['1.20 m']],
    ['no match', { selector: '.spec', match: 'Height' }, undefined],
    ['the first value that matches', { selector: '.spec li', match: 'Length: (.*)' }, ['1.20 m']],
    ['a replacement', { meta: 'price', match: String.raw`\s*kr$`, replace: '' }, ['1.299,95']],
    ['every match is replaced', { meta: 'price', match: '[.,]', replace: '_' }, ['1_299_95 kr']],
    [
      'with groups',
      { url: String.raw`\d+-\w+`, match: String.raw`(\d+)-(?<name>\w+)`, replace: '$<name> no. $1 ($&, $$)' },
      ['spade no. 4711 (4711-spade, $)'],
    ],
    ['without a match the value stays', { meta: 'price', match: 'EUR', replace: '' }, ['1.299,95 kr']],
    ['at every place', { constant: 'abc', match: 'x*', replace: '-' }, ['-a-b-c-']],
    ['a separator', { selector: '.spec li:last-child', match: 'Colour: (.*)', split: '/' }, ['red', 'blue']],
    ['a map', { selector: '.spec b', map: { red: 'Red', blue: 'Blue' } }, ['Red']],
    ['a value that the map does not know', { selector: '.spec b', map: { green: 'Green' } }, ['red']],
    ['a fallback', { selector: '.none', fallback: 'unknown' }, ['unknown']],
    ['a fallback after a form', { selector: '.spec b', as: 'number', fallback: '0' }, ['0']],
    ['the same twice', { selector: 'h1, title', match: 'p', all: true }, ['p']],
  ])('%s', async (_, rule, values) => {
    expect(await value(rule)).toEqual(values);
  });
});

describe('forms', () => {
  test.each([
    ['number', { meta: 'price', as: 'number' }, '1299.95'],
    ['number', { constant: '12.5 %', as: 'number', decimal: '.' }, '12.5'],
    ['number', { constant: '1,299', as: 'number' }, '1299'],
    ['number', { constant: '1,299', as: 'number', decimal: ',' }, '1.299'],
    ['number', { constant: '1.299,5', as: 'number', decimal: ',' }, '1299.5'],
    ['number', { constant: 'from 1 299 to 2 000', as: 'number' }, '1299'],
    ['number', { constant: "CHF 12'500", as: 'number' }, '12500'],
    ['number', { constant: '−3 °C', as: 'number' }, '-3'],
    ['number', { constant: '2 for 100', as: 'number' }, '2'],
    ['number', { constant: 'none', as: 'number' }, undefined],
    ['number', { constant: '1,2,3', as: 'number', decimal: ',' }, undefined],
    ['date', { selector: '.when', as: 'date' }, '2027-01-05'],
    ['date', { constant: '1850-03-04', as: 'date' }, '1850-03-04'],
    ['date', { constant: '2026-02-30', as: 'date' }, undefined],
    ['date', { constant: 'soon', as: 'date' }, undefined],
    ['date', { selector: '.when', as: 'date', dateFormat: 'M.d.yyyy' }, '2027-05-01'],
    ['date', { selector: '.when', as: 'date', dateFormat: 'd.M.yyyy' }, '2027-01-05'],
    ['date', { constant: '05/01/1931 08:15', as: 'date', dateFormat: 'dd/MM/yyyy HH:mm' }, '1931-01-05T08:15:00'],
    ['date', { constant: '31.02.2026', as: 'date', dateFormat: 'dd.MM.yyyy' }, undefined],
    ['date', { constant: '05.01.1931 23:59:59', as: 'date', dateFormat: 'dd.MM.yyyy HH:mm:ss' }, '1931-01-05T23:59:59'],
    ['date', { constant: '05.01.1931 24:00:00', as: 'date', dateFormat: 'dd.MM.yyyy HH:mm:ss' }, undefined],
    ['date', { constant: '05.01.1931 23:60:00', as: 'date', dateFormat: 'dd.MM.yyyy HH:mm:ss' }, undefined],
    ['date', { constant: '05.01.1931 23:59:60', as: 'date', dateFormat: 'dd.MM.yyyy HH:mm:ss' }, undefined],
    ['url', { selector: '.manual', attribute: 'href', as: 'url' }, 'https://site.example/manual.pdf'],
    ['url', { constant: 'javascript:alert(1)', as: 'url' }, undefined],
    ['geo', { selector: '.gps', as: 'geo' }, '55.676,12.568'],
    ['geo', { constant: 'geo:-33.9;151.2', as: 'geo' }, '-33.9,151.2'],
    ['geo', { constant: '95, 12', as: 'geo' }, undefined],
    ['boolean', { selector: '.flag', as: 'boolean' }, 'true'],
    ['boolean', { constant: 'OFF', as: 'boolean' }, 'false'],
    ['boolean', { constant: 'perhaps', as: 'boolean' }, undefined],
    ['boolean', { constant: 'ja', map: { ja: 'yes' }, as: 'boolean' }, 'true'],
    ['text', { constant: ' a  b\n c ' }, 'a b c'],
  ])('%s: %o', async (_, rule, expected) => {
    expect(await value(rule)).toEqual(expected === undefined ? undefined : [expected]);
  });

  test.each([
    ['Price_number', { meta: 'price' }, ['1299.95']],
    ['Net_number', { selector: '.net', attribute: 'content' }, ['129']],
    ['Net_number', { xpath: '//data/@content' }, ['129']],
    ['Net_number', { selector: '.net', attribute: 'title' }, ['129000']],
    ['Net_number', { selector: '.net' }, ['129000']],
    ['Net_number', { selector: '.net', attribute: 'content', match: '(.*)' }, ['129000']],
    ['Net_number', { selector: '.net', decimal: '.' }, ['129']],
    ['Delivery_date', { selector: '.when' }, ['2027-01-05']],
    ['Place_geo_point', { selector: '.gps' }, ['55.676,12.568']],
    ['Weight_number', { constant: 'heavy' }, undefined],
  ])('the name %s says the form', async (name, rule, values) => {
    expect(await value({ name, ...rule })).toEqual(values);
  });
});

describe('order and conditions', () => {
  const constant = (text: string, own: Members = {}) => ({ name: 'Title', constant: text, ...own });

  test.each([
    ['a rule replaces what is known', [constant('A')], ['A']],
    [
      'the first that gives a value counts',
      [{ name: 'Title', selector: '.none' }, constant('B'), constant('C')],
      ['B'],
    ],
    ['fill leaves what is known', [constant('A', { mode: 'fill' })], ['Spade']],
    ['append adds to it', [constant('A', { mode: 'append' }), constant('B', { mode: 'append' })], ['Spade', 'A', 'B']],
    ['append adds to what a rule gave', [constant('A'), constant('B', { mode: 'append' })], ['A', 'B']],
    ['append adds nothing twice', [constant('Spade', { mode: 'append' })], ['Spade']],
    ['on other URLs', [constant('A', { when: { url: '/blog/' } })], ['Spade']],
    ['on these URLs', [constant('A', { when: { url: '/shop/' } })], ['A']],
    ['with an element', [constant('A', { when: { selector: 'ul.spec' } })], ['A']],
    ['without the element', [constant('A', { when: { selector: 'ol.spec' } })], ['Spade']],
    ['for files', [constant('A', { when: { kind: 'file' } })], ['Spade']],
    ['for pages', [constant('A', { when: { kind: 'page', url: '/shop/' } })], ['A']],
  ])('%s', async (_, rules, values) => {
    expect((await read(rules)).fields.get('Title')).toEqual(values);
  });

  test('a rule beats a mark of the page', async () => {
    const body = Buffer.from(`<b data-fossick-field="Team">Blue</b>${PAGE}`);

    expect((await read([], { body })).fields.get('Team')).toEqual(['Blue']);
    expect((await read([{ name: 'Team', constant: 'Red' }], { body })).fields.get('Team')).toEqual(['Red']);
  });

  test('marks in attributes have the numbers of machines, marked texts those of people', async () => {
    const marks = '<meta name="fossick:Net_number" content="129.000"><b data-fossick-field="Gross_number">1.299 kr</b>';
    const { fields } = await read([], { body: Buffer.from(`${marks}${PAGE}`) });

    expect([fields.get('Net_number'), fields.get('Gross_number')]).toEqual([['129'], ['1299']]);
  });

  test('the trace names the rule that filled a field', async () => {
    const { trace } = await read([
      { name: 'Team', selector: '.none' },
      { name: 'Team', constant: 'Red' },
    ]);

    expect(trace.sources['Team']).toBe('content.fields[1]');
  });

  test('asked to explain, it says what every rule did', async () => {
    const rules = [
      { name: 'Weight_number', selector: '.spec li', all: true },
      { name: 'Weight_number', constant: '1' },
      { name: 'Team', selector: '.none' },
      { name: 'Team', constant: 'Red', when: { kind: 'file' } },
    ];
    const { trace } = await read(rules, { explain: true });

    expect(trace.rules?.map(({ path, outcome, values, dropped }) => [path, outcome, values, dropped])).toEqual([
      ['content.fields[0]', 'used', ['2.5', '1.20'], 1],
      ['content.fields[1]', 'kept', [], 0],
      ['content.fields[2]', 'no-value', [], 0],
      ['content.fields[3]', 'not-meant', [], 0],
    ]);
    expect(trace.rules?.[0]?.raw).toEqual(['Weight: 2,5 kg', 'Length: 1.20 m', 'Colour: red / blue']);
    expect(trace.notes).toContain('content.fields[0]: 1 not of the wanted form');
    expect((await read(rules)).trace.rules).toBeUndefined();
  });

  test('of the rules for pages the first that match are in place of the others', async () => {
    const own = { pages: [{ match: '/shop/', fields: [{ name: 'Team', constant: 'Red' }] }] };
    const { fields, trace } = await read([{ name: 'Area', constant: 'North' }], { own });

    expect([fields.get('Team'), fields.get('Area')]).toEqual([['Red'], undefined]);
    expect(trace.sources['Team']).toBe('content.pages[0].fields[0]');
  });
});

describe('built-in fields', () => {
  test('text in place of Content is what answers are made from', async () => {
    const { fields, structure } = await read([{ name: 'Content', selector: '.spec li', all: true }]);

    expect(fields.get('Content')).toEqual(['Weight: 2,5 kg', 'Length: 1.20 m', 'Colour: red / blue']);
    expect(structure.sections.flatMap(({ blocks }) => blocks.map(({ text }) => text))).toEqual(fields.get('Content'));
  });

  test('text that is added to Content is a section of its own', async () => {
    const [plain, added] = await Promise.all([
      read([]),
      read([{ name: 'Content', constant: 'More.', mode: 'append' }]),
    ]);

    expect(added.structure.sections.slice(0, -1)).toEqual(plain.structure.sections);
    expect(added.structure.sections.at(-1)).toMatchObject({ grounding: true, blocks: [{ text: 'More.' }] });
    expect(new Set(added.structure.sections.map(({ id }) => id)).size).toBe(added.structure.sections.length);
  });

  test.each([
    ['a code', 'DA', 'da'],
    ['a locale', 'de-AT', 'de'],
    ['no code', '12', 'en'],
  ])('Language by %s', async (_, constant, code) => {
    const { fields, language } = await read([{ name: 'Language', constant }]);

    expect([fields.get('Language'), language?.code]).toEqual([[code], code]);
  });

  test('Url is absolute', async () => {
    expect(await value({ name: 'Url', constant: '/other' })).toEqual(['https://site.example/other']);
  });
});

describe('files', () => {
  const parseFile: ParseFile = async () => ({
    status: 'ok',
    reason: '',
    properties: { title: 'Manual', author: 'Ann', subject: 'Care of tools' },
    blocks: [{ kind: 'paragraph', level: 0, text: 'Oil the blade once a year.', grounding: true }],
    pageCount: undefined,
    links: [],
    notes: [],
    cuts: [],
  });
  const file = (rules: readonly Members[]) => {
    const content = compileContent(contentSettings({ fields: rules }), () => () => true);
    const settings = { ...DEFAULT_EXTRACT_SETTINGS, content };
    const body = Buffer.from('%PDF-1.4');
    const headers = { named: { 'x-product': 'P-9' } };
    return extract({ parseFile }, { url: 'https://site.example/m.pdf', body, headers, settings, now: 0 }, never);
  };

  test('have their properties as meta elements, headers, URL and constants', async () => {
    const { fields } = await file([
      { name: 'Topic', meta: 'Subject', when: { kind: 'file' } },
      { name: 'Product', header: 'x-product' },
      { name: 'Name', url: '([^/]+)$' },
      { name: 'Area', constant: 'North' },
      { name: 'None', selector: 'p' },
      { name: 'None', constant: 'x', when: { selector: 'p' } },
      { name: 'None', constant: 'x', when: { kind: 'page' } },
    ]);

    expect(['Topic', 'Product', 'Name', 'Area', 'None'].map((name) => fields.get(name)?.[0])).toEqual([
      'Care of tools',
      'P-9',
      'm.pdf',
      'North',
      undefined,
    ]);
  });
});

// Without bounds each of these takes minutes to years: the timeout of a test is what they are held against.
describe('pages that are made to be costly', () => {
  const notesOf = async (rules: readonly Members[], html: string) =>
    (await read(rules, { body: Buffer.from(html) })).trace.notes;

  test.each(['^(a+)+$', '^(a|aa)*$', '(.*a){12}$', String.raw`\s*(a+)\s*kr`])('%s ends', async (match) => {
    const rules = [{ name: 'Field', selector: 'p', match, fallback: 'none' }];
    const { fields } = await read(rules, { body: Buffer.from(`<p>${'a'.repeat(50_000)}!</p>`) });

    expect(fields.has('Field')).toBe(true);
  });

  test('text beyond what expressions may read is skipped, and noted', async () => {
    const rules = Array.from({ length: 30 }, (_, at) => ({ name: `F${at}`, selector: 'p', match: 'b' }));

    expect(await notesOf(rules, `<p>${'a'.repeat(90_000)}</p>`)).toContain('pattern limit');
  });

  test('selectors beyond what they may visit are skipped, and noted', async () => {
    const rules = Array.from({ length: 100 }, (_, at) => ({ name: `F${at}`, selector: `p:nth-child(${at}n) b` }));

    expect(await notesOf(rules, '<p>x</p>'.repeat(60_000))).toContain('work limit');
  });

  test('long texts within each other are read as far as the work of a page goes', async () => {
    const rules = Array.from({ length: 10 }, (_, at) => ({ name: `F${at}_number`, selector: 'div', all: true }));
    const html = `${'<div>'.repeat(200)}${'word '.repeat(20_000)}${'</div>'.repeat(200)}`;

    expect(await notesOf(rules, html)).toContain('work limit');
  });

  test('fields beyond the size of a document are cut, and noted', async () => {
    const rules = Array.from({ length: 30 }, (_, at) => ({ name: `F${at}`, selector: 'p' }));

    expect(await notesOf(rules, `<p>${'word '.repeat(20_000)}</p>`)).toContain('field limit');
  });
});
