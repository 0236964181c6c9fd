import { expect, test } from 'vitest';
import { openSiteTexts, ownPart, type TextRole, textHash } from '../../../src/extract/html/titles/site-texts.ts';
import { extractHtml, jsonLd } from '../../helpers/extract-html.ts';

const PAGES = 64;
type Count = readonly [role: TextRole, text: string, share: number];

/** What 64 other pages say: shares of texts in their roles. */
function shares(counts: readonly Count[]) {
  const byHash = new Map(counts.map(([role, text, share]) => [textHash(role, text), share]));
  return (hash: string) => byHash.get(hash) ?? 0;
}

const siteOf = (...counts: readonly Count[]) =>
  openSiteTexts({ pages: PAGES, ofHost: shares(counts), ofFolder: () => 0 });

async function fieldsOf(html: string, counts: readonly Count[], url = 'https://site.example/docs/care.html') {
  const page = `${html}<p>The office is open from nine to four, and on Fridays it closes at two in the afternoon.</p>`;
  return (await extractHtml(page, { url, knownPages: PAGES, templateShare: shares(counts) })).fields;
}

const DOCS: Count = ['title part', 'Lumo 3.2 documentation', 1];
const HEAD = '<title>The care of wet sails | Lumo 3.2 documentation</title>';

test.each<[string, string, readonly Count[], string]>([
  [
    'no h1 that many pages of other titles have',
    `${HEAD}<h1>Lumo 3.2 documentation</h1><h1>The care of wet sails</h1>`,
    [DOCS, ['main heading', 'Lumo 3.2 documentation', 1]],
    'The care of wet sails',
  ],
  [
    'none of a few per cent',
    `${HEAD}<h1>Sail shed</h1>`,
    [DOCS, ['main heading', 'Sail shed', 0.06]],
    'The care of wet sails',
  ],
  [
    'the head without the name of the site before its beginning',
    '<title>Lumo: Sail Class Reference</title>',
    [['title part', 'Lumo', 1]],
    'Sail Class Reference',
  ],
  [
    'the head without the brackets of the site',
    '<title>Sail (Lumo 3.2 API)</title>',
    [['title part', '(Lumo 3.2 API)', 1]],
    'Sail',
  ],
  [
    'all of what head and heading both say',
    '<title>sail.care — getting started — Lumo 3.2 documentation</title><h1>sail.care — getting started</h1>',
    [DOCS],
    'sail.care — getting started',
  ],
  [
    'the head with a part that tells it from other pages',
    '<title>Sails - Prices - Shop</title>',
    [
      ['title part', 'Shop', 1],
      ['title part', 'Prices', 0.3],
      ['title part', 'Prices - Shop', 0.3],
      ['title part', 'Sails', 0.05],
    ],
    'Sails - Prices',
  ],
  [
    'the whole heading, where some pages begin alike',
    '<title>Sail shed - Rules: Care of sails</title><h1>Rules: Care of sails</h1>',
    [
      ['title part', 'Sail shed', 1],
      ['title part', 'Rules', 0.1],
      ['title part', 'Sail shed - Rules', 0.1],
    ],
    'Rules: Care of sails',
  ],
  [
    'a heading without the name of the site in it',
    '<title>Sail shed: Care of sails</title><h1>Sail shed: Care of sails</h1>',
    [['title part', 'Sail shed', 1]],
    'Care of sails',
  ],
  [
    'a heading that other pages have not, when they have the head',
    '<title>Lumo: Member List</title><div class="header"><div class="title">Sail Member List</div></div>',
    [
      ['title', 'Lumo: Member List', 0.14],
      ['title part', 'Lumo: Member List', 0.14],
      ['title part', 'Lumo', 1],
    ],
    'Sail Member List',
  ],
  [
    'the head of a page whose heading others have, too',
    '<title>Overview of the harbour | Site</title><h1>Overview</h1>',
    [
      ['title part', 'Site', 1],
      ['main heading', 'Overview', 0.03],
    ],
    'Overview of the harbour',
  ],
  [
    'a heading that pages of the same title have',
    '<title>Overview | Site</title><h1>Overview</h1>',
    [
      ['title', 'Overview | Site', 0.06],
      ['title part', 'Overview | Site', 0.06],
      ['title part', 'Overview', 0.06],
      ['title part', 'Site', 1],
      ['main heading', 'Overview', 0.06],
    ],
    'Overview',
  ],
  [
    'the name of the site, of the one page that is titled so',
    '<title>Lumo 3.2 documentation</title><h1>Lumo 3.2 documentation</h1>',
    [DOCS, ['main heading', 'Lumo 3.2 documentation', 1]],
    'Lumo 3.2 documentation',
  ],
  [
    'the first heading of the text, where all else names the site',
    '<title>Lumo</title><h1>Lumo</h1><h2>Care of wet sails</h2>',
    [
      ['title', 'Lumo', 1],
      ['title part', 'Lumo', 1],
      ['main heading', 'Lumo', 1],
    ],
    'Care of wet sails',
  ],
  [
    'the name without its kind, as the head has it',
    '<title>Sail (API)</title><h1>Annotation Interface Sail</h1>',
    [
      ['title part', '(API)', 1],
      ['heading start', 'Annotation Interface', 0.2],
    ],
    'Sail',
  ],
  [
    'the name without its kind and its parameters',
    '<title>Sail (API)</title><h1>Class Sail&lt;T&gt;</h1>',
    [
      ['title part', '(API)', 1],
      ['heading start', 'Class', 0.2],
    ],
    'Sail',
  ],
  [
    'what a third of the site is called, with the name in the address',
    '<title>Source code</title>',
    [
      ['title', 'Source code', 0.32],
      ['title part', 'Source code', 0.32],
    ],
    'Source code: care',
  ],
  [
    'the head, where the headings are numbered sections of it',
    '<title>Sails and masts</title><h1>1. Overview</h1><h1>2. How sails work</h1>',
    [
      ['main heading', '1. Overview', 0.1],
      ['numbered title', '', 0.6],
    ],
    'Sails and masts',
  ],
  [
    'a head with a part that no title has but this one',
    '<title>Lumo: Members - Functions</title>',
    [
      ['title part', 'Lumo', 1],
      ['title', 'Lumo: Members - Functions', 0.1],
      ['title part', 'Lumo: Members - Functions', 0.1],
      ['title part', 'Members - Functions', 0.1],
      ['title part', 'Functions', 0.1],
      ['title part', 'Lumo: Members', 0.1],
      ['title part', 'Members', 0.1],
    ],
    'Members - Functions',
  ],
  [
    'a heading whose beginning says what the page is',
    '<title>lumo.sail — Lumo</title><h1>Source code for lumo.sail</h1>',
    [
      ['title part', 'Lumo', 1],
      ['heading start', 'Source code', 0.2],
    ],
    'Source code for lumo.sail',
  ],
  [
    'a heading without its number, where many titles have one',
    '<h1>5.4. Handling parcels</h1>',
    [['numbered title', '', 0.6]],
    'Handling parcels',
  ],
  [
    'a heading with its number, where several sections are called so',
    '<h1>5.4. Overview</h1>',
    [
      ['numbered title', '', 0.6],
      ['title part', 'Overview', 0.03],
    ],
    '5.4. Overview',
  ],
  ['a heading with a number, where no other has one', '<h1>3. Advent</h1>', [], '3. Advent'],
])('the title among those of its site is %s', async (_, html, counts, title) => {
  expect((await fieldsOf(html, counts)).get('Title')).toEqual([title]);
});

