import { expect, test } from 'vitest';
import { TITLE_FEATURES } from '../../../src/extract/html/titles/title-candidates.ts';
import { TITLE_WEIGHTS } from '../../../src/extract/html/titles/title-weights.ts';
import { fieldOf, jsonLd } from '../../helpers/extract-html.ts';

const TEXT = 'The office is open from nine to four, and on Fridays it closes at two in the afternoon.';
const SITE = '<meta property="og:site_name" content="Shop">';

test.each([
  ['an h1 that the head agrees with', '<title>Returns | Shop</title><h1>Other</h1><h1>Returns</h1>', 'Returns'],
  ['an h1 without its link mark', '<title>json — Docs</title><h1>json<a href="#json">¶</a></h1>', 'json'],
  [
    'an h1 with the button that the head has, too',
    '<title>Shelf, white, 30 cm - Shop</title><h1>Shelf, white, <button>30 cm</button></h1>',
    'Shelf, white, 30 cm',
  ],
  [
    'an h1 without the button beside it',
    '<title>Shop</title><h1>How returns work <button>Share</button><span role="status">Copied</span></h1>',
    'How returns work',
  ],
  [
    'an h1 without the sign of an icon font',
    '<h1>Returns<a class="headerlink" href="#returns">\uf0c1</a></h1>',
    'Returns',
  ],
  ['the sign of a name', '<title>Learn C# — Docs</title><h1>Learn C#</h1>', 'Learn C#'],
  ['the only h1', '<title>Shop</title><h1>How returns work</h1>', 'How returns work'],
  ['og:title without the site', `${SITE}<meta property="og:title" content="Returns - Shop">`, 'Returns'],
  ['title with the site at its start', `${SITE}<title>Shop: Returns</title><h1>A</h1><h1>B</h1>`, 'Shop: Returns'],
  ['title without the host', '<title>Returns – Site</title>', 'Returns'],
  ['a title that is only the site', `${SITE}<title>Shop</title>`, 'Shop'],
  ['no h1 that is the site', `${SITE}<title>Returns</title><h1>Shop</h1>`, 'Returns'],
  ['no slogan of a logo', '<title>How returns work | Shop</title><h1>Fine tools since 1920</h1>', 'How returns work'],
  ['an h1 without what stands behind a bar', '<title>Returns</title><h1>Returns | Help | Shop</h1>', 'Returns'],
  ['the headline of the article', jsonLd({ '@type': 'Article', headline: 'From data' }), 'From data'],
  [
    'the headline of microdata',
    '<div itemscope itemtype="http://schema.org/Article"><b itemprop="headline">Marked</b></div>',
    'Marked',
  ],
  ['the first heading', `<h2>Below</h2><p>${TEXT}</p>`, 'Below'],
  ['the path', `<p>${TEXT}</p>`, 'a page'],
  [
    'an h1 that nearly is the title',
    '<title>退货与换货的须知 - 商城</title><h1>退货与换货须知</h1><h1>客服</h1>',
    '退货与换货须知',
  ],
  ['letters of any script', '<title>返品について | ショップ</title><h1>返品について</h1>', '返品について'],
])('the title is %s', async (_, html, title) => {
  expect(await fieldOf(html, 'Title')).toEqual([title]);
});

const KETTLES = '<meta property="og:site_name" content="Kettle House">';

test.each([
  ['the name of its site', `${KETTLES}<title>Home</title>`, '/', 'Kettle House'],
  ['the name of its site, in German', `${KETTLES}<title>Startseite</title><h1>Startseite</h1>`, '/de/', 'Kettle House'],
  [
    'the name of its site in data',
    `${jsonLd({ '@type': 'WebSite', name: 'Kettle House' })}<h1>Home</h1>`,
    '/',
    'Kettle House',
  ],
  ['what else it is called', '<title>Home</title><h1>Kettles for all</h1><h1>Home</h1>', '/', 'Kettles for all'],
  ['its only name', '<title>Home</title>', '/', 'Home'],
  ['its own name', `${KETTLES}<title>Kettles for all</title>`, '/', 'Kettles for all'],
])('a home page has %s', async (_, html, path, title) => {
  expect(await fieldOf(`${html}<p>${TEXT}</p>`, 'Title', `https://site.example${path}`)).toEqual([title]);
});

test('another page may be called as home pages are', async () => {
  expect(await fieldOf(`${KETTLES}<title>Home</title>`, 'Title', 'https://site.example/sale/home')).toEqual(['Home']);
});

test('every feature has a weight', () => {
  expect(Object.keys(TITLE_WEIGHTS).sort()).toEqual([...TITLE_FEATURES].sort());
});
