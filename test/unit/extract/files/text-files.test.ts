import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXTRACT_LIMITS } from '../../../../src/extract/extract-limits.ts';
import { readTextFile } from '../../../../src/extract/files/readers.ts';
import { TEXT_KINDS, type TextKind } from '../../../../src/extract/formats.ts';
import { cpuMs } from '../../../helpers/cpu-time.ts';
import { outlineOf } from '../../../helpers/office-files.ts';

const read = (kind: TextKind, text: string) => readTextFile({ text, charset: 'utf-8' }, kind);
const outline = async (kind: TextKind, text: string) => outlineOf((await read(kind, text)).blocks);

describe('Markdown', () => {
  test.each<[string, string, string[]]>([
    [
      'headings of both kinds',
      '# One ##\nText\n\nTwo\n===\n### Three {#three}',
      ['heading 1: One', 'paragraph: Text', 'heading 1: Two', 'heading 3: Three'],
    ],
    ['a hash without a blank is text', '#hashtag', ['paragraph: #hashtag']],
    [
      'lists within lists',
      '- One\n  goes on\n  - Inner\n1. Two\n- [x] Done',
      ['list: One goes on\n  Inner\nTwo\nDone'],
    ],
    [
      'code as it stands',
      '```js\nconst a = 1;\n\n  # no heading\n```\nText\n\n    indented\n',
      ['code: const a = 1;\n\n  # no heading', 'paragraph: Text', 'code: indented'],
    ],
    ['code that never ends', '~~~\na\n```\nb', ['code: a\n```\nb']],
    ['quotes', '> One\n> goes on\n> > two\n\nText', ['quote: One goes on', 'quote: two', 'paragraph: Text']],
    [
      'tables',
      '| Town | Opens |\n|:--|--:|\n| Odense | **7** |\n| A \\| B | |',
      ['table: Town | Opens\nOdense | 7\nA | B'],
    ],
    ['rules', 'One\n\n* * *\n---\nTwo', ['paragraph: One', 'paragraph: Two']],
    [
      'marks within lines',
      '**bold** _it_ ~~old~~ snake_case_name `a*b*` \\*star\\* &amp; <b>tag</b><!-- gone -->',
      ['paragraph: bold it old snake_case_name a*b* *star* & tag'],
    ],
    [
      'code and further paragraphs of an entry',
      '1. One\n\n   ```sh\n   npm start\n   ```\n\n   More.\n2. Two',
      ['list: One', 'code: npm start', 'paragraph: More.', 'list: Two'],
    ],
    [
      'lists, tables and headings in quotes',
      '> # Hi\n> - One\n>\n> |a|b|\n> |-|-|\n> |1|2|',
      ['heading 1: Hi', 'list: One', 'table: a | b\n1 | 2'],
    ],
    ['emphasis over lines and around code', '**one\ntwo `x`** and *it*s', ['paragraph: one two x and its']],
    [
      'HTML between paragraphs',
      '<div class="note">\nOne <b>two</b>\n</div>\n\nText',
      ['paragraph: One two', 'paragraph: Text'],
    ],
    ['numbers that begin no list', 'Since\n2019. it rains', ['paragraph: Since 2019. it rains']],
    ['pictures', '![A ramp](ramp.png "Title") here', ['paragraph: A ramp here']],
    ['definitions of links', '[a]: https://site.example/\nText', ['paragraph: Text']],
  ])('%s', async (_, markdown, lines) => {
    expect(await outline('markdown', markdown)).toEqual(lines);
  });

  test('links of all kinds have their text', async () => {
    const { links } = await read(
      'markdown',
      '[one](https://a.example/x_(y) "T") [two][ref] [ref] <https://b.example/>\n\n[ref]: /c\n',
    );
    expect(links).toEqual([
      { url: 'https://a.example/x_(y)', text: 'one' },
      { url: '/c', text: 'two' },
      { url: '/c', text: 'ref' },
      { url: 'https://b.example/', text: 'https://b.example/' },
    ]);
  });

  test.each([
    [
      'YAML',
      '---\ntitle: "Hours"\nauthor: Ada Holm # ours\ndate: 2026-03-04\ntags:\n  - depots\n  - hours\nlang: en\n---\nText',
    ],
    [
      'TOML',
      '+++\ntitle = "Hours"\nauthor = \'Ada Holm\'\ndate = 2026-03-04\ntags = ["depots", "hours"]\nlang = "en"\n+++\nText',
    ],
  ])('front matter in %s gives properties and no text', async (_, markdown) => {
    const file = await read('markdown', markdown);
    expect(file.properties).toMatchObject({
      title: 'Hours',
      author: 'Ada Holm',
      created: '2026-03-04',
      keywords: 'depots, hours',
      language: 'en',
    });
    expect(outlineOf(file.blocks)).toEqual(['paragraph: Text']);
  });

  test('a rule above a text is no front matter', async () => {
    expect(await outline('markdown', '---\nText\n\nmore')).toEqual(['paragraph: Text', 'paragraph: more']);
  });
});

