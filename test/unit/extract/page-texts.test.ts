import { describe, expect, test } from 'vitest';
import { extractHtml, fieldOf, jsonLd } from '../../helpers/extract-html.ts';

const LONG = 'The office is open from nine to four, and on Fridays it closes at two in the afternoon.';
const JAPANESE = '事務所は朝九時から午後四時まで開いていますが、金曜日は午後二時に閉まりますのでご注意ください。';
const OWN = 'How parcels are returned, and who pays for it.';

describe('the description', () => {
  test.each([
    ['of a meta tag', `<meta name="Description" content=" ${OWN} ">`, OWN],
    ['of Open Graph', `<meta name="description" content="Shop"><meta property="og:description" content="${OWN}">`, OWN],
    ['of the article', jsonLd({ '@type': 'Article', description: `<p>${OWN}</p>` }), OWN],
    ['not of the publisher', `${jsonLd({ '@type': 'Organization', description: OWN })}<p>${LONG}</p>`, LONG],
    ['not the title again', `<meta name="description" content="${OWN}"><title>${OWN}</title><p>${LONG}</p>`, LONG],
    [
      'in Chinese, which needs half of the characters',
      '<meta name="description" content="办公室周五下午两点关门，周末休息。">',
      '办公室周五下午两点关门，周末休息。',
    ],
    ['of a Japanese paragraph', `<p>短い。</p><p>${JAPANESE}</p>`, JAPANESE],
    [
      'of a Chinese text without a stop, not cut at its first blank',
      `<p>FAQ ${'返品'.repeat(200)}</p>`,
      `FAQ ${'返品'.repeat(148)}`,
    ],
    [
      'of the first paragraph, whole sentences',
      `<p>Short.</p><p>${`${LONG} `.repeat(5)}</p>`,
      `${LONG} ${LONG} ${LONG}`,
    ],
    [
      'of a paragraph with sentences before names that stand above it',
      `<p>unsigned long long parse_hexadecimal( const char *text, char **end );</p><p>${LONG}</p>`,
      LONG,
    ],
    [
      'of names where there is nothing else',
      '<p>unsigned long long parse_hexadecimal( const char *text, char **end );</p>',
      'unsigned long long parse_hexadecimal( const char *text, char **end );',
    ],
  ])('%s', async (_, html, description) => {
    expect(await fieldOf(html, 'Description')).toEqual([description]);
  });
});

describe('the authors', () => {
  const article = (author: unknown) => jsonLd({ '@type': 'Article', author });
  test.each<[string, string, readonly string[] | undefined]>([
    ['of the article', article({ '@type': 'Person', name: 'Ann Lee' }), ['Ann Lee']],
    ['as a text', article('By Ann Lee'), ['Ann Lee']],
    ['several', article([{ name: 'Ann Lee' }, { name: 'Bo Ek' }]), ['Ann Lee', 'Bo Ek']],
    [
      'described by an item of their own',
      jsonLd({
        '@graph': [
          { '@type': 'Article', author: { '@id': '#a' } },
          { '@type': 'Person', '@id': '#a', name: 'Ann Lee' },
        ],
      }),
      ['Ann Lee'],
    ],
    ['of a meta tag', '<meta name="author" content="Ann Lee">', ['Ann Lee']],
    ['no address', '<meta property="article:author" content="https://social.example/ann">', undefined],
    ['no template that was not filled in', '<meta name="author" content="{{page.author}}">', undefined],
    [
      'of microdata',
      '<div itemscope itemtype="http://schema.org/Article"><b itemprop="author">Ann Lee</b></div>',
      ['Ann Lee'],
    ],
    ['of a link', '<a rel="author" href="/ann">Ann Lee</a>', ['Ann Lee']],
    ['of a line', '<p class="byline">By Ann Lee and Bo Ek | 4 March 2026</p>', ['Ann Lee', 'Bo Ek']],
    ['of a line with a date', '<p class="post-author">Ann Lee, March 4, 2026</p>', ['Ann Lee']],
    ['without a job', '<p><span class="author"><b>Ann Lee</b><i>Repair editor</i></span></p>', ['Ann Lee']],
    ['of two links', '<p class="byline">By <a href="/a">Ann Lee</a><a href="/b">Bo Ek</a></p>', ['Ann Lee', 'Bo Ek']],
    [
      'behind a line of its own',
      '<div class="byline"><div>Written by</div><div>Ann Lee</div><div>Editor</div></div>',
      ['Ann Lee'],
    ],
    ['far into the source', `<p class="byline">${' '.repeat(200)}By <b>Ann Lee</b></p>`, ['Ann Lee']],
    ['in two parts', '<p class="byline"><b>By</b><i>Ann</i><i>Lee</i></p>', ['Ann Lee']],
    ['no host', '<meta name="author" content="Agency.com">', undefined],
    ['of a German line', '<p class="author">Von Ann Lee</p>', ['Ann Lee']],
    ['of no comment', '<div class="comments"><p class="author">Ann Lee</p></div>', undefined],
    [
      'people before the site',
      '<meta property="og:site_name" content="Shop"><meta name="author" content="shop"><p class="byline">Ann Lee</p>',
      ['Ann Lee'],
    ],
  ])('%s', async (_, html, authors) => {
    expect(await fieldOf(`<h1>Returns</h1>${html}<p>${LONG}</p>`, 'Author')).toEqual(authors);
  });
});

