import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type ExtractInput, type ParseFile } from '../../../src/extract/extraction.ts';
import { unreadFile } from '../../../src/extract/files/file-status.ts';
import { similarityHashOf } from '../../../src/extract/fingerprints.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const never = new AbortController().signal;
const noFiles: ParseFile = () => Promise.reject(new Error('a page is no file'));

type Changes = Omit<Partial<ExtractInput>, 'body'> & { readonly parseFile?: ParseFile };

function page(body: string | Uint8Array, { parseFile = noFiles, ...changes }: Changes = {}) {
  const input: ExtractInput = {
    url: 'https://site.example/docs/a-page',
    body: typeof body === 'string' ? Buffer.from(body) : body,
    headers: { contentType: 'text/html' },
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: NOW,
    ...changes,
  };
  return extract({ parseFile }, input, never);
}

const TEXT = 'The office is open from nine to four, and on Fridays it closes at two in the afternoon.';

test.each(['templateShare', 'folderShare'] as const)(
  'a page keeps its only text, whatever other pages say: %s',
  async (share) => {
    const { fields } = await page(`<main><h1>Page 7</h1><p>${TEXT}</p></main>`, { [share]: () => 1 });
    expect(fields.get('Content')?.[0]).toContain(TEXT.trim().slice(0, 60));
  },
);

describe('a page of lone titles', () => {
  const entries = (name: string, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `<li class="menu-item"><a href="/${name}/${at}">${name} ${at}</a></li>`,
    ).join('');
  const TITLES = [
    ...['Light on the water', 'The boat house', 'Summer on the quay', 'Nets and knots', 'A walk to the mill'],
    ...['Old harbour maps', 'Winter moorings', 'The keeper of bells', 'Stones of the shore', 'Songs of the crew'],
  ];
  const cardsOf = (titles: readonly string[]) =>
    titles.map((title, at) => `<div class="menu-item"><a href="/card/${at}"><h4>${title}</h4></a></div>`).join('');
  const pageOf = (cards: string) =>
    `<nav class="main-nav"><ul class="menu">${entries('Visit plan', 25)}</ul>${cards}</nav>` +
    `<footer><ul class="menu">${entries('Foot note', 20)}</ul></footer>`;

  test('has them as its text, marked as unlikely', async () => {
    const { status, fields, trace, structure } = await page(pageOf(cardsOf(TITLES)));

    expect([status, fields.get('Content')]).toEqual(['ok', [TITLES.join('\n')]]);
    expect(trace.sources['Content']).toBe('best of unlikely blocks');
    expect(structure.sections).toEqual([]);
  });

  test.each([
    ['of which there are only two', cardsOf(TITLES.slice(0, 2)), {}],
    ['that other pages have, too', cardsOf(TITLES), { templateShare: () => 1 }],
  ])('has no text of titles %s', async (_, cards, changes) => {
    expect((await page(pageOf(cards), changes)).status).toBe('empty');
  });
});

test('a page of which all but its heading is a repeated menu has no menu for its text', async () => {
  const links = Array.from({ length: 12 }, (_, at) => `<p><a href="/${at}">Opening hours of the office ${at}</a></p>`);
  const read = (templateShare: () => number) =>
    page(`<main><h1>Page 7</h1>${links.join('')}</main>`, { templateShare });

  expect((await read(() => 0)).fields.get('Content')?.[0]).toContain('Opening hours');
  expect((await read(() => 1)).fields.get('Content')).toEqual(['Page 7']);
});

describe('directives', () => {
  test.each<[string, string | undefined, Partial<{ index: boolean; follow: boolean; snippet: boolean }>]>([
    ['', undefined, { index: true, follow: true, snippet: true }],
    ['<meta name="robots" content="noindex">', undefined, { index: false, follow: true }],
    ['<meta name="ROBOTS" content="NOINDEX, NOFOLLOW">', undefined, { index: false, follow: false }],
    ['<meta name="robots" content="none">', undefined, { index: false, follow: false }],
    ['<meta name="robots" content="nosnippet">', undefined, { snippet: false }],
    ['<meta name="robots" content="max-snippet:0">', undefined, { snippet: false }],
    ['<meta name="robots" content="max-snippet:50">', undefined, { snippet: true }],
    ['<meta name="robots" content="noindex"><meta name="fossick" content="index">', undefined, { index: true }],
    ['<meta name="robots" content="index"><meta name="robots" content="noindex">', undefined, { index: false }],
    ['<meta name="googlebot" content="noindex">', undefined, { index: true }],
    ['', 'noindex', { index: false }],
    ['', 'googlebot: noindex', { index: true }],
    ['', 'googlebot: noindex, nofollow', { index: true, follow: true }],
    ['', 'fossick: nofollow, noindex', { index: false, follow: false }],
    ['<meta name="robots" content="noindex">', 'fossick: all', { index: true }],
    ['<noscript><meta name="robots" content="noindex"></noscript>', undefined, { index: true }],
    ['<p>late</p><meta name="robots" content="noindex">', undefined, { index: false }],
  ])('%s with header %s', async (html, robots, expected) => {
    const { directives } = await page(html, { headers: { contentType: 'text/html', robots } });
    expect(directives).toMatchObject(expected);
  });

  test('an expiry is read from tag and header', async () => {
    const html = '<meta name="robots" content="unavailable_after: 2026-12-31T00:00:00Z">';
    const headers = { contentType: 'text/html', robots: 'unavailable_after: 25 Jun 2027 15:00:00 GMT' };
    expect((await page(html, { headers })).directives.unavailableAfter).toBe(Date.parse('2026-12-31T00:00:00Z'));
    expect((await page('', { headers })).directives.unavailableAfter).toBe(Date.parse('2027-06-25T15:00:00Z'));
  });

  test('a page without snippets grounds nothing', async () => {
    const { structure } = await page(`<meta name="robots" content="nosnippet"><p>${TEXT}</p>`);
    expect(structure.sections.map(({ grounding }) => grounding)).toEqual([false]);
  });
});