test('a heading without its number is taken when the head says the same without it', async () => {
  const { fields } = await extractHtml('<title>Kinds of sails | Lumo</title><h1>1. Kinds of sails</h1>');

  expect(fields.get('Title')).toEqual(['Kinds of sails']);
});

test('headings that name the site, or that half of its pages have, are none of a page', async () => {
  const body = `<main><h1>Lumo docs</h1><h1>Sails</h1><h2>Examples</h2><p>${'The sail is dried in the wind. '.repeat(9)}</p>
<h2>Notes</h2><p>${'It is folded by two people. '.repeat(9)}</p></main>`;
  const counts: readonly Count[] = [
    ['title part', 'Lumo docs', 1],
    ['main heading', 'Lumo docs', 1],
    ['heading', 'Examples', 0.5],
    ['heading', 'Notes', 0.4],
  ];
  const { fields, structure } = await extractHtml(`<title>Sails | Lumo docs</title>${body}`, {
    knownPages: PAGES,
    templateShare: shares(counts),
  });

  expect(fields.get('Headings')).toEqual(['Sails', 'Notes']);
  expect(fields.get('Content')?.[0]).not.toContain('Lumo docs');
  expect(structure.sections.map(({ headings }) => headings.map(({ text }) => text))).toEqual([
    ['Sails', 'Examples'],
    ['Sails', 'Notes'],
  ]);
});

const FORUM = jsonLd({
  '@type': 'BreadcrumbList',
  itemListElement: ['Forums', 'Repair', 'Sails', 'Leaky kettle'].map((name, at) => ({
    position: at + 1,
    name,
    item: `/${at}`,
  })),
});

