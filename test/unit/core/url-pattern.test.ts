import { expect, test } from 'vitest';
import { urlPattern } from '../../../src/core/url.ts';

test.each([
  ['/', '/'],
  ['/docs', '/docs'],
  ['/docs/', '/docs/'],
  ['/docs/setup', '/docs/setup'],
  ['/docs/setup/linux', '/docs/setup/{w}'],
  ['/docs/setup/linux.html', '/docs/setup/{w}.html'],
  ['/products/42', '/products/{n}'],
  ['/42', '/{n}'],
  ['/blog/2026-11-20', '/blog/{date}'],
  ['/blog/20261120', '/blog/{date}'],
  ['/blog/2026-11', '/blog/{date}'],
  ['/blog/20261320', '/blog/{n}'],
  ['/blog/2026/11/20/a-long-title', '/blog/{n}/{n}/{n}/{s}'],
  ['/blog/a-long-title', '/blog/{s}'],
  ['/blog/two-words', '/blog/two-words'],
  ['/a/averyveryverylongsinglesegment', '/a/{s}'],
  ['/i/550e8400-e29b-41d4-a716-446655440000', '/i/{id}'],
  ['/i/deadbeef01', '/i/{id}'],
  ['/i/deadbeef', '/i/deadbeef'],
  ['/f/report.PDF', '/f/report.pdf'],
  ['/f/12.pdf', '/f/{n}.pdf'],
  ['//a//b', '//a//{w}'],
  ['/list?page=2&sort=asc', '/list?page&sort'],
  ['/list?sort=asc&page=2&page=3', '/list?page&sort'],
  ['/list?', '/list'],
])('%s → %s', (path, pattern) => {
  expect(urlPattern(`https://site.example${path}`)).toBe(pattern);
});