describe('delimited text', () => {
  test.each<[string, string, string[]]>([
    ['commas', 'Town,Opens\nOdense,7\n', ['table: Town | Opens\nOdense | 7']],
    [
      'semicolons beside commas',
      'Town;Rate\nOdense;1,5\nAarhus;2,25\n',
      ['table: Town | Rate\nOdense | 1,5\nAarhus | 2,25'],
    ],
    ['tabs', 'Town\tOpens\r\nOdense\t7\r\n', ['table: Town | Opens\nOdense | 7']],
    ['bars', 'Town|Opens\nOdense|7', ['table: Town | Opens\nOdense | 7']],
    ['a separator that the file names', 'sep=:\nTown:Opens\na,b:c', ['table: Town | Opens\na,b | c']],
    ['quotes', '"a, b","say ""hi""","two\nlines"\n', ['table: a, b | say "hi" | two lines']],
    ['text behind quotes', '"a" b,c\n', ['table: a b | c']],
    ['a quote that never ends', '"a,b\nc,d', ['table: "a | b\nc | d']],
    ['blank rows and rows of other lengths', 'a,b,c\n\n,,\nd,e\n', ['table: a | b | c\nd | e']],
    ['one column', 'Town\nOdense\n', ['table: Town\nOdense']],
  ])('%s', async (_, text, lines) => {
    expect(await outline('delimited', text)).toEqual(lines);
  });

  test('rows from the 5,001st on are left out, and the file is over the limit', async () => {
    const file = await read('delimited', Array.from({ length: 6_000 }, (_, i) => `r${i},x`).join('\n'));
    expect(file.status).toBe('over-limit');
    expect(file.blocks.map(({ text }) => text).join('\n')).not.toContain('r5000');
    expect(file.blocks.at(-1)?.text).toMatch(/r4999 \| x$/);
  });
});

describe('JSON', () => {
  test.each<[string, string, string[]]>([
    [
      'values of one object are a paragraph',
      '{"town":"Odense","opens":7,"note":"Ring \\"twice\\""}',
      ['paragraph: Odense\nRing "twice"'],
    ],
    [
      'objects and lists part paragraphs',
      '[{"a":"One"},{"a":"Two","b":["x","y"]}]',
      ['paragraph: One', 'paragraph: Two', 'paragraph: x\ny'],
    ],
    ['escapes', '["\\u00c6r\\u00f8\\nis\\/an \\ud83d\\ude00"]', ['paragraph: Ærø is/an 😀']],
    ['one value per line', '{"a":"One"}\n{"a":"Two"}\n', ['paragraph: One', 'paragraph: Two']],
    ['a cut file', '{"a":"One","b":"Tw', ['paragraph: One\nTw']],
    ['data in strings is left out', `{"a":"One","b":"${'A'.repeat(500)}"}`, ['paragraph: One']],
    ['blank values', '{"a":" ","b":""}', []],
  ])('%s', async (_, json, lines) => {
    expect(await outline('json', json)).toEqual(lines);
  });

  test('the title of the outermost object is the title', async () => {
    expect((await read('json', '{"meta":{"title":"Inner"},"title":"Hours"}')).properties.title).toBe('Hours');
  });
});

