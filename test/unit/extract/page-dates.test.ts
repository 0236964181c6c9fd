import { describe, expect, test } from 'vitest';
import { extractHtml, fieldOf, jsonLd } from '../../helpers/extract-html.ts';

const TEXT = 'The office is open from nine to four, and on Fridays it closes at two in the afternoon.';
const NEWS = 'https://site.example/news/a-page';
const day = '2026-03-04';
const article = (members: object) => jsonLd({ '@type': 'BlogPosting', ...members });

describe('the date of publication', () => {
  test.each([
    [
      'of a meta tag',
      `<meta property="article:published_time" content="${day}T10:00:00+01:00">`,
      `${day}T10:00:00+01:00`,
    ],
    ['of a meta tag in another spelling', `<meta name="Publication-Date" content="${day}">`, day],
    ['of a meta tag of Dublin Core', `<meta name="dc.date" content="${day}">`, day],
    ['of an article', article({ datePublished: day }), day],
    ['of a video', jsonLd({ '@type': 'VideoObject', uploadDate: day }), day],
    [
      'of microdata',
      `<div itemscope itemtype="https://schema.org/Article"><meta itemprop="datePublished" content="${day}"></div>`,
      day,
    ],
    [
      'of RDFa',
      `<div vocab="https://schema.org/" typeof="Article"><b property="datePublished">4 March 2026</b></div>`,
      day,
    ],
    ['of a property that no item holds', `<span itemprop="datePublished" content="${day}">March</span>`, day],
    ['of a time in an article', `<article><time datetime="${day}">x</time></article>`, day],
    ['in the words of a time', '<article><time>4 March 2026</time></article>', day],
    ['of a class', '<p class="entry-date">4 March 2026</p>', day],
    ['beside first and last day', '<h1>Hours</h1><p>12.–15. April 2026</p><p>4 March 2026</p>', day],
    ['in a line about the author', '<p class="byline">By Ann Lee, 4 March 2026, 3 min read</p>', day],
    ['above a post of Blogger', '<div class="widget Blog"><h2 class="date-header">4 March 2026</h2></div>', day],
    ['behind the title', '<h1>Opening hours</h1><p>4. März 2026</p>', day],
    ['before the title', '<p>4. März 2026</p><h1>Opening hours</h1>', day],
    ['behind a word', `<h1>Hours</h1><p>${TEXT.repeat(8)}</p><p>Veröffentlicht am 4. März 2026</p>`, day],
    ['of a meta tag of another vocabulary', `<meta property="photos:uploaded" content="${day}">`, day],
    ['in the line of an author', '<p>By <a rel="author" href="/lee">Ann Lee</a>, 4.3.26</p>', day],
    [
      'in elements without a blank between them',
      '<p class="dateline"><a>Health</a><span>MARCH 4, 2026</span><span>Updated: MAY 5, 2026</span></p>',
      day,
    ],
    ['in the footer of an article', '<article><footer class="entry-date">4 March 2026</footer></article>', day],
    [
      'of the time closest to the title',
      `<main><p><time datetime="2025-01-31">x</time></p><div><h1>Opening hours</h1><time datetime="${day}">x</time></div></main>`,
      day,
    ],
    [
      'in the data of a script',
      `<script>start({"post":{"publishedAt":"${day}T10:00:00Z"}})</script>`,
      `${day}T10:00:00Z`,
    ],
    ['in quoted data of a script', `<script>start("{\\"datePublished\\":\\"${day}\\"}")</script>`, day],
    ['that stands beside the text alone', `<article><aside><time datetime="${day}">x</time></aside></article>`, day],
  ])('%s', async (_, html, date) => {
    const { fields } = await extractHtml(`<title>Opening hours</title>${html}<p>${TEXT}</p>`, { url: NEWS });
    expect(fields.get('Date')).toEqual([date]);
    expect(fields.get('Published_date')).toEqual([date]);
  });

  test.each([
    ['in the future', '<meta name="date" content="2027-03-04">'],
    ['before the web', '<meta name="date" content="1971-01-01">'],
    ['of a comment', `<article><div class="comments"><time datetime="${day}">x</time></div></article>`],
    ['of the footer', `<footer><time datetime="${day}">x</time></footer>`],
    ['of several articles', '<article><time>4 March 2026</time></article><article><time>5 March 2026</time></article>'],
    [
      'of articles in a list',
      jsonLd({ '@type': 'ItemList', itemListElement: [{ '@type': 'Article', datePublished: day }] }),
    ],
    [
      'of a comment in French',
      `<article><div class="commentaires"><time pubdate datetime="${day}">x</time></div></article>`,
    ],
    [
      'of another article in a list',
      `<article><h1>Hours</h1></article><article><time pubdate datetime="${day}">x</time></article><article><time>x</time></article>`,
    ],
    ['of a template', `<template><time datetime="${day}">x</time></template>`],
  ])('is none %s', async (_, html) => {
    expect(await fieldOf(`${html}<p>${TEXT}</p>`, 'Date')).toBeUndefined();
  });

  test.each([
    ['a product', jsonLd({ '@type': 'Product', name: 'Hammer' }), 'https://site.example/hammer'],
    ['a product by its type', '<meta property="og:type" content="product">', 'https://site.example/hammer'],
    ['a home page', '<p>', 'https://site.example/'],
    ['a list', '<p>', 'https://site.example/category/tools/'],
    ['documentation', '<p>', 'https://site.example/docs/tools'],
  ])('is not shown on a page of %s', async (_, html, url) => {
    const shown = '<h1>Hammer</h1><p class="date-line">4 March 2026</p>';
    expect(await fieldOf(`${html}${shown}<p>${TEXT}</p>`, 'Date', url)).toBeUndefined();
  });

  test.each([
    ['12–15 April 2026'],
    ['12. April bis 15. April 2026'],
    ['April 12–15, 2026'],
    ['28 March 2026 – 2 April 2026'],
    ['12.04. – 15.04.2026'],
    ['2026-04-12 – 2026-04-15'],
  ])('is none of a first and last day: %s', async (period) => {
    expect(
      await fieldOf(`<h1>Summer fair</h1><p class="date-line">${period}</p><p>${TEXT}</p>`, 'Date'),
    ).toBeUndefined();
  });

  test('is not shown on a page that sells something, by its price beside the button', async () => {
    const html = `<h1>Hammer</h1><p>On sale since 4 March 2026</p><p>€129</p><button>Add to cart</button><p>${TEXT}</p>`;
    expect(await fieldOf(html, 'Price_number')).toEqual(['129']);
    expect(await fieldOf(html, 'Date')).toBeUndefined();
  });

  test.each([
    ['Erschienen am: 4.3.2026 · Lesungen: 61', day],
    ['Dieser Artikel wurde am 4. März 2026 um 14:48 abgelegt.', day],
    ['This post was originally published on March 4, 2026.', day],
    ['Der Pass wurde am 4. März 2026 gesperrt.', undefined],
  ])('that is announced counts among others of a page that need not be an article: %s', async (line, date) => {
    const others = '<p>From 5 May 2025 to 6 May 2025, and from 7 June 2025 to 8 July 2025.</p>'.repeat(2);
    const html = `<h1>Hours</h1><p>${TEXT.repeat(8)}</p>${others}<p>${line}</p>`;
    expect((await fieldOf(html, 'Date'))?.[0]).toBe(date);
  });

  test.each([
    ['a short line of its own', '<div>4 March 2026 in Notices</div>', day],
    ['below a label', '<aside><h3>Published</h3><p>4 March 2026</p></aside>', day],
    ['not a short sentence', '<p>The pass was closed on 4 March 2026 for good.</p>', '2025-05-05'],
    ['not that of the last edit', '<p>Last edited on 4 March 2026</p>', '2025-05-05'],
    [
      'not one of several posts in a script',
      '<script>start([{"publishedAt":"2026-03-04"},{"publishedAt":"2026-03-05"}])</script>',
      '2025-05-05',
    ],
    [
      'that says behind a bar what the text is, among lines of other pages',
      '<p>4.3.2026 | Notices</p><div>5 March 2026</div>',
      day,
    ],
    [
      'not of two days that are labelled',
      '<div>4 March 2026 | Notices</div><div>5 March 2026 | Notices</div>',
      '2025-05-05',
    ],
    ['not one of several lines', '<div>4 March 2026</div><div>5 March 2026</div>', '2025-05-05'],
  ])('counts before dates of the text: %s', async (_, line, date) => {
    const text = `<p>${TEXT} Closed on 5 May 2025, and once more on 5 May 2025.</p>`;
    expect(await fieldOf(`<h1>Hours</h1><p>${TEXT.repeat(8)}</p>${text}${line}`, 'Date', NEWS)).toEqual([date]);
  });

  test.each([
    ['the earlier one when the page shows it', '4 March 2026', day],
    ['the first one when the page shows that', '5 March 2026', '2026-03-05'],
    ['the first one when the page shows none', 'Notices', '2026-03-05'],
  ])('is of two that are stated %s', async (_, shown, date) => {
    const stated = `<meta name="date-published" content="2026-03-05">${article({ datePublished: day })}`;
    expect(await fieldOf(`${stated}<p class="entry-date">${shown}</p><p>${TEXT}</p>`, 'Date', NEWS)).toEqual([date]);
  });

  test.each([
    ['right behind the title', '<h1>Rates</h1><p>Datum: 4.3.2026</p>', '/rates', day],
    ['elsewhere', `<h1>Rates</h1><p>${TEXT.repeat(8)}</p><p class="entry-date">4.3.2026</p>`, '/rates', undefined],
    [
      'anywhere in its blog',
      `<h1>Rates</h1><p>${TEXT.repeat(8)}</p><p class="entry-date">4.3.2026</p>`,
      '/blog/rates',
      day,
    ],
  ])('is shown on a page of a business %s', async (_, html, path, date) => {
    const business = jsonLd({ '@type': 'LocalBusiness', name: 'Smith' });
    expect((await fieldOf(`${business}${html}<p>${TEXT}</p>`, 'Date', `https://site.example${path}`))?.[0]).toBe(date);
  });

  test('of the page as a whole counts for articles alone', async () => {
    const page = jsonLd({ '@type': 'WebPage', datePublished: day });
    expect(await fieldOf(`${page}<p>${TEXT}</p>`, 'Date')).toBeUndefined();
    expect(await fieldOf(`${page}<p>${TEXT}</p>`, 'Date', NEWS)).toEqual([day]);
  });

  test('is the month first on American pages', async () => {
    const html = (lang: string) => `<html lang="${lang}"><h1>Hours</h1><p class="date">03/04/2026</p><p>${TEXT}</p>`;
    expect(await fieldOf(html('en-US'), 'Date')).toEqual(['2026-03-04']);
    expect(await fieldOf(html('en-GB'), 'Date')).toEqual(['2026-04-03']);
  });

  test.each([
    ['/2026/03/04/a', day],
    ['/news/2026-03-04-a', day],
    ['/news/20260304/a', day],
    ['/news/04-03-2026', day],
    ['/2026/03/a', undefined],
    ['/item/12026030455', undefined],
  ])('stands in the address %s: %s', async (path, date) => {
    expect((await fieldOf(`<p>${TEXT}</p>`, 'Date', `https://site.example${path}`))?.[0]).toBe(date);
  });

  test('is the local day of an instant when the address names it', async () => {
    const html = '<meta property="article:published_time" content="2026-03-05T01:10:00Z">';
    expect(await fieldOf(html, 'Date', 'https://site.example/2026/03/04/a')).toEqual([day]);
    expect(await fieldOf(html, 'Date', 'https://site.example/2026/03/01/a')).toEqual(['2026-03-05T01:10:00Z']);
  });
});

describe('the date of the last change', () => {
  test.each([
    ['a meta tag', '<meta property="article:modified_time" content="2026-03-04">', '2026-03-04'],
    ['an article', article({ dateModified: '2026-03-04' }), '2026-03-04'],
    ['a property', '<span itemprop="dateModified" content="2026-03-04"></span>', '2026-03-04'],
    [
      'a change before the publication',
      `${article({ datePublished: '2026-03-05', dateModified: '2026-03-04' })}`,
      undefined,
    ],
  ])('of %s', async (_, html, date) => {
    expect((await fieldOf(`${html}<p>${TEXT}</p>`, 'Modified_date', NEWS))?.[0]).toBe(date);
  });
});
