import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectBlocks } from '../../../src/extract/html/blocks.ts';
import { parsePage } from '../../../src/extract/html/page-tree.ts';
import { makeSections } from '../../../src/extract/html/sections.ts';

const ID = 'https://site.example/page';

/** Sections of a page whose every block is chosen. */
function sectionsOf(html: string, isQuotable = true) {
  return makeSections(ID, [{ blocks: collectBlocks(parsePage(html)).blocks, isQuotable, isShown: true }]);
}

/** Heading paths as `h1 > h2`, each with its blocks as `kind: text`. */
function outlineOf(html: string) {
  return sectionsOf(html).map(({ headings, blocks }) => [
    headings.map(({ level, text }) => `${level} ${text}`).join(' > '),
    ...blocks.map(({ kind, text }) => `${kind}: ${text}`),
  ]);
}

describe('headings', () => {
  test.each([
    ['of every level', '<h1>A</h1><p>a</p><h3>B</h3><p>b</p><h2>C</h2><p>c</p>', ['1 A', '1 A > 3 B', '1 A > 2 C']],
    ['by their role', '<h1>A</h1><div role="heading" aria-level="3">B</div><p>b</p>', ['1 A > 3 B']],
    [
      'by the role of what holds their block',
      '<h1>A</h1><x-title role="heading" aria-level="3"><div>B</div></x-title><p>b</p>',
      ['1 A > 3 B'],
    ],
    [
      'of disclosures, below what holds them',
      '<div><h2>FAQ</h2><details><summary>Why?</summary><p>So.</p></details><details><summary>When?</summary><p>Now.</p></details></div>',
      ['2 FAQ > 7 Why?', '2 FAQ > 7 When?'],
    ],
    [
      'of bold lines where there is hardly any other',
      '<h1>A</h1><p><b>Opening hours</b></p><p>Nine to four.</p><div><strong>Ways</strong> <b>here</b></div><p>By bus.</p>',
      ['1 A > 7 Opening hours', '1 A > 7 Ways here'],
    ],
    [
      'not of bold lines beside real headings',
      '<h1>A</h1><h2>B</h2><p><b>Opening hours</b></p><p>Nine to four.</p>',
      ['1 A > 2 B'],
    ],
    ['not of bold sentences', '<h1>A</h1><p><b>We are closed.</b></p><p>Come back.</p>', ['1 A']],
    ['not of lines that are partly bold', '<h1>A</h1><p><b>Opening</b> hours</p><p>Nine.</p>', ['1 A']],
    ['not of a bold line without text behind it', '<h1>A</h1><p>a</p><p><b>Opening hours</b></p>', ['1 A']],
    [
      'not of a long bold line',
      '<h1>A</h1><p><b>One two three four five six seven eight nine ten eleven twelve thirteen</b></p><p>a</p>',
      ['1 A'],
    ],
    [
      'without the button and the message beside their text',
      '<h2>Write an order <button>Share</button><span role="status">The address is on your clipboard</span></h2><p>a</p>',
      ['2 Write an order'],
    ],
    [
      'without what a script will say and what a wiki offers',
      '<h2>Orders<span class="mw-editsection">[<a href="/edit">edit</a>]</span><i aria-live="polite">Copied</i></h2><p>a</p>',
      ['2 Orders'],
    ],
    [
      'one of an element, whatever parts it',
      '<h2><div>Write</div><div>an <p>order</p></div><a class="hash-link" href="#write" title="Direct link">Direct link to Write</a></h2><p>a</p>',
      ['2 Write an order'],
    ],
    ['that are a button', '<h3><button aria-expanded="false">Why?</button></h3><p>a</p>', ['3 Why?']],
    [
      'without the signs of their links to themselves',
      '<h2><span class="permalink"><a href="#a">◆&#160;</a></span>open()</h2><p>a</p><h3>shut()<a class="headerlink" href="#b">\uf0c1</a></h3><p>b</p>',
      ['2 open()', '2 open() > 3 shut()'],
    ],
    ['of names with a sign', '<h2>Learn C#</h2><p>a</p>', ['2 Learn C#']],
  ])('%s', (_, html, paths) => {
    expect(outlineOf(html).map(([path]) => path)).toEqual(paths);
  });
});