describe('canonical, refresh and links', () => {
  test.each([
    ['<link rel="canonical" href="/b">', undefined, 'https://site.example/b'],
    ['<link rel="canonical" href="/b"><link rel="canonical" href="/b#x">', undefined, 'https://site.example/b'],
    ['<link rel="canonical" href="/b"><link rel="canonical" href="/c">', undefined, undefined],
    ['', '</b>; rel="canonical"', 'https://site.example/b'],
    ['', '</x.css>; rel=preload, </b>; rel=canonical', 'https://site.example/b'],
    ['<link rel="canonical" href="mailto:a@b.example">', undefined, undefined],
  ])('%s with header %s', async (html, link, url) => {
    expect((await page(html, { headers: { contentType: 'text/html', link } })).canonicalUrl).toBe(url);
  });

  test.each([
    ['5; url=/b', 'https://site.example/b'],
    ['0;URL="/b"', 'https://site.example/b'],
    ['0, /b', 'https://site.example/b'],
    ['30; url=/b', undefined],
    ['5', undefined],
  ])('a refresh of %s goes to %s', async (content, url) => {
    expect((await page(`<meta http-equiv="Refresh" content='${content}'>`)).refreshUrl).toBe(url);
  });

  test('a URL is one link, with its longest text, followed when one of its links is', async () => {
    const html = '<a href="/b" rel="nofollow">B</a> <a href="/b#x">All about B</a> <a href="/c" rel="ugc">C</a>';
    const { outlinks } = await page(html);
    expect(outlinks).toEqual([
      {
        url: 'https://site.example/b',
        text: 'All about B',
        texts: ['B', 'All about B'],
        region: 'content',
        follow: true,
      },
      { url: 'https://site.example/c', text: 'C', texts: ['C'], region: 'content', follow: false },
    ]);
  });

  test.each([
    ['the same text again', '<a href="/b">B</a> <a href="/b#x"> B </a>', ['B']],
    ['a text of the navigation', '<nav><a href="/b">Menu</a></nav> <a href="/b">B</a>', ['B']],
    ['a sentence', `<a href="/b">${'All about B. '.repeat(10)}</a>`, []],
    ['the address', '<a href="/b">https://site.example/b</a> <a href="/b">www.site.example</a>', []],
    ['nothing', '<a href="/b"><img src="/i.png"></a>', []],
  ])('%s calls a URL by no further name', async (_name, html, texts) => {
    expect((await page(html)).outlinks[0]?.texts).toEqual(texts);
  });

  test('a URL is called by 50 names at most', async () => {
    const html = Array.from({ length: 60 }, (_, at) => `<p>A word about <a href="/b">name ${at}</a> here.</p>`);
    expect((await page(html.join(''))).outlinks[0]?.texts).toHaveLength(50);
  });

  test('a page has at most 10,000 links', async () => {
    const html = Array.from({ length: 10_100 }, (_, at) => `<a href="/${at}">${at}</a>`).join(' ');
    const { outlinks } = await page(`${html} <a href="/7">The seventh</a>`);
    expect(outlinks).toHaveLength(10_000);
    expect(outlinks[7]).toMatchObject({ url: 'https://site.example/7', text: 'The seventh' });
  });

  test('nofollow counts only when the crawler honours it', async () => {
    const settings = { ...DEFAULT_EXTRACT_SETTINGS, honourNofollow: false };
    expect((await page('<a href="/b" rel="nofollow">B</a>', { settings })).outlinks[0]?.follow).toBe(true);
  });
});