test.each<[string, readonly Count[], readonly string[]]>([
  ['all levels of a site without counts', [], ['Forums', 'Repair', 'Sails']],
  ['no first level of most pages', [['crumbs', 'Forums', 0.9]], ['Repair', 'Sails']],
  [
    'no second level of most pages',
    [
      ['crumbs', 'Forums', 0.9],
      ['crumbs', 'Forums\nRepair', 0.6],
    ],
    ['Sails'],
  ],
  ['a first level of some pages', [['crumbs', 'Forums', 0.4]], ['Forums', 'Repair', 'Sails']],
])('categories are %s', async (_, counts, levels) => {
  const page = `<title>Leaky kettle | Kettle House</title>${FORUM}<h1>Leaky kettle</h1>`;

  expect((await fieldsOf(page, counts)).get('Category')).toEqual(levels);
});

test('the section of a folder is a category, though all its pages have it', async () => {
  const page = `<title>Leaky kettle | Kettle House</title>${FORUM}<h1>Leaky kettle</h1>`;
  const folderShare = shares([['crumbs', 'Forums', 1]]);

  const { fields } = await extractHtml(page, { knownPages: PAGES, templateShare: () => 0, folderShare });

  expect(fields.get('Category')).toEqual(['Forums', 'Repair', 'Sails']);
});

test('a menu that is named as breadcrumbs is no category', async () => {
  const menu = `<div class="top-breadcrumb"><ul><li><a href="/a/">Sails</a><li><a href="/b/">Masts</a><li><a href="/c/">Ropes</a></ul></div>`;
  const crumbs = `<div class="breadcrumb"><a href="/">Home</a> &gt; <a href="/a/">Sails</a> &gt; Wet sails</div>`;
  const counts: readonly Count[] = ['Sails', 'Sails\nMasts', 'Sails\nMasts\nRopes'].map((run) => ['crumbs', run, 1]);

  const fields = await fieldsOf(`<title>Wet sails</title>${menu}${crumbs}<h1>Wet sails</h1>`, counts);

  expect(fields.get('Category')).toEqual(['Sails']);
});

test('an image of many pages is none of them, and the next one is taken', async () => {
  const html = `<meta property="og:image" content="/logo.png">${jsonLd({ '@type': 'Article', image: '/own.jpg' })}`;
  const logo: Count = ['image', 'https://site.example/logo.png', 0.3];

  expect((await fieldsOf(html, [])).get('Image')).toEqual(['https://site.example/logo.png']);
  expect((await fieldsOf(html, [logo])).get('Image')).toEqual(['https://site.example/own.jpg']);
  expect((await fieldsOf('<meta property="og:image" content="/logo.png">', [logo])).has('Image')).toBe(false);
});

test.each([
  ['Sails — Guides — Lumo', ['Lumo', 'Guides — Lumo'], 'Sails'],
  ['Lumo: Sails', ['Lumo'], 'Sails'],
  ['Lumo » Sails | Shop', ['Lumo', 'Shop'], 'Sails'],
  ['Sails (API)', ['(API)'], 'Sails'],
  ['Sails - wet and dry', ['Lumo'], 'Sails - wet and dry'],
  ['Lumo', ['Lumo'], 'Lumo'],
  ['', [], ''],
])('of %s, where %s are repeated, the own part is %s', (title, repeated, own) => {
  expect(ownPart(title, siteOf(...repeated.map((text): Count => ['title part', text, 0.9])))).toBe(own);
});

test.each([
  [2 / PAGES, false],
  [3 / PAGES, true],
  [1, true],
])('a text on %s of 64 pages is repeated: %s', (share, isRepeated) => {
  expect(siteOf(['title', 'Lumo', share]).isRepeated('title', 'LUMO ')).toBe(isRepeated);
  expect(siteOf(['title', 'Lumo', share]).isRepeated('heading', 'Lumo')).toBe(false);
});

test('of few pages three are many, and half of a folder is', () => {
  const ofTwenty = (share: number) =>
    openSiteTexts({ pages: 20, ofHost: shares([['title', 'Lumo', share]]), ofFolder: () => 0 });
  const ofFolder = (share: number) =>
    openSiteTexts({ pages: 20, ofHost: () => 0, ofFolder: shares([['title', 'Lumo', share]]) });

  expect([2 / 20, 3 / 20].map((share) => ofTwenty(share).isRepeated('title', 'Lumo'))).toEqual([false, true]);
  expect([0.4, 0.5].map((share) => ofFolder(share).isRepeated('title', 'Lumo'))).toEqual([false, true]);
});