describe('blocks', () => {
  test.each([
    [
      'entries of a list that follow each other are one, nested ones indented',
      '<ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul>',
      ['list: One\n  Inner\nTwo'],
    ],
    [
      'terms stand before their meaning',
      '<dl><dt>Port</dt><dd>4040</dd><dt>Host</dt></dl>',
      ['list: Port: 4040\nHost'],
    ],
    [
      'terms stand before the first paragraph of their meaning',
      '<dl><dt>Port</dt><dd><p>A number.</p><p>Stock: 4040.</p></dd><dt>Host</dt><dd><div><p>A name.</p></div></dd></dl>',
      ['list: Port: A number.\nStock: 4040.\nHost: A name.'],
    ],
    [
      'terms stand alone before code and lists',
      '<dl><dt>Port</dt><dd><pre>4040</pre></dd><dt>Hosts</dt><dd><ul><li>One</li></ul></dd></dl>',
      ['list: Port', 'code: 4040', 'list: Hosts\n  One'],
    ],
    [
      'links and labels without a blank between them are words of their own',
      '<p><a href="/a">Fees</a><a href="/b">Times</a><span><a href="/c">Boats</a></span><b><a href="/d">Rooms</a></b></p>' +
        '<p><label>Small</label><label>Large</label></p>',
      ['paragraph: Fees Times Boats Rooms', 'paragraph: Small Large'],
    ],
    [
      'a word stays one where a link begins, ends, or leads on to the same place',
      '<p>Re<a href="/a">turn</a>s, <a href="/b">har</a><a href="/b">bour</a>, <a href="/c">[1]</a>;<a href="/d">x</a></p>',
      ['paragraph: Returns, harbour, [1];x'],
    ],
    [
      'a table keeps its header row and its labels',
      '<table><thead><tr><th>Length</th><th>Fee</th></tr></thead><tr><th>8 m</th><td>120</td></tr><tr><th>12 m</th><td>180</td></tr></table>',
      ['table: Length | Fee\n8 m | 120\n12 m | 180'],
    ],
    ['code keeps its lines', '<pre>a = 1\n  b = 2\n</pre>', ['code: a = 1\n  b = 2']],
    ['quotes are told', '<blockquote><p>So it goes.</p></blockquote>', ['quote: So it goes.']],
    [
      'permalinks show signs that are no text',
      '<dl><dt id="a"><code>TOKEN</code><a class="headerlink" href="#a">¶</a></dt><dd>A word.</dd></dl>' +
        '<p id="b">Text <a href="#b">§</a></p><div><a name="c"></a><p>More<a href="#c">#</a></p></div>' +
        '<table><tr><th>Name</th></tr><tr><td id="d">x<a class="anchor" href="/page#d">🔗</a></td></tr></table>',
      ['list: TOKEN: A word.', 'paragraph: Text', 'paragraph: More', 'table: Name\nx'],
    ],
    [
      'links to other places keep their signs',
      '<p id="b">See <a href="#c">§</a> and <a href="/issues#12">#12</a></p>',
      ['paragraph: See § and #12'],
    ],
    ['two lists are two', '<ul><li>One</li></ul><ul><li>Two</li></ul>', ['list: One', 'list: Two']],
  ])('%s', (_, html, blocks) => {
    expect(outlineOf(html)).toEqual([['', ...blocks]]);
  });
});

describe('what may be quoted', () => {
  test('hidden, transparent and reserved text stands in a section of its own behind the rest of its heading', () => {
    const html =
      '<h2>A</h2><p>Seen</p><p hidden>Unseen</p><p style="opacity:0">Fading</p><p data-nosnippet>Kept back</p><p>Seen too</p>';

    const sections = sectionsOf(html).map(({ grounding, blocks }) => [grounding, ...blocks.map(({ text }) => text)]);

    expect(sections).toEqual([
      [true, 'Seen', 'Seen too'],
      [false, 'Unseen', 'Fading', 'Kept back'],
    ]);
  });

  test('a page that forbids snippets grounds nothing', () => {
    expect(sectionsOf('<p>Text</p>', false).map(({ grounding }) => grounding)).toEqual([false]);
  });
});

