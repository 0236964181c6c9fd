/** A body that a site may send; bodies are made when they are asked for, as some are large. */
export type HostileInput = {
  readonly name: string;
  readonly contentType: string;
  /** Last segment of its URL. */
  readonly file: string;
  readonly body: () => Uint8Array;
  /** Takes seconds to make or to refuse: read in the long form of the test only. */
  readonly isHeavy?: boolean;
};

/** What an input may try to reach: neither may be read. */
export type Lures = { readonly url: string; readonly path: string };

const SENTENCE = 'Parcels are sent back within thirty days, if they are unused and nothing of them is missing. ';
const TEXT = `<p>${SENTENCE.repeat(3)}</p>`;
const MB = 1024 * 1024;

const page = (name: string, html: () => string, options: Partial<HostileInput> = {}): HostileInput => ({
  name,
  contentType: 'text/html; charset=utf-8',
  file: 'page.html',
  body: () => Buffer.from(html()),
  ...options,
});
const text = (name: string, file: string, body: () => string | Uint8Array, isHeavy = false): HostileInput => ({
  name,
  contentType: '',
  file,
  body: () => Buffer.from(body()),
  isHeavy,
});
const heavy = { isHeavy: true };
const script = (type: string, body: string, id = '') => `${TEXT}<script id="${id}" type="${type}">${body}</script>`;
const jsonLd = (body: string) => script('application/ld+json', body);

const TREES: readonly HostileInput[] = [
  page('100,000 nested tags', () => '<div>'.repeat(100_000) + SENTENCE),
  page('100,000 nested tags of two kinds', () => '<b><i>'.repeat(50_000) + SENTENCE),
  page('nested lists', () => '<ul><li>'.repeat(20_000) + SENTENCE),
  page('nested tables', () => '<table><tr><td>'.repeat(20_000) + SENTENCE),
  page('nested links', () => '<a href="/a">'.repeat(20_000) + SENTENCE),
  page('nested quotations with text', () => `<blockquote>${SENTENCE}`.repeat(5_000)),
  page('end tags without a start', () => '</div></p></table>'.repeat(100_000) + TEXT),
  page('crossed tags', () => '<b><i></b></i>'.repeat(50_000) + TEXT),
  page('open tags that never end', () => TEXT + '<div '.repeat(200_000)),
  page(
    'a million attributes',
    () => `<div ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}`).join(' ')}>${TEXT}`,
    heavy,
  ),
  page('many attributes on many elements', () =>
    `<p ${Array.from({ length: 100 }, (_, i) => `data-${i}="x"`).join(' ')}>x</p>`.repeat(1_000),
  ),
  page('an attribute of 8 MB', () => `<p title="${'x'.repeat(8 * MB)}">${TEXT}`),
  page('a class of many words', () => `<div class="${'nav side foot content '.repeat(20_000)}">${TEXT}`),
  page('many classes', () =>
    Array.from({ length: 20_000 }, (_, i) => `<p class="c${i} nav-${i} content-${i}">Text ${i} of it</p>`).join(''),
  ),
  page('equal ids', () => `<h2 id="a">Part</h2>${TEXT}`.repeat(5_000)),
  page(
    'ids that controls name',
    () =>
      `<button aria-controls="${Array.from({ length: 5_000 }, (_, i) => `i${i}`).join(' ')}">x</button>`.repeat(50) +
      TEXT,
  ),
];

const SIZES: readonly HostileInput[] = [
  page('one line of 50 MB', () => `<p>${'word '.repeat(10 * MB)}</p>`, heavy),
  page('one line of 9 MB', () => `<p>${'word '.repeat(1.8 * MB)}</p>`),
  page('one word of 9 MB', () => `<p>${'x'.repeat(9 * MB)}</p>`),
  page('200,000 elements', () => '<i>x</i>'.repeat(200_000)),
  page('30,000 headings', () => '<h2>Part of it</h2>'.repeat(30_000)),
  page('20,000 headings with text', () => '<h3>Part of it</h3><p>Some words of text.</p>'.repeat(20_000)),
  page('30,000 paragraphs', () => '<p>Some words of text.</p>'.repeat(30_000)),
  page('30,000 list items', () => `<ul>${'<li>Some words of text.</li>'.repeat(30_000)}</ul>`),
  page(
    'a table of 60,000 cells',
    () => `<table><tr><th>a<th>b</tr>${'<tr><td>one<td>two</tr>'.repeat(30_000)}</table>`,
  ),
  page('a table of one row', () => `<table><tr>${'<td>cell'.repeat(60_000)}</table>`),
  page(
    'a million links',
    () => Array.from({ length: 1_000_000 }, (_, i) => `<a href="/${i}">${i}</a>`).join(''),
    heavy,
  ),
  page('60,000 links', () => Array.from({ length: 60_000 }, (_, i) => `<a href="/${i}">Page ${i}</a>`).join(' ')),
  page('60,000 links to one page', () => '<a href="/a?b=c">Page</a> '.repeat(60_000)),
  page('60,000 dates', () => `<h1>Dates</h1>${'<time datetime="2026-01-02">2 January 2026</time> '.repeat(60_000)}`),
  page('60,000 options', () => `${TEXT}<select>${'<option>Some country'.repeat(60_000)}</select>`),
  page(
    '60,000 meta tags',
    () => `<meta name="keywords" content="a,b,c"><meta property="og:title" content="x">`.repeat(30_000) + TEXT,
  ),
  page(
    '20,000 alternates',
    () => Array.from({ length: 20_000 }, (_, i) => `<link rel="alternate" hreflang="de" href="/${i}">`).join('') + TEXT,
  ),
  page(
    '20,000 breadcrumbs',
    () => `<nav class="breadcrumb">${'<ol><li><a href="/a">A</a></ol>'.repeat(20_000)}</nav>${TEXT}`,
  ),
  page('20,000 blank lines', () => `<pre>${'\n'.repeat(2 * MB)}</pre>${TEXT}`),
  page(
    '60,000 hidden parts',
    () => '<div hidden style="display:none">Some hidden words of it</div>'.repeat(30_000) + TEXT,
  ),
  page('one noscript after the other', () => `<noscript>${SENTENCE.repeat(6)}</noscript>`.repeat(3_000)),
];

const COMMENTS: readonly HostileInput[] = [
  page('an unclosed comment', () => `${TEXT}<!-- ${SENTENCE.repeat(20_000)}`),
  page('comments that start over and over', () => TEXT + '<!--'.repeat(500_000)),
  page('an unclosed script', () => `${TEXT}<script>${'x'.repeat(5 * MB)}`),
  page('an unclosed title', () => `<title>${SENTENCE.repeat(20_000)}`),
  page('an unclosed quotation mark', () => `${TEXT}<a href="${SENTENCE.repeat(20_000)}`),
  page('marks that never end', () => '<div><!--fossick_off-->'.repeat(5_000) + TEXT),
  page(
    'marks in no order',
    () => '<!--fossick_on--><p><!--fossick_off--></p><!--fossick_off all-->'.repeat(5_000) + TEXT,
  ),
  page('character data sections', () => `${TEXT}${'<![CDATA['.repeat(100_000)}`),
  page('processing instructions', () => `${TEXT}${'<?php '.repeat(100_000)}`),
];

