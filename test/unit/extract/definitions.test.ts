import { expect, test } from 'vitest';
import { extractHtml } from '../../helpers/extract-html.ts';

const PARAGRAPH = `<p>${'Boats are moored at the quay with two ropes. '.repeat(5)}</p>`;

async function definitionsOf(html: string) {
  const { structure } = await extractHtml(`<title>Yard</title><main><h1>Yard</h1>${PARAGRAPH}${html}</main>`);
  return structure.definitions?.map(({ anchor, text }) => (text === '' ? anchor : `${anchor}: ${text}`)) ?? [];
}

test.each([
  ['<dl><dt id="lumo.Yard.moor"><code>moor(boat)</code></dt><dd>…</dd></dl>', ['lumo.Yard.moor: moor(boat)']],
  ['<dl><dt id="GUC-WORK-MEM">work_mem (integer)</dt><dd>…</dd></dl>', ['GUC-WORK-MEM: work_mem (integer)']],
  ['<pre id="lumo_open">int lumo_open(const char *path);</pre>', ['lumo_open']],
  ['<section id="open(java.lang.String)"><h3>open</h3><p>Opens.</p></section>', ['open(java.lang.String)']],
  ['<a name="lumo_close"></a><h2>Closing</h2>', ['lumo_close']],
  [
    '<table><tr><td><a id="a0123456789abcdef0"></a>TooDeep&#160;</td><td>…</td></tr></table>',
    ['a0123456789abcdef0: TooDeep'],
  ],
  [
    '<a id="a0123456789abcdef0"></a>\n<h2 class="memtitle"><span class="permalink"><a href="#a0123456789abcdef0">◆ </a></span>fgValid</h2>',
    ['a0123456789abcdef0: fgValid'],
  ],
  ['<a id="a0123456789abcdef0"></a><h2>moor() [1/2]</h2>', ['a0123456789abcdef0: moor() [1/2]']],
  ['<h3 id="number-type">NUMBER_TYPE</h3>', ['number-type: NUMBER_TYPE']],
  ['<h3 id="queue-filter">Queue.filter()</h3>', ['queue-filter: Queue.filter()']],
  [
    '<table><tr><td><p><a id="id-1.5.8"></a>\n<code>log10</code> ( <code>numeric</code> ) → text</p></td></tr></table>',
    ['id-1.5.8: log10'],
  ],
  ['<p><a id="id-1.5.9" class="indexterm"></a> <code>date_trunc</code> cuts a time.</p>', ['id-1.5.9: date_trunc']],
  ['<a name="omit_reindex"></a>\n<p><b>LUMO_OMIT_REINDEX</b></p>', ['omit_reindex: LUMO_OMIT_REINDEX']],
  ['<dl><a name="avg"></a><dt><p><b>avg(<i>X</i>)</b></p></dt><dd>…</dd></dl>', ['avg: avg(X)']],
  [
    '<dl><dt><span><code>-g</code></span>, <span><code>--globals-only</code></span></dt><dd>…</dd><dt><code>--jobs=<i>N</i></code></dt></dl>',
    [': --globals-only', ': --jobs'],
  ],
  ['<dl><dt><code>-- a comment</code></dt><dd>…</dd></dl>', []],
  ['<ul><li><p><a id="id-1.6"></a> <code>LUMOHOST</code> is the host.</p></li></ul>', ['id-1.6: LUMOHOST']],
  ['<p><a id="id-1.7"></a> <b>NOTE</b> that boats float.</p>', []],
  ['<a name="care"></a><p><b>Care</b> of sails</p>', []],
  ['<a name="care"></a><p>With <code>moor_all</code> all are moored.</p>', []],
  ['<h3 id="opening-files">Opening files with openFile</h3>', []],
  ['<div id="main-content"><p>Text.</p></div>', []],
  ['<div id="lumo_menu"><p>Home, boats, quay.</p></div>', []],
  ['<h2 id="care-of-sails">Care of sails</h2>', []],
  ['<dl><dt id="id12">Sails</dt><dd>…</dd></dl>', []],
  ['<a id="a0123456789abcdef0"></a><h2>Closing</h2>', []],
])('%s defines %j', async (html, expected) => {
  expect(await definitionsOf(html)).toEqual(expected);
});

test('an anchor that stands twice counts once, and no page has more than its share', async () => {
  const terms = Array.from({ length: 5_000 }, (_, i) => `<dt id="lumo.a${Math.floor(i / 2)}.x">x</dt><dd>…</dd>`);

  expect(await definitionsOf(`<dl>${terms.slice(0, 100).join('')}</dl>`)).toHaveLength(50);
  expect(await definitionsOf(`<dl>${terms.join('')}</dl>`)).toHaveLength(2_000);
});

const CARE = `<p>${'A boat is moored at the quay with two ropes, and looked after by the harbour. '.repeat(3)}</p>`;

test.each([
  ['of a class', '/api/com/lumo/yard/Boat.html', 'Class Boat', 'Package com.lumo.yard', 'com.lumo.yard.Boat'],
  [
    'of a type within another',
    '/com/lumo/yard/Boat.Sail.html',
    'Interface Boat.Sail',
    'com.lumo.yard',
    'com.lumo.yard.Boat.Sail',
  ],
  [
    'of a type with parameters',
    '/com/lumo/yard/Boat.html',
    'Class Boat&lt;T&gt;',
    'com.lumo.yard',
    'com.lumo.yard.Boat',
  ],
  ['of another folder', '/com/lumo/yard/Boat.html', 'Class Boat', 'Package com.lumo.harbour', undefined],
  ['of the uses of a class', '/com/lumo/yard/class-use/Boat.html', 'Uses of Class Boat', 'com.lumo.yard', undefined],
  ['of a package', '/com/lumo/yard/package-summary.html', 'Package com.lumo.yard', 'com.lumo.yard', undefined],
  ['of a page in a folder', '/boats/Boat.html', 'Boat', 'boats', undefined],
])('the whole name %s is what its address and its beginning spell', async (_, path, title, above, name) => {
  const { structure } = await extractHtml(`<main><p>${above}</p><h1>${title}</h1>${CARE}</main>`, {
    url: `https://site.example${path}`,
  });

  expect(structure.definitions).toEqual(name === undefined ? undefined : [{ anchor: '', text: name }]);
});