describe('anchors', () => {
  const anchorsOf = (html: string) => sectionsOf(html).map(({ headings }) => headings.at(-1)?.anchor);

  test.each<readonly [string, string, string | undefined]>([
    ['its own id', '<section id="outer"><h2 id="own"><a id="inner">A</a></h2><p>a</p></section>', 'own'],
    ['the id of a link inside', '<h2><a id="inner" href="#target">A</a></h2><p>a</p>', 'inner'],
    ['the id of a heading in a disclosure', '<details><summary><h2 id="in">A</h2></summary><p>a</p></details>', 'in'],
    ['the name of a link inside', '<h2><a name="inner">A</a></h2><p>a</p>', 'inner'],
    ['the empty element before', '<a name="before"></a> <h2>A</h2><p>a</p>', 'before'],
    ['the section that it opens', '<section id="outer"><div> <h2>A</h2></div><p>a</p></section>', 'outer'],
    [
      'behind nothing but pictures',
      '<div id="outer"><img src="a.png"><svg><text>x</text></svg><h2>A</h2><p>a</p></div>',
      'outer',
    ],
    ['the target of its permalink', '<h2>A<a href="#a%20b-%C3%A6">¶</a></h2><p>a</p>', undefined],
    ['an encoded target', '<h2>A<a href="#%C3%A6-b">¶</a></h2><p>a</p>', 'æ-b'],
    ['a target that another element has', '<div id="x">z</div><h2>A<a href="#x">¶</a></h2><p>a</p>', 'x'],
    ['nothing of a container that begins with text', '<div id="outer"><p>First</p><h2>A</h2><p>a</p></div>', undefined],
    ['nothing of a full element before', '<p id="before">Text</p><h2>A</h2><p>a</p>', undefined],
    ['not an id that others have too', '<div id="x">z</div><h2 id="x">A</h2><p>a</p>', undefined],
    [
      'the next best when an id is taken',
      '<div id="x">z</div><section id="y"><h2 id="x">A</h2><p>a</p></section>',
      'y',
    ],
    ['no id with blanks', '<h2 id="a b">A</h2><p>a</p>', undefined],
    ['no id of more than 200 characters', `<h2 id="${'a'.repeat(201)}">A</h2><p>a</p>`, undefined],
    ...[':r1:', 'radix-3', 'ember123', 'react-aria-9', 'headlessui-tab-3', 'S:0', 'h-3f9c01ab77'].map(
      (id) => [`no generated id: ${id}`, `<h2 id="${id}">A</h2><p>a</p>`, undefined] as const,
    ),
    ...['decade', 'release-20260115', 'post-12345678', 'reaction', 'embers'].map(
      (id) => [`a written id: ${id}`, `<h2 id="${id}">A</h2><p>a</p>`, id] as const,
    ),
  ])('%s', (_, html, anchor) => {
    expect(anchorsOf(html).at(-1)).toBe(anchor);
  });
});

describe('section ids', () => {
  const page = (sections: readonly (readonly [string, string])[]) =>
    sections.map(([heading, text]) => `<h2>${heading}</h2><p>${text}</p>`).join('');
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const parts = fc.uniqueArray(fc.tuple(word, word), { minLength: 2, maxLength: 8, selector: ([heading]) => heading });

  test('stay when text changes and other sections come and go', () => {
    fc.assert(
      fc.property(parts, fc.nat(), word, (sections, pick, text) => {
        const kept = pick % sections.length;
        const idsBefore = new Map(sectionsOf(page(sections)).map(({ id, headings }) => [headings.at(-1)?.text, id]));
        const edited = sections
          .filter((_section, i) => i === kept || i % 2 === 0)
          .map(([heading, old], i) => [heading, i % 2 === 0 ? old : text] as const);

        for (const { id, headings } of sectionsOf(page([['zzzzzzzzz', text], ...edited]))) {
          const before = idsBefore.get(headings.at(-1)?.text);
          if (before !== undefined) expect(id).toBe(before);
        }
      }),
    );
  });

  test('do not depend on case, on hidden text, or on how characters are composed', () => {
    const [plain] = sectionsOf('<h2>Café</h2><p>a</p><p>b</p>');
    const [loud, hidden] = sectionsOf('<h2>CAFE\u0301</h2><p>a</p><p hidden>secret</p><p>b</p>');

    expect(loud?.id).toBe(plain?.id);
    expect(hidden?.id).not.toBe(plain?.id);
  });

  test('differ among sections with the same headings, and among documents', () => {
    const ids = sectionsOf('<h2>A</h2><p>a</p><h2>A</h2><p>b</p>').map(({ id }) => id);
    const { blocks } = collectBlocks(parsePage('<h2>A</h2><p>a</p>'));
    const [other] = makeSections('https://site.example/other', [{ blocks, isQuotable: true, isShown: true }]);

    expect(new Set([...ids, other?.id]).size).toBe(3);
    expect(ids[0]).toMatch(/^[a-z2-7]{10}$/);
  });
});
