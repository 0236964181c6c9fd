import { describe, expect, test } from 'vitest';
import { compileXPath } from '../../../src/extract/html/field-sources.ts';
import { parsePage } from '../../../src/extract/html/page-tree.ts';
import { openWork } from '../../../src/extract/html/work.ts';

const PAGE = `<html><body>
<div id="a" class="box wide"><h2>One</h2><p>First <b>bold</b> &amp; more</p><p>Second</p>
  <div class="box"><p>Inner</p><a href="/x" title="">Link</a></div></div>
<div id="b"><h2>Two</h2><p>Third</p></div>
<ul><li>1<li>2<li data-x="it's">3</ul>
</body></html>`;

const { root } = parsePage(PAGE);
const limit = 100_000;
const read = (path: string) => compileXPath(path)(root, { work: openWork(), limit });

describe('paths', () => {
  test.each([
    ['/html/body/div/h2', ['One', 'Two']],
    ['//h2', ['One', 'Two']],
    ['//H2', ['One', 'Two']],
    ['//p', ['First bold & more', 'Second', 'Inner', 'Third']],
    ['//div/p', ['First bold & more', 'Second', 'Inner', 'Third']],
    ['//div//p', ['First bold & more', 'Second', 'Inner', 'Third']],
    ['//div/p[1]', ['First bold & more', 'Inner', 'Third']],
    ['//div/p[2]', ['Second']],
    ['//li[last()]', ['3']],
    ['//p[last()]', ['Second', 'Inner', 'Third']],
    ['//*[@id]/h2', ['One', 'Two']],
    [`//div[@id='b']/p`, ['Third']],
    ['//div[@id="b"]/p', ['Third']],
    [`//li[@data-x="it's"]`, ['3']],
    [`//div[contains(@class,'box')]/p[1]`, ['First bold & more', 'Inner']],
    [`//div[ contains( @class , 'wide' ) ]/p`, ['First bold & more', 'Second']],
    [`//p[contains(text(),'& more')]`, ['First bold & more']],
    [`//div[@id][contains(@class,'box')]/h2`, ['One']],
    [`//div[2]/p`, ['Third']],
    [`//div[contains(@class,'box')][2]`, []],
    ['//body/div[2]/h2', ['Two']],
    ['//a/@href', ['/x']],
    ['//a/@title', ['']],
    ['//a/@none', []],
    ['//div//@href', ['/x']],
    ['//p[1]/text()', ['First', '& more', 'Inner', 'Third']],
    ['//div[2]/p/string()', ['Third']],
    ['//ul/*', ['1', '2', '3']],
    ['//table', []],
    ['/body', []],
  ])('%s', (path, values) => {
    expect(read(path)).toEqual(values);
  });
});

describe('what is beyond the subset is refused with its place', () => {
  test.each([
    ['', 'ends too early (character 1)'],
    ['h1', 'cannot be read at "h1" (character 1)'],
    ['//h1/..', 'cannot be read at "/.." (character 5)'],
    ['//h1[position()<3]', 'cannot be read at "[position()<3]" (character 5)'],
    ['//h1[@a and @b]', 'cannot be read at "[@a and @b]" (character 5)'],
    ['//h1/following-sibling::p', 'cannot be read at "/following-sibling::"'],
    ['//h1/text()/b', 'cannot be read at "/text()/b" (character 5)'],
    ['//h1 | //h2', 'cannot be read at " | //h2" (character 5)'],
    ['//', 'cannot be read at "//" (character 1)'],
    ['count(//p)', 'cannot be read at "count(//p)" (character 1)'],
    ['//count(p)', 'cannot be read at "//count(p)" (character 1)'],
  ])('%s', (path, message) => {
    expect(() => compileXPath(path)).toThrow(message);
  });
});

test('a path over a deep and wide page costs its nodes, not their square', () => {
  const deep = parsePage(`${'<div><p>x</p>'.repeat(500)}${'<p>y</p>'.repeat(20_000)}`);
  const work = openWork();

  expect(compileXPath('//div//div//div//p')(deep.root, { work, limit })).toHaveLength(20_498);
  expect(work.notes()).toEqual([]);
});

test('a path gives up when the work of the page is used up', () => {
  const work = openWork();
  const wide = parsePage('<p>y</p>'.repeat(1_000));
  expect(compileXPath('//p')(wide.root, { work, limit })).toHaveLength(1_000);
  work.visit(4_995_000);
  expect(compileXPath('//p')(wide.root, { work, limit }).length).toBeLessThan(1_000);

  expect(work.notes()).toEqual(['work limit']);
  expect(compileXPath('//p')(wide.root, { work, limit })).toEqual([]);
});