describe('Org', () => {
  test.each<[string, string, string[]]>([
    [
      'headings without state, priority and tags',
      '* TODO [#A] One :tag:other:\nText\nmore\n*** Three\n*bold* text',
      ['heading 1: One', 'paragraph: Text more', 'heading 3: Three', 'paragraph: bold text'],
    ],
    ['lists', '- One\n+ Two\n1. Three\n2) [X] Four', ['list: One\nTwo\nThree\nFour']],
    ['tables', '| Town | Opens |\n|------+-------|\n| Odense | *7* |', ['table: Town | Opens\nOdense | 7']],
    [
      'blocks of code, quotes and comments',
      '#+BEGIN_SRC js\nconst a = 1;\n* no heading\n#+END_SRC\n#+begin_quote\nSaid\n#+end_quote\n#+begin_comment\nx\n#+end_comment',
      ['code: const a = 1;\n* no heading', 'quote: Said'],
    ],
    ['a block that never ends is text', '#+begin_src\na', ['paragraph: #+begin_src a']],
    ['lines of fixed width', ': one\n: two\nText', ['code: one\ntwo', 'paragraph: Text']],
    [
      'what is no text',
      '* One\n:PROPERTIES:\n:ID: 1\n:END:\nSCHEDULED: <2026-03-04>\n# remark\n#+OPTIONS: toc:nil\n-----\nText',
      ['heading 1: One', 'paragraph: Text'],
    ],
    ['marks within lines', '*bold* /it/ =code= +old+ a*b*c 1/2/3', ['paragraph: bold it code old a*b*c 1/2/3']],
  ])('%s', async (_, org, lines) => {
    expect(await outline('org', org)).toEqual(lines);
  });

  test('links have their text, and keywords are properties', async () => {
    const file = await read(
      'org',
      '#+TITLE: Hours of /depots/\n#+AUTHOR: Ada Holm\n#+LANGUAGE: en\nSee [[https://a.example/x][the list]], [[https://b.example/]] and [[file:other.org][there]].',
    );
    expect(file.properties).toEqual({ title: 'Hours of depots', author: 'Ada Holm', language: 'en' });
    expect(outlineOf(file.blocks)).toEqual(['paragraph: See the list, https://b.example/ and there.']);
    expect(file.links).toEqual([
      { url: 'https://a.example/x', text: 'the list' },
      { url: 'https://b.example/', text: 'https://b.example/' },
    ]);
  });
});

