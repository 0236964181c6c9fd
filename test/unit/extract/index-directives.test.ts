import { describe, expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { extract } from '../../../src/extract/extract.ts';
import { compileContent } from '../../../src/extract/extract-settings.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction, type ParseFile } from '../../../src/extract/extraction.ts';
import { contentSettings } from '../../helpers/content-settings.ts';

const never = new AbortController().signal;
const parseFile: ParseFile = () => Promise.reject(new Error('a page is no file'));

function read(html: string, marks: Readonly<Record<string, unknown>> = {}): Promise<Extraction> {
  const content = compileContent(contentSettings({ marks }), () => () => true);
  const settings = { ...DEFAULT_EXTRACT_SETTINGS, content };
  const headers = { contentType: 'text/html' };
  const input = { url: 'https://site.example/a/page', body: Buffer.from(html), headers, settings, now: 0 };
  return extract({ parseFile }, input, never);
}

/** Words of the page that are found anywhere in the document. */
async function found(html: string, marks?: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { fields, structure } = await read(html, marks);
  const text = `${firstValue(fields, 'Content')} ${structure.surroundings}`;
  return ['before', 'inside', 'after'].filter((word) => text.includes(word));
}

const wrapped = (start: string, end: string) =>
  `<p>A line that stands before it.</p>${start}<p>The line inside, and <a href="/in">a link</a>.</p>${end}<p>A line that comes after it.</p>`;

const OFF_TEXT = ['before', 'after'];
const ALL = ['before', 'inside', 'after'];

describe('text and links', () => {
  test.each([
    ['no mark', '<div>', '</div>', ALL, true],
    ['an empty attribute', '<div data-fossick-ignore>', '</div>', OFF_TEXT, true],
    ['text', '<div data-fossick-ignore="text">', '</div>', OFF_TEXT, true],
    ['links', '<div data-fossick-ignore="links">', '</div>', ALL, false],
    ['all', '<div data-fossick-ignore="all">', '</div>', OFF_TEXT, false],
    ['in capitals', '<div data-fossick-ignore=" ALL ">', '</div>', OFF_TEXT, false],
    ['another word', '<div data-fossick-ignore="yes">', '</div>', OFF_TEXT, true],
    [
      'links within text',
      '<div data-fossick-ignore><div data-fossick-ignore="links">',
      '</div></div>',
      OFF_TEXT,
      false,
    ],
    ['a comment', '<!--fossick_off-->', '<!--fossick_on-->', OFF_TEXT, true],
    ['a comment in other form', '<!--  FOSSICK_OFF\n Text -->', '<!-- fossick_on text -->', OFF_TEXT, true],
    ['a comment for links', '<!--fossick_off links-->', '<!--fossick_on-->', ALL, false],
    ['a comment for all', '<!--fossick_off all-->', '<!--fossick_on-->', OFF_TEXT, false],
    ['an end of another kind', '<!--fossick_off--><b><!--fossick_on links-->', '</b><!--fossick_on-->', OFF_TEXT, true],
    ['an unclosed comment', '<div><!--fossick_off all-->', '</div>', OFF_TEXT, false],
    ['an end without a start', '<!--fossick_on-->', '', ALL, true],
    ['another comment', '<!--googleoff: index-->', '<!--googleon: index-->', ALL, true],
    ['a comment across elements', '<div><!--fossick_off all--></div>', '<div><!--fossick_on--></div>', OFF_TEXT, false],
    [
      'comments within each other',
      '<!--fossick_off--><!--fossick_off all--><!--fossick_on-->',
      '<!--fossick_on-->',
      OFF_TEXT,
      true,
    ],
    ['no snippet', '<div data-nosnippet>', '</div>', ALL, true],
  ])('%s', async (_, start, end, words, follow) => {
    const html = wrapped(start, end);

    expect(await found(html)).toEqual(words);
    const { outlinks } = await read(html);
    expect(outlinks.map((link) => [link.url, link.follow])).toEqual([['https://site.example/in', follow]]);
  });

  test('of an element that a region holds in part only the marked text is left out', async () => {
    const html = '<div><p>The before <!--fossick_off-->inside</p><p>and inside too<!--fossick_on--> after it</p></div>';

    expect(await found(html)).toEqual(OFF_TEXT);
  });

  test('a mark that nothing ends goes no further than its parent', async () => {
    const html =
      '<header><!--fossick_off--><p>inside</p></header><main><p>A word before <!--fossick_off-->inside<!--fossick_on--> and after.</p></main>';

    expect(await found(html)).toEqual(OFF_TEXT);
  });

  test('foreign names work beside the stock ones', async () => {
    const marks = { attribute: 'Data-NoIndex', off: ['googleoff: index'], on: ['googleon: index'] };

    expect(await found(wrapped('<div data-noindex>', '</div>'), marks)).toEqual(OFF_TEXT);
    expect(await found(wrapped('<!--googleoff: all-->', '<!--googleon: all-->'), marks)).toEqual(ALL);
    expect(await found(wrapped('<!-- GoogleOff: index -->', '<!--googleon: index-->'), marks)).toEqual(OFF_TEXT);
    expect(await found(wrapped('<!--fossick_off-->', '<!--fossick_on-->'), marks)).toEqual(OFF_TEXT);
    expect(await found(wrapped('<div data-fossick-ignore>', '</div>'), marks)).toEqual(OFF_TEXT);
  });

  test('text that is left out gives no title, heading, author, image or date', async () => {
    const parts = `<h1>Fake title</h1><span class="byline">Ann Other</span><time datetime="2020-02-02" pubdate>then</time>
      <figure><img src="/logo.png"></figure><script type="application/ld+json">{"@type":"Article","headline":"X"}</script>`;
    const { fields } = await read(
      `<head><title>Real title</title></head><div data-fossick-ignore>${parts}</div><p>Text of the page.</p>`,
    );

    expect(Object.fromEntries(fields)).toMatchObject({ Title: ['Real title'], Content: ['Text of the page.'] });
    expect([...fields.keys()].filter((name) => name !== 'Language')).toEqual(['Title', 'Content']);
  });

  test('a part of a heading or link is left out of it', async () => {
    const html = '<h1>Returns <span data-fossick-ignore>edit this page</span></h1><p>Text of the page here.</p>';

    expect((await read(html)).fields.get('Title')).toEqual(['Returns']);
  });

  test('what must not be quoted is searched and grounds no answer', async () => {
    const { structure } = await read('<p>Ordinary line.</p><p data-nosnippet>A line that stays inside.</p>');

    expect(structure.sections.map(({ grounding, blocks }) => [grounding, blocks.map(({ text }) => text)])).toEqual([
      [true, ['Ordinary line.']],
      [false, ['A line that stays inside.']],
    ]);
  });
});

describe('main text', () => {
  const MAIN = `<main><p>${'The main part of the page has a good number of words. '.repeat(8)}</p></main>`;

  test.each([
    ['no mark', '<nav><p>Opening hours</p></nav>', false],
    ['a mark', '<nav><p data-fossick-include>Opening hours</p></nav>', true],
    ['a mark further up', '<nav data-fossick-include><ul><li>Opening hours</ul></nav>', true],
    ['a mark within a line', '<nav><p><span data-fossick-include>Opening</span> hours</p></nav>', true],
    ['a mark on hidden text', '<p hidden data-fossick-include>Opening hours</p>', true],
    [
      'a mark within what is ignored',
      '<nav data-fossick-ignore><p data-fossick-include>Opening hours</p></nav>',
      false,
    ],
  ])('%s', async (_, html, isMain) => {
    const { fields } = await read(`${html}${MAIN}`);

    expect(firstValue(fields, 'Content').includes('Opening hours')).toBe(isMain);
  });
});

describe('fields', () => {
  test.each([
    ['text', '<b data-fossick-field="Team">The <i>Blue</i> ones</b>', ['The Blue ones']],
    ['content before text', '<b data-fossick-field="Team" content="Red">Blue</b>', ['Red']],
    ['datetime', '<time data-fossick-field="Team" datetime="2026-01-10">in January</time>', ['2026-01-10']],
    ['value', '<data data-fossick-field="Team" value="7">seven</data>', ['7']],
    ['a meta element', '<meta name="fossick:Team" content=" Blue ">', ['Blue']],
    ['several', '<meta name="Fossick:Team" content="Blue"><meta name="fossick:Team" content="Red">', ['Blue', 'Red']],
    ['the same twice', '<b data-fossick-field="Team">Blue</b><b data-fossick-field="Team">Blue</b>', ['Blue']],
    ['none', '<b data-fossick-field="Team"> </b><meta name="fossick:Team">', undefined],
    ['one that is ignored', '<div data-fossick-ignore><b data-fossick-field="Team">Blue</b></div>', undefined],
    ['one between comments', '<!--fossick_off--><b data-fossick-field="Team">Blue</b><!--fossick_on-->', undefined],
    ['one in a hidden element', '<b hidden data-fossick-field="Team">Blue</b>', ['Blue']],
  ])('%s', async (_, html, values) => {
    const { fields, trace } = await read(`${html}<p>Text of the page.</p>`);

    expect(fields.get('Team')).toEqual(values);
    expect(trace.sources['Team']).toBe(values && 'mark');
  });

  test('a mark beats what the page says elsewhere', async () => {
    const { fields } = await read(
      '<meta property="og:title" content="A"><title>A</title><h1>A</h1><b data-fossick-field="Title">Chosen</b>',
    );

    expect(fields.get('Title')).toEqual(['Chosen']);
  });

  test.each(['Id', '_type', 'Url', 'Domain', 'fc_Title', 'x'.repeat(257)])('a page cannot set %s', async (name) => {
    const { fields } = await read(`<meta name="fossick:${name}" content="x"><p>Text of the page.</p>`);

    expect(fields.has(name)).toBe(false);
  });

  test.each([
    ['Price_number', '1.299,95 kr', '1299.95'],
    ['Price_number', 'on request', 'on request'],
    ['Start_date', '5 March 2027', '2027-03-05'],
    ['Place_geo_point', '55.676, 12.568', '55.676,12.568'],
    ['Price', '1.299,95 kr', '1.299,95 kr'],
  ])('the name %s says in what form %s is stored', async (name, content, value) => {
    const { fields } = await read(`<meta name="fossick:${name}" content="${content}"><p>Text.</p>`);

    expect(fields.get(name)).toEqual([value]);
  });

  test('names are kept in their case', async () => {
    const { fields } = await read('<meta name="fossick:productLine" content="x"><p>Text.</p>');

    expect([...fields.keys()]).toContain('productLine');
  });
});