const DATA: readonly HostileInput[] = [
  page('JSON-LD 200,000 deep', () => jsonLd('['.repeat(200_000))),
  page('JSON-LD 100,000 deep and closed', () => jsonLd(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)),
  page('JSON-LD that names itself', () =>
    jsonLd(`{"@graph":[${'{"@id":"a","@type":"Article","isPartOf":{"@id":"a"}},'.repeat(5_000)}]}`),
  ),
  page('JSON-LD of trailing commas', () => jsonLd(`[${',"x",'.repeat(100_000)}]`)),
  page('JSON-LD of blanks', () => jsonLd(' \n\t,'.repeat(200_000))),
  page('JSON-LD of backslashes', () => jsonLd(`{"a":"${'\\'.repeat(400_000)}`)),
  page('20,000 products', () =>
    jsonLd(`[${'{"@type":"Product","name":"x","offers":{"price":"1"}},'.repeat(20_000)}{}]`),
  ),
  page('2,000 scripts of JSON-LD', () => jsonLd('{"@type":"Article","headline":"x"}').repeat(2_000)),
  page(
    'state 200,000 deep',
    () => `<div id="__next"></div>${script('application/json', '['.repeat(200_000), '__NEXT_DATA__')}`,
  ),
  page(
    'state of 200,000 texts',
    () =>
      `<div id="root"></div>${script('application/json', JSON.stringify(Array.from({ length: 100_000 }, (_, i) => `Text ${i} ${SENTENCE}`)).slice(0, 5 * MB), '__NEXT_DATA__')}`,
    heavy,
  ),
  page(
    'state of half strings',
    () => `<div id="root"></div>${script('application/json', `{"a":"${'\\"'.repeat(500_000)}`, '__NUXT_DATA__')}`,
  ),
  page(
    'microdata in itself',
    () => '<div itemscope itemtype="https://schema.org/Product" itemprop="offers">'.repeat(3_000) + TEXT,
  ),
];

const PATTERNS: readonly HostileInput[] = [
  page('digits without end', () => `<h1>1</h1><p>${'1'.repeat(200_000)}</p><p>${'1.'.repeat(100_000)}</p>`),
  page(
    'dates that are nearly some',
    () => `<h1>News</h1><p>${'2026-13-'.repeat(50_000)}</p><p>${'1. '.repeat(50_000)}</p>`,
  ),
  page(
    'words that begin like "enable JavaScript"',
    () =>
      `<div id="app"></div><script src="/a.js"></script><p>${'enable a b c '.repeat(3)}</p><noscript>${'please enable a b '.repeat(20_000)}</noscript>`,
  ),
  page('bylines that are nearly some', () => `<p class="byline author meta">${'by By BY '.repeat(50_000)}</p>${TEXT}`),
  page('a title of separators', () => `<title>${' | - – — » · • :'.repeat(20_000)}</title>${TEXT}`),
  page('a style of many parts', () => `<p style="${'left:-9;font-size:0.;color:#fff;'.repeat(20_000)}">${TEXT}`),
  page('prices that are nearly some', () => `<h1>Price</h1>${'<p class="price">1.234.567,8.9,</p>'.repeat(20_000)}`),
  page(
    'links that are nearly some',
    () => Array.from({ length: 20_000 }, (_, i) => `<a href="http:/${'/'.repeat(i % 50)}[${i}">x</a>`).join('') + TEXT,
  ),
  page('a base that is none', () => `<base href="http://[">${'<a href="../../../a">x</a>'.repeat(20_000)}${TEXT}`),
  page('one refresh after the other', () => '<meta http-equiv="refresh" content="0;url=/a">'.repeat(20_000) + TEXT),
  page('blanks of all kinds', () => `<p>${'\u00a0\u2003\u3000\t '.repeat(400_000)}</p>${TEXT}`),
  page('invisible characters', () => `<p>${'a\u200b\u202e\u00ad'.repeat(400_000)}</p>${TEXT}`),
  page('marks above letters', () => `<p>${'Z\u0351\u036b\u0343'.repeat(200_000)}</p>${TEXT}`),
  page('half surrogates', () => `<p>${'\\ud800'.repeat(1_000)}&#xd800;&#x110000;&#0;</p>${TEXT}`),
  page('an operator of many colons', () => `<p class="${':::'.repeat(20_000)}" id="${'-'.repeat(60_000)}">${TEXT}`),
];

const CHARSETS: readonly HostileInput[] = [
  page('random bytes', () => '', { body: () => Uint8Array.from({ length: MB }, (_, i) => (i * 2_654_435_761) >>> 13) }),
  page('UTF-16 of half pairs', () => '', {
    body: () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(2 * MB, 0xd8)]),
  }),
  page('declared UTF-7', () => `<meta charset="utf-7">+ADw-script+AD4-${TEXT}`),
  page('a charset that is none', () => `<meta charset="${'x'.repeat(3_000)}">${TEXT}`),
  page('2 MB of a charset that nobody names', () => '', {
    body: () =>
      Buffer.concat([
        Buffer.from('<p>'),
        Buffer.alloc(2 * MB, Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20])),
      ]),
  }),
  page('zero bytes', () => '', { body: () => Buffer.concat([Buffer.from('<html>'), Buffer.alloc(MB)]) }),
];