describe('AsciiDoc', () => {
  test.each<[string, string, string[]]>([
    [
      'headings of the older kind',
      'Depots\n======\n\nHours\n-----\nOpen\n\nWinter\n~~~~~~~\nNot\n------',
      ['heading 1: Depots', 'heading 2: Hours', 'paragraph: Open', 'heading 3: Winter', 'paragraph: Not'],
    ],
    [
      'headings by level, with the marks of Markdown, too',
      '= Depots\n\n== Hours ==\nOpen\ndaily.\n\n=== Winter\n## Prices\n==no heading',
      [
        'heading 1: Depots',
        'heading 2: Hours',
        'paragraph: Open daily.',
        'heading 3: Winter',
        'heading 2: Prices',
        'paragraph: ==no heading',
      ],
    ],
    [
      'lists whose entries go on',
      '* One\ngoes on\n** [x] Inner\n. Two\n1. Three\n- Four\n+\nMore.\n<1> Called',
      ['list: One goes on\nInner\nTwo\nThree\nFour', 'paragraph: More.', 'list: Called'],
    ],
    [
      'terms and what they mean',
      'Depot:: Where parcels wait.\nRamp::\n\n\tFor chairs.\n+\nAnd beds.\n\nDoor::\n\n== Hours',
      [
        'list: Depot: Where parcels wait.\nRamp: For chairs.',
        'paragraph: And beds.',
        'list: Door:',
        'heading 2: Hours',
      ],
    ],
    [
      'code as it stands',
      '[source,js]\n----\nconst a = 1;\n\n== no heading\n----\n....\n*x*\n....\n```sh\nls\n```\n\n  indented\n more\n+\n[listing]\na\nb',
      ['code: const a = 1;\n\n== no heading', 'code: *x*', 'code: ls', 'code:  indented\nmore', 'code: a\nb'],
    ],
    [
      'quotes',
      '____\nSaid\n\n* and done\n____\n\n[quote, Ada Holm]\nOnce\nmore.\n\nText',
      ['quote: Said', 'list: and done', 'quote: Once more.', 'paragraph: Text'],
    ],
    [
      'blocks that hold other blocks',
      '[NOTE]\n====\nMind *this*.\n\n****\n. Aside\n****\n====\n--\nOpen\n--',
      ['paragraph: Mind this.', 'list: Aside', 'paragraph: Open'],
    ],
    ['code that never ends is text', '----\na', ['paragraph: a']],
    [
      'tables of rows in lines',
      '.Hours\n[cols="2,^1"]\n|===\n|Town |Opens\n\n|Odense |*7*\n|A \\| B a|8\n|===',
      ['paragraph: Hours', 'table: Town | Opens\nOdense | 7\nA | B | 8'],
    ],
    [
      'tables of cells in lines, and cells of two columns',
      '[cols=2*]\n|===\n|Town\n|Opens\n2+|North\n|Skagen\n|7,\nor 8\n|===',
      ['table: Town | Opens\nNorth\nSkagen | 7, or 8'],
    ],
    ['tables of separated values', ',===\nTown,Opens\n"Odense, C",7\n,===', ['table: Town | Opens\nOdense, C | 7']],
    [
      'what is no text',
      "// remark\nText\n// remark\ngoes on\n\n////\n== gone\n////\n[[anchor]]\n[.lead]\ninclude::other.adoc[]\nifdef::web[]\nOn the web\nendif::[]\n\n'''\n<<<\ntoc::[]",
      ['paragraph: Text goes on', 'paragraph: On the web'],
    ],
    [
      'marks within lines',
      '*bold* _it_ `code` #mark# [.big]#large# **b**old x^2^ H~2~O +lit+ a*b*c snake_case_name +\nnew',
      ['paragraph: bold it code mark large bold x2 H2O lit a*b*c snake_case_name new'],
    ],
    [
      'pictures, notes and keys',
      'image::ramp.png[A ramp,200]\n\nPress kbd:[Ctrl+F]footnote:[Or search.] at image:i.png[] <<hours,the hours>> [sic]',
      ['paragraph: A ramp', 'paragraph: Press Ctrl+F (Or search.) at the hours [sic]'],
    ],
    ['HTML between paragraphs', '++++\n<p>One <b>two</b></p>\n++++\nText', ['paragraph: One two', 'paragraph: Text']],
    [
      'values of attributes, where the file gives them',
      ':town: Odense\n:!gone:\n\nIn {town}{nbsp}C, {unknown} and \\{town}.',
      ['paragraph: In Odense C, {unknown} and {town}.'],
    ],
  ])('%s', async (_, text, lines) => {
    expect(await outline('asciidoc', text)).toEqual(lines);
  });

  test('the header gives properties', async () => {
    const file = await read(
      'asciidoc',
      '// ours\n= Hours of {what}\nAda Holm <ada@site.example>\nv1.2, 2026-03-04\n:what: depots\n:lang: en\n:keywords: depots, hours\n:description: When they open.\n\nText',
    );
    expect(file.properties).toEqual({
      title: 'Hours of depots',
      author: 'Ada Holm',
      created: '2026-03-04',
      language: 'en',
      keywords: 'depots, hours',
      subject: 'When they open.',
    });
    expect(outlineOf(file.blocks)).toEqual(['heading 1: Hours of depots', 'paragraph: Text']);
  });

  test('a text right below the title is no author', async () => {
    const file = await read('asciidoc', '= Hours\nThe depots are open from seven.');
    expect(file.properties).toEqual({ title: 'Hours' });
    expect(outlineOf(file.blocks)).toEqual(['heading 1: Hours', 'paragraph: The depots are open from seven.']);
  });

  test('attributes name author and date where the lines below the title do not', async () => {
    const { properties } = await read('asciidoc', '= Hours\n:author: Bo Dahl\n:revdate: 2026-05-06\n\nText');
    expect(properties).toMatchObject({ author: 'Bo Dahl', created: '2026-05-06' });
  });

  test('links of all kinds have their text', async () => {
    const { links, blocks } = await read(
      'asciidoc',
      ':site: https://a.example\n\n({site}/x_y_[*one*]) link:/c[two,window=_blank] `+https://b.example/d+`. mailto:ada@a.example[] xref:o.adoc[three]',
    );
    expect(outlineOf(blocks)).toEqual(['paragraph: (one) two https://b.example/d. ada@a.example three']);
    expect(links).toEqual([
      { url: 'https://a.example/x_y_', text: 'one' },
      { url: '/c', text: 'two' },
      { url: 'https://b.example/d', text: 'https://b.example/d' },
      { url: 'mailto:ada@a.example', text: 'ada@a.example' },
    ]);
  });

  test('values of attributes add a million characters at most', async () => {
    const { blocks } = await read('asciidoc', `:a: ${'x'.repeat(1_000)}\n\n${'{a}'.repeat(20_000)}`);
    expect(blocks[0]?.text.length).toBeLessThan(2_100_000);
    expect(blocks[0]?.text).toMatch(/x\{a\}/);
  });
});