describe('hashes', () => {
  test('equal documents have equal hashes, whatever surrounds them', async () => {
    const a = await page(`<nav><a href="/x">X</a></nav><main><h1>Hours</h1><p>${TEXT}</p></main>`);
    const b = await page(`<main><h1>Hours</h1><p>${TEXT}</p></main><footer>Made in 2026</footer>`);
    const c = await page(`<main><h1>Hours</h1><p>${TEXT} Not today.</p></main>`);
    expect(a.contentHash).toBe(b.contentHash);
    expect(a.contentHash).not.toBe(c.contentHash);
    expect(a.contentHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('near texts differ in few bits, other texts in many', () => {
    const words = Array.from({ length: 300 }, (_, i) => `word${(i * 37) % 101}x${i}`);
    const bits = (a: string, b: string) => {
      let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
      let count = 0;
      for (; difference > 0n; difference >>= 1n) count += Number(difference & 1n);
      return count;
    };
    const text = similarityHashOf(words.join(' '));
    const near = similarityHashOf([...words.slice(0, 299), 'changed'].join(' '));
    const other = similarityHashOf(words.map((word) => `${word}y`).join(' '));
    expect(bits(text, near)).toBeLessThanOrEqual(3);
    expect(bits(text, other)).toBeGreaterThan(12);
    expect(text).toMatch(/^[0-9a-f]{16}$/);
    expect(similarityHashOf('')).toBe('0000000000000000');
  });
});

describe('limits and laws', () => {
  test.each<[string, string]>([
    ['deep nesting', `<p>${TEXT}</p>${'<div>'.repeat(100_000)}${TEXT}`],
    ['many elements', `<p>${TEXT}</p>${'<i>x</i>'.repeat(150_000)}`],
    ['many headings', `<p>${TEXT}</p>${'<h2>x</h2>'.repeat(30_000)}`],
    ['one long line', `<p>${'word '.repeat(500_000)}</p>`],
    ['open tags', `<p>${TEXT}</p>${'<div '.repeat(100_000)}`],
    ['many tables', `<p>${TEXT}</p>${'<table><tr><td>'.repeat(5_000)}`],
    ['links in links', `<p>${TEXT}</p>${'<a href="/a"><div>'.repeat(2_000)}${'word '.repeat(200_000)}`],
    ['hints in hints', `<p>${TEXT}</p>${'<noscript>'.repeat(500)}${'word '.repeat(200_000)}`],
    ['ways in ways', `<p>${TEXT}</p>${'<nav class="breadcrumb">'.repeat(500)}${'<a href="/a">b</a>'.repeat(20_000)}`],
    ['a long style', `<p style="left:${'9'.repeat(60_000)}">${TEXT}</p><p>${TEXT}</p>`],
    ['many blank lines', `<p>${TEXT}</p><pre>${'\n'.repeat(200_000)}x</pre>`],
    ['deep data', `<p>${TEXT.repeat(5)}</p><script type="application/ld+json">${'['.repeat(200_000)}</script>`],
  ])('%s ends in reasonable time', async (_, html) => {
    const before = process.cpuUsage();
    const { status, fields } = await page(html);
    const { user, system } = process.cpuUsage(before);
    expect(status).toBe('ok');
    expect(fields.get('Content')?.[0]?.length).toBeLessThanOrEqual(1_000_000);
    expect((user + system) / 1_000).toBeLessThan(4_000);
  });

  test.each([
    ['depth limit', '<div>'.repeat(30_000)],
    ['node limit', '<i>x</i>'.repeat(150_000)],
    ['block limit', '<p>x</p>'.repeat(12_000)],
    ['text limit', `<!--${'x '.repeat(6_000_000)}-->`],
  ])('the %s is noted, and told as a cut', async (note, html) => {
    const { trace, cuts } = await page(`<p>${TEXT}</p>${html}`);

    expect(trace.notes).toContain(note);
    expect(cuts).toEqual([note]);
  });

  test('any bytes under any header have a status', async () => {
    const types = fc.constantFrom(
      'text/html',
      'text/html; charset=utf-16',
      'application/pdf',
      'text/plain; charset=x',
      '',
    );
    const start = fc.constantFrom(
      '',
      '<html>',
      '%PDF-',
      'PK\x03\x04',
      '\xff\xfe',
      '<?xml version="1.0"?><rss>',
      '{\\rtf',
    );
    const parseFile: ParseFile = async () => unreadFile('malformed', 'x');
    await fc.assert(
      fc.asyncProperty(types, start, fc.uint8Array({ maxLength: 300 }), async (contentType, head, rest) => {
        const body = Buffer.concat([Buffer.from(head, 'latin1'), rest]);
        expect((await page(body, { headers: { contentType }, parseFile })).status).toBeTypeOf('string');
      }),
      { numRuns: 500 },
    );
  });

  test('the same input gives the same output', async () => {
    const source = readFileSync(new URL('../../golden/extraction/pages/article.html', import.meta.url));
    expect(await page(source)).toEqual(await page(source));
  });
});