const PLAIN: readonly HostileInput[] = [
  text('text of one line', 'a.txt', () => 'word '.repeat(2 * MB)),
  text('text of blank lines', 'b.txt', () => '\n \n'.repeat(MB)),
  text('Markdown of emphasis', 'a.md', () => '*_'.repeat(200_000)),
  text('Markdown of quotations', 'b.md', () => '>'.repeat(200_000)),
  text('Markdown of brackets', 'c.md', () => '[a]('.repeat(100_000)),
  text('Markdown of tables', 'd.md', () => '|a'.repeat(200_000)),
  text('a table of quotation marks', 'a.csv', () => `${'"'.repeat(MB)},a\n`),
  text('a table of 500,000 columns', 'b.csv', () => 'a,'.repeat(500_000)),
  text('a table of 500,000 rows', 'c.csv', () => 'a;b;c\n'.repeat(500_000)),
  text('JSON 500,000 deep', 'a.json', () => '['.repeat(500_000)),
  text('JSON of a million values', 'b.json', () => `[${'1,'.repeat(MB)}1]`),
];

/** Documents whose declarations and addresses ask a parser to reach for something. */
const luring = ({ url, path }: Lures): readonly HostileInput[] => [
  text(
    'an XML entity bomb',
    'bomb.xml',
    () =>
      `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "lol">${Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]><l>&a30;</l>`,
  ),
  text(
    'an XML entity from a file',
    'entity.xml',
    () =>
      `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a SYSTEM "file://${path}"><!ENTITY b SYSTEM "${url}">]><l>&a;&b; some text</l>`,
  ),
  page(
    'XHTML with a DTD elsewhere',
    () =>
      `<?xml version="1.0"?><!DOCTYPE html SYSTEM "${url}dtd"><html xmlns="http://www.w3.org/1999/xhtml"><body>${TEXT}&xxe;</body></html>`,
  ),
  page(
    'addresses of a page',
    () =>
      `<base href="${url}"><link rel="stylesheet" href="a.css"><img src="b.png"><iframe src="file://${path}"></iframe><object data="${url}c"></object><script src="d.js"></script>${TEXT}`,
  ),
];

/** Pages and texts that are read in the process that asks. */
export function hostileMarkup(lures: Lures): readonly HostileInput[] {
  return [...TREES, ...SIZES, ...COMMENTS, ...DATA, ...PATTERNS, ...CHARSETS, ...PLAIN, ...luring(lures)];
}