test.each(TEXT_KINDS)('%s longer than the limit keeps its beginning', async (kind) => {
  const file = await read(kind, 'a line of text\n\n'.repeat(200_000));
  expect(file.status).toBe('over-limit');
});

test.each(['markdown', 'asciidoc', 'org'] as const)('%s with a block too many keeps the others', async (kind) => {
  const paragraphs = Array.from({ length: EXTRACT_LIMITS.blocks }, (_, i) => `p${i}`);
  const whole = await read(kind, paragraphs.join('\n\n'));
  const long = await read(kind, [...paragraphs, 'one too many'].join('\n\n'));

  expect(whole.status).toBe('ok');
  expect(long.status).toBe('over-limit');
  expect(long.blocks).toEqual(whole.blocks);
});

test.each(TEXT_KINDS)('any text is read as %s without a fault', async (kind) => {
  const unit = fc.constantFrom(
    ...'#*_-+=`~|>[](){}<>!"\'\\,;:\t \n\r019azA&/.'.split(''),
    '---\n',
    '```',
    '{"a":"',
    '|-|',
    '\u2028',
    '\0',
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 300 }), async (text) => {
      const { status, blocks } = await read(kind, text);
      expect(['ok', 'empty']).toContain(status);
      expect(blocks.every((block) => block.text.trim() !== '')).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each<[TextKind, string]>([
  ['markdown', '['],
  ['markdown', '!['],
  ['markdown', '*a'],
  ['markdown', '<!--'],
  ['markdown', '`'],
  ['markdown', '> '],
  ['markdown', `# ${' '.repeat(10_000)}x\n`],
  ['markdown', `a|b\n---${' '.repeat(10_000)}x\n`],
  ['asciidoc', '['],
  ['asciidoc', 'link:'],
  ['asciidoc', '*a '],
  ['asciidoc', '{a'],
  ['asciidoc', '<<'],
  ['asciidoc', '|===\n'],
  ['asciidoc', '----\n'],
  ['asciidoc', '|===\n|a\n'],
  ['asciidoc', `== ${' '.repeat(10_000)}x\n`],
  ['asciidoc', `a${' '.repeat(10_000)}:: x\n`],
  ['json', '\\"'],
  ['json', '['],
  ['delimited', '"'],
  ['delimited', '"a,""b,'],
])('%s of nothing but %j ends soon', (kind, part) => {
  const text = `"${part.repeat(Math.ceil(300_000 / part.length))}`;
  expect(cpuMs(() => read(kind, text))).toBeLessThan(2_000);
});
