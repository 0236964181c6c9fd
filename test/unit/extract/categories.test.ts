import { expect, test } from 'vitest';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';

const never = new AbortController().signal;

/** The categories of a page at `/docs/a-page` with these breadcrumbs. */
async function categoriesOf(breadcrumbs: string) {
  const html = `<title>A long title of the page</title>${breadcrumbs}<p>The office is open from nine to four.</p>`;
  const { fields } = await extract(
    { parseFile: () => Promise.reject(new Error('a page is no file')) },
    {
      url: 'https://site.example/docs/a-page',
      body: Buffer.from(html),
      headers: { contentType: 'text/html' },
      settings: DEFAULT_EXTRACT_SETTINGS,
      now: 0,
    },
    never,
  );
  return fields.get('Category');
}

const list = (entries: readonly (readonly [string, string?])[]) =>
  `<script type="application/ld+json">${JSON.stringify({
    '@type': 'BreadcrumbList',
    itemListElement: entries.map(([name, item], index) => ({ '@type': 'ListItem', position: index + 1, name, item })),
  })}</script>`;
const crumbs = (...entries: readonly string[]) =>
  `<nav class="breadcrumb"><ol>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ol></nav>`;
const HOME_LINK = '<a href="/">Home</a>';
const DOCS_LINK = '<a href="/docs/">Docs</a>';

test.each<[string, string, readonly string[]]>([
  [
    'the levels between home and the page',
    list([
      ['Home', '/'],
      ['Docs', '/docs/'],
      ['Short', '/docs/a-page'],
    ]),
    ['Docs'],
  ],
  ['a last level without address is the page', list([['Home', '/'], ['Docs', '/docs/'], ['Short']]), ['Docs']],
  [
    'a last level elsewhere stays',
    list([
      ['Home', '/'],
      ['Docs', '/docs/'],
      ['Setup', '/docs/setup/'],
    ]),
    ['Docs', 'Setup'],
  ],
  [
    'of microdata',
    `<ol itemscope itemtype="https://schema.org/BreadcrumbList">${['Home', 'Docs', 'Short'].map((name, index) => `<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a itemprop="item" href="/${index}"><span itemprop="name">${name}</span></a><meta itemprop="position" content="${index + 1}"></li>`).join('')}</ol>`,
    ['Docs', 'Short'],
  ],
  [
    'of RDFa',
    `<ol vocab="https://schema.org/" typeof="BreadcrumbList"><li property="itemListElement" typeof="ListItem"><a property="item" typeof="WebPage" href="/docs/"><span property="name">Docs</span></a></li><li property="itemListElement" typeof="ListItem"><span property="name">Setup</span></li></ol>`,
    ['Docs'],
  ],
  ['in German', crumbs('<a href="/">Startseite</a>', '<a href="/d/">Hilfe</a>', 'Short'), ['Hilfe']],
  ['in French', crumbs('<a href="/">Accueil</a>', '<a href="/d/">Aide</a>', 'Short'), ['Aide']],
  ['in Danish', crumbs('<a href="/">Forside</a>', '<a href="/d/">Hjælp</a>', 'Short'), ['Hjælp']],
  ['in Polish', crumbs('<a href="/">Strona główna</a>', '<a href="/d/">Pomoc</a>', 'Short'), ['Pomoc']],
  ['in Japanese', crumbs('<a href="/">ホーム</a>', '<a href="/d/">ヘルプ</a>', 'Short'), ['ヘルプ']],
  ['a first entry that leads home', crumbs('<a href="/">The shop</a>', '<a href="/d/">Tools</a>', 'Short'), ['Tools']],
  [
    'by its label',
    '<nav aria-label="Breadcrumb"><a href="/">Home</a> / <a href="/d/">Tools</a> / Short</nav>',
    ['Tools'],
  ],
  [
    'without their copies for screen readers',
    crumbs(
      '<a href="/h"><span class="sr-only">Home</span><span>Home</span></a>',
      '<a href="/tea"><span>Tea</span><span class="visually-hidden">Tea</span></a>',
      'Short',
    ),
    ['Tea'],
  ],
  ['what two elements repeat once', crumbs(HOME_LINK, '<a href="/tea"><b>Tea</b><b>Tea</b></a>', 'Short'), ['Tea']],
  [
    'in texts for screen readers alone, where there is no other',
    crumbs(
      '<a href="/h"><svg></svg><span class="sr-only">Home</span></a>',
      '<a href="/tea">Tea<b>pots</b></a>',
      'Short',
    ),
    ['Teapots'],
  ],
  ['visible: a last entry without link is the page', crumbs(HOME_LINK, DOCS_LINK, 'Short'), ['Docs']],
  ['visible: a last entry with a link stays', crumbs(HOME_LINK, DOCS_LINK), ['Docs']],
  ['of a root line', `<div class="rootline">${HOME_LINK} &gt; <a href="/d/">Hilfe</a> &gt; Short</div>`, ['Hilfe']],
  [
    'of links without any name, to a folder of the page',
    `<div class="flex gap-2">${HOME_LINK}<span>/</span>${DOCS_LINK}</div><h1>Short</h1>`,
    ['Docs'],
  ],
  [
    'of links without any name, with the heading behind them',
    `<table><tr><td><font>${HOME_LINK} : <a href="/d/">Help</a> : Short</font><h1><font>Short</font></h1></td></tr></table>`,
    ['Help'],
  ],
])('%s', async (_, html, levels) => {
  expect(await categoriesOf(html)).toEqual(levels);
});

test.each([
  [
    'leads elsewhere',
    `<div>${HOME_LINK} | <a href="/shop/">Shop</a> | <a href="/contact/">Contact</a></div><h1>Short</h1>`,
  ],
  [
    'has no marks',
    `<header>${HOME_LINK}<nav>${DOCS_LINK}<a href="/docs/a-page">Short</a></nav></header><h1>Short</h1>`,
  ],
  ['begins elsewhere', `<div><a href="/shop/">Shop</a> ${HOME_LINK} ${DOCS_LINK}</div><h1>Short</h1>`],
  ['stands behind the heading', `<h1>Short</h1><div>${HOME_LINK} / ${DOCS_LINK}</div>`],
])('a row of links that %s is no category', async (_, html) => {
  expect(await categoriesOf(html)).toBeUndefined();
});