test.each([
  ['Open Graph', '<meta property="og:image" content="/a.png">'],
  ['the article', jsonLd({ '@type': 'Article', image: { url: '/a.png' } })],
  ['a figure in the text', `<article><p>${LONG}</p><figure><img src="/a.png"></figure><p>${LONG}</p></article>`],
])('the image is that of %s, never that of the publisher', async (_, html) => {
  const publisher = jsonLd({ '@type': 'Organization', image: '/logo.png' });
  expect(await fieldOf(`${publisher}${html}`, 'Image')).toEqual(['https://site.example/a.png']);
});

describe('the headings', () => {
  const ASKED =
    '<h2>Before you go to another site</h2><p>You are about to leave this site. The other one is not ours, and we do not answer for what it says about parcels.</p><button>Go</button>';
  const paragraphs = (name: string) => Array.from({ length: 6 }, (_, at) => `<p>${LONG} ${name} ${at}.</p>`).join('');
  const SECTIONS = `${paragraphs('Depot')}<h2>Parcels</h2>${paragraphs('Parcel')}`;
  const headingsOf = (html: string) => fieldOf(html, 'Headings');

  test.each([
    ['told by its id', `<div id="exit">${ASKED}</div>`],
    ['told by its class', `<section class="cookie-consent">${ASKED}</section>`],
    ['told by its role', `<div role="dialog">${ASKED}</div>`],
    ['told by its effect', `<div aria-modal="true">${ASKED}</div>`],
    ['with a heading of the page’s rank', `<dialog open>${ASKED.replaceAll('h2', 'h1')}</dialog>`],
  ])('have none of a dialog %s', async (_, dialog) => {
    expect(await headingsOf(`${dialog}<h1>The depot</h1>${SECTIONS}`)).toEqual(['The depot', 'Parcels']);
  });

  const RANKS = ['Journeyman', 'Apprentice', 'Journeyman', 'Old hand', 'Journeyman', 'Apprentice'];
  const thread = (post: (rank: string, at: number) => string, ranks = RANKS) =>
    `<h1>Leaky boiler</h1>${ranks.map(post).join('')}`;

  test.each([
    [
      'in a list beside each post',
      thread(
        (rank, at) =>
          `<div class="post"><dl class="profile"><dt><a href="/u/${at}">Ann</a></dt><dd><h3>${rank}</h3></dd></dl><div class="body">${paragraphs(`Post ${at}`)}</div></div>`,
      ),
    ],
    [
      'above the text of each post',
      thread((rank, at) => `<div class="post"><b>Ann</b><div><h3>${rank}</h3></div>${paragraphs(`Post ${at}`)}</div>`),
    ],
  ])('have no ranks of members %s', async (_, html) => {
    expect(await headingsOf(html)).toEqual(['Leaky boiler']);
  });

  test.each([
    [
      'items that are called differently',
      thread((name, at) => `<article><h3>${name} ${at}</h3>${paragraphs('Post')}</article>`),
    ],
    ['one item after the other', thread((name, at) => `<h3>${name}</h3>${paragraphs(`Post ${at}`)}`)],
  ])('are those of %s', async (_, html) => {
    expect((await headingsOf(html))?.length).toBeGreaterThan(1);
  });

  test.each([
    [
      'a page about cookies',
      `<div class="cookies"><h1>Cookies</h1>${SECTIONS}${SECTIONS}</div>`,
      ['Cookies', 'Parcels'],
    ],
    [
      'a page that is a dialog',
      `<div role="dialog"><h1>Hours</h1><h2>Parcels</h2><p>${LONG}</p></div>`,
      ['Hours', 'Parcels'],
    ],
  ])('are those of %s', async (_, html, headings) => {
    expect(await headingsOf(html)).toEqual(headings);
  });
});

test('control characters are in no field of a page', async () => {
  const html = `<meta property="og:site_name" content="Sh\u0001op">${jsonLd({ '@type': 'Article', author: 'Ann\u0000 Lee', headline: 'Re\ud83dturns' })}`;
  const { fields } = await extractHtml(`${html}<p>Text&#2; of \u0003 a page.</p><pre>a\u0004\tb</pre>`);
  expect(['Site', 'Author', 'Title', 'Content'].map((name) => fields.get(name)?.[0])).toEqual([
    'Shop',
    'Ann Lee',
    'Returns',
    'Text of a page.\na\tb',
  ]);
});

test('keywords are those of meta tags and of links to all pages with a tag', async () => {
  const html =
    '<meta name="keywords" content="parcels, returns;parcels"><meta property="article:tag" content="post"><a rel="tag" href="/t/free">free</a>';
  expect(await fieldOf(html, 'Keywords')).toEqual(['parcels', 'returns', 'post', 'free']);
});
