import { describe, expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { extract } from '../../../src/extract/extract.ts';
import { compileContent } from '../../../src/extract/extract-settings.ts';
import { DEFAULT_EXTRACT_SETTINGS, type ParseFile } from '../../../src/extract/extraction.ts';
import { contentSettings } from '../../helpers/content-settings.ts';

const never = new AbortController().signal;
const parseFile: ParseFile = () => Promise.reject(new Error('a page is no file'));

function read(html: string, own: Readonly<Record<string, unknown>>, url = 'https://site.example/a/page') {
  const content = compileContent(contentSettings(own), () => () => true);
  const settings = { ...DEFAULT_EXTRACT_SETTINGS, content };
  const input = { url, body: Buffer.from(html), headers: { contentType: 'text/html' }, settings, now: 0 };
  return extract({ parseFile }, input, never);
}

const MAIN = `<p>${'The main part of the page has a good number of words. '.repeat(8)}</p>`;

/** Where the words `the wanted line` are: in the main text, around it, or nowhere. */
async function place(html: string, own: Readonly<Record<string, unknown>>) {
  const { fields, structure } = await read(html + MAIN, own);
  if (firstValue(fields, 'Content').includes('the wanted line')) return 'main';
  return structure.surroundings.includes('the wanted line') ? 'around' : 'nowhere';
}

const IN_NAVIGATION = '<nav class="top"><div id="a"><p>Here is the wanted line of text</p></div></nav>';
const HIDDEN = '<div class="cookie-banner" hidden><p>Here is the wanted line of text</p></div>';
const IN_MAIN =
  '<div class="box" id="b"><p>Here is the wanted line of text, with <i class="x">more</i> of what the page is about, and it ends like a sentence does.</p></div>';

describe('include and exclude', () => {
  test.each([
    ['no rule, in the navigation', IN_NAVIGATION, {}, 'around'],
    ['no rule, in the main part', IN_MAIN, {}, 'main'],
    ['include by class', IN_NAVIGATION, { include: ['.top'] }, 'main'],
    ['include by the second of several', IN_NAVIGATION, { include: ['.none', 'nav > #a p'] }, 'main'],
    ['include another element', IN_NAVIGATION, { include: ['.none'] }, 'around'],
    ['exclude the element', IN_MAIN, { exclude: ['.box p'] }, 'nowhere'],
    ['exclude an element around it', IN_MAIN, { exclude: ['.box'] }, 'nowhere'],
    ['exclude by what it holds', IN_MAIN, { exclude: ['div:has(.x)'] }, 'nowhere'],
    ['both on one element', IN_MAIN, { include: ['.box'], exclude: ['.box'] }, 'nowhere'],
    ['include within exclude', IN_MAIN, { include: ['.box p'], exclude: ['.box'] }, 'main'],
    ['exclude within include', IN_MAIN, { include: ['.box'], exclude: ['.box p'] }, 'nowhere'],
    [
      'an include mark within exclude',
      '<div class="box" data-fossick-include><p data-fossick-include>Here is the wanted line</p></div>',
      { exclude: ['.box'] },
      'nowhere',
    ],
    [
      'include what a mark leaves out',
      `<div data-fossick-ignore>${IN_NAVIGATION}</div>`,
      { include: ['.top'] },
      'nowhere',
    ],
    ['include what is hidden', '<p hidden class="k">Here is the wanted line of text</p>', { include: ['.k'] }, 'main'],
    ['hidden text', HIDDEN, {}, 'around'],
    ['hidden text that shall not be searched', HIDDEN, { index: { hidden: false } }, 'nowhere'],
  ])('%s', async (_, html, own, expected) => {
    expect(await place(html, own)).toBe(expected);
  });

  test('a part of a line, row or entry is left out of it', async () => {
    const html = `<p>Price <span class="vat">with tax</span> 100</p><table><tr><td>Weight<td class="vat">skip<td>3 kg</table>
      <dl><dt class="vat">Term<dd>Meaning of it</dl>`;
    const { fields } = await read(html, { include: ['p', 'table', 'dl'], exclude: ['.vat'] });

    expect(firstValue(fields, 'Content').split('\n')).toEqual(['Price 100', 'Weight | 3 kg', 'Meaning of it']);
  });

  test('links of what is excluded are followed', async () => {
    const { outlinks } = await read(`${MAIN}<div class="more"><a href="/next">Next</a></div>`, { exclude: ['.more'] });

    expect(outlinks).toMatchObject([{ url: 'https://site.example/next', follow: true }]);
  });

  test('selectors that cost too much are given up, and the trace says so', async () => {
    const html = `<ul>${'<li>An entry of the list</li>'.repeat(20_000)}</ul>`;

    const { trace } = await read(html, { exclude: ['li:nth-last-child(3n)'] });

    expect(trace.notes).toContain('work limit');
  });
});

test.each([
  ['https://site.example/guides/garden-tools/spades', ['Guides', 'Garden tools']],
  ['https://site.example/%C3%A6bler/r%F8d/x', ['Æbler', 'R%F8d']],
  ['https://site.example/page', undefined],
])('the folders of %s are its category when the page names none', async (url, category) => {
  const own = { categoryFromPath: true };

  expect((await read(MAIN, own, url)).fields.get('Category')).toEqual(category);
  const named = '<meta property="article:section" content="News">';
  expect((await read(named + MAIN, own, url)).fields.get('Category')).toEqual(['News']);
  expect((await read(MAIN, {}, url)).fields.get('Category')).toBeUndefined();
});
