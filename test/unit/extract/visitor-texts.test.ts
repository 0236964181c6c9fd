import { expect, test } from 'vitest';
import { collectBlocks } from '../../../src/extract/html/blocks.ts';
import { parsePage } from '../../../src/extract/html/page-tree.ts';
import { visitorTexts } from '../../../src/extract/html/visitor-texts.ts';

const TEXT =
  '<h1>The harbour pool</h1><p>The harbour pool opens at nine in the morning on every day of the week.</p><p>A locker takes one coin, which you get back when you leave the pool.</p>';
const SAID = 'It opens at eleven.';

/** What of a page its visitors wrote. */
function saidIn(html: string): readonly string[] {
  const { blocks } = collectBlocks(parsePage(`<body><main>${html}</main></body>`));
  return [...visitorTexts(blocks, blocks)].map(({ text }) => text).filter((text) => text !== '');
}

test.each([
  ['a heading', `<h2>Comments</h2><p>${SAID}</p>`],
  ['a heading with a count', `<h3>2 comments</h3><div><p>${SAID}</p></div>`],
  ['what visitors say', `<h2>What our visitors say</h2><p>${SAID}</p>`],
  ['a book of guests', `<h2>Gästebuch</h2><ul><li>${SAID}</li></ul>`],
  ['a class', `<div class="row comment-list"><div><p>${SAID}</p></div></div>`],
  ['a class of reviews', `<div class="user-reviews"><p>${SAID}</p></div>`],
  ['a type', `<div itemscope itemtype="https://schema.org/Review"><p>${SAID}</p></div>`],
  ['a property', `<p itemprop="reviewBody">${SAID}</p>`],
])('is told by %s', (_, html) => {
  expect(saidIn(TEXT + html)).toEqual([SAID]);
});

test.each([
  ['a section about comments', '<h2>Comments</h2><p>Comments begin with two slashes.</p>'],
  ['another subject', '<div class="code-review"><p>Each change is read by two people.</p></div>'],
  ['a heading that says more', '<h2>Comments on the pool rules</h2><p>They are short.</p>'],
])('is not: %s', (_, html) => {
  expect(saidIn(TEXT + html)).toEqual([]);
});

test('ends where the next heading of its level begins', () => {
  expect(saidIn(`${TEXT}<h2>Reviews</h2><p>${SAID}</p><h2>Prices</h2><p>Adults pay three euros.</p>`)).toEqual([SAID]);
});

test('is not what a page mostly consists of, but what stands in it', () => {
  const post = (text: string) => `<li class="comment"><p>${text}</p></li>`;

  expect(saidIn(`<h1>Pool</h1><ol>${post('When does the pool open?')}${post('It opens at nine.')}</ol>`)).toEqual([]);
  expect(saidIn(`<div class="review">${TEXT}<div class="comments"><p>${SAID}</p></div></div>`)).toEqual([SAID]);
});
