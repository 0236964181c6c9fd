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
    ['in a line about the author', '<p class="byline">By Ann Lee, 4 March 2026, 3 min read</p>', day],
    ['above a post of Blogger', '<div class="widget Blog"><h2 class="date-header">4 March 2026</h2></div>', day],
    ['behind the title', '<h1>Opening hours</h1><p>4. März 2026</p>', day],
    ['before the title', '<p>4. März 2026</p><h1>Opening hours</h1>', day],
    ['behind a word', `<h1>Hours</h1><p>${TEXT.repeat(8)}</p><p>Veröffentlicht am 4. März 2026</p>`, day],
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
    ['of a template', `<template><time datetime="${day}">x</time></template>`],
  ])('is none %s', async (_, html) => {
    expect(await fieldOf(`${html}<p>${TEXT}</p>`, 'Date')).toBeUndefined();
  });

  test.each([
    ['a product', jsonLd({ '@type': 'Product', name: 'Hammer' }), 'https://site.example/hammer'],
    ['a product by its type', '<meta property="og:type" content="product">', 'https://site.example/hammer'],
    ['a business', jsonLd({ '@type': 'LocalBusiness', name: 'Smith' }), 'https://site.example/smith'],
    ['a home page', '<p>', 'https://site.example/'],
    ['a list', '<p>', 'https://site.example/category/tools/'],
    ['documentation', '<p>', 'https://site.example/docs/tools'],
  ])('is not shown on a page of %s', async (_, html, url) => {
    const shown = '<h1>Hammer</h1><p class="date-line">4 March 2026</p>';
    expect(await fieldOf(`${html}${shown}<p>${TEXT}</p>`, 'Date', url)).toBeUndefined();
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
    ['Erschienen am: 4.3.2026 · Lesungen: 61', day],
    ['Dieser Artikel wurde am 4. März 2026 um 14:48 abgelegt.', day],
    ['This post was originally published on March 4, 2026.', day],
    ['Der Pass wurde am 4. März 2026 gesperrt.', undefined],
  ])('that is announced counts among others of a page that need not be an article: %s', async (line, date) => {
    const others = '<p>From 5 May 2025 to 6 May 2025, and from 7 June 2025 to 8 July 2025.</p>'.repeat(2);
    const html = `<h1>Hours</h1><p>${TEXT.repeat(8)}</p>${others}<p>${line}</p>`;
    expect((await fieldOf(html, 'Date'))?.[0]).toBe(date);
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
