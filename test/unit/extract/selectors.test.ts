import { expect, test } from 'vitest';
import { parsePage } from '../../../src/extract/html/page-tree.ts';
import { compileOneSelector, openSelectablePage } from '../../../src/extract/html/selectors.ts';
import { openWork } from '../../../src/extract/html/work.ts';

const PAGE = '<ul class="a"><li id="1">x<li id="2">y <b>z</b><li id="3">w</ul><p id="4">x</p>';

const idsOf = (selector: string, html = PAGE) =>
  [...openSelectablePage(parsePage(html).root, openWork()).select(compileOneSelector(selector))].map(
    ({ attributes }) => attributes['id'],
  );

test.each([
  ['li', ['1', '2', '3']],
  ['LI', ['1', '2', '3']],
  ['.a > li:nth-child(2)', ['2']],
  ['li:has(b), p', ['2', '4']],
  ['li ~ li', ['2', '3']],
  ['li + li', ['2', '3']],
  [':contains(x):not(ul)', ['1', '4']],
  ['li:eq(-1)', ['3']],
])('%s selects in document order', (selector, expected) => {
  expect(idsOf(selector)).toEqual(expected);
});

test.each([
  '',
  '  ',
  'li[',
  'p::none()',
  ':nothing',
  'a >',
  ':has(a) ~ b ~ c',
  '* ~ b:has(c)',
  'li:not([constructor^=q])',
  '[__proto__]',
  'a:has(b:has(c:has(d)))',
])('%j is refused', (selector) => {
  expect(() => compileOneSelector(selector)).toThrow();
});

test.each([
  ['* *', '<i>', 20_000, '</i>'],
  ['b ~ b ~ b', '<b></b>', 60_000, ''],
  ['div div div div div p', '<div>', 20_000, '<p>'],
  [':has(:has(x))', '<i>', 20_000, ''],
  ['p:nth-child(2n + 1):nth-last-child(3n)', '<p>x</p>', 60_000, ''],
  [':contains(none)', '<i>x', 20_000, ''],
])('%s on a hostile page ends within its work', (selector, part, times, end) => {
  const { root } = parsePage(part.repeat(times) + end);
  const work = openWork();
  const page = openSelectablePage(root, work);
  const compiled = compileOneSelector(selector);

  for (let rule = 0; rule < 100; rule++) page.select(compiled);

  expect(work.notes()).toContain('work limit');
});
