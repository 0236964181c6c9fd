import { expect, test } from 'vitest';
import { citedSources, parseAnswer, shownPart } from '../../../web/parts/parse-answer.ts';

const text = (content: string) => ({ kind: 'text', text: content });
const citation = (reference: number, url: string) => ({ kind: 'citation', reference, url });

test.each([
  ['lines of one paragraph', 'a\nb\n\nc', [paragraph(text('a b')), paragraph(text('c'))]],
  [
    'a citation',
    'So it is. [1](https://a.example/x)',
    [paragraph(text('So it is. '), citation(1, 'https://a.example/x'))],
  ],
  [
    'marked words',
    '**a** *b* `c`',
    [paragraph(mark('strong', 'a'), text(' '), mark('emphasis', 'b'), text(' '), mark('code', 'c'))],
  ],
  ['a list', '- a\n- b', [{ kind: 'list', isOrdered: false, items: [[text('a')], [text('b')]] }]],
  ['steps', '1. a\n2) b', [{ kind: 'list', isOrdered: true, items: [[text('a')], [text('b')]] }]],
  [
    'a list behind a line',
    'Do:\n- a',
    [paragraph(text('Do:')), { kind: 'list', isOrdered: false, items: [[text('a')]] }],
  ],
  ['a heading', '## A', [{ kind: 'heading', content: [text('A')] }]],
  ['code', 'a\n```\n- <b>\n```\nb', [paragraph(text('a')), { kind: 'code', text: '- <b>' }, paragraph(text('b'))]],
  ['code that is not closed', '```\nx', [{ kind: 'code', text: 'x' }]],
  [
    'a table behind a line',
    'Do:\na | b\n--- | ---\n1 | 2 [1](https://a.example)\n3 | 4\nc',
    [
      paragraph(text('Do:')),
      {
        kind: 'table',
        names: [[text('a')], [text('b')]],
        rows: [
          [[text('1')], [text('2 '), citation(1, 'https://a.example')]],
          [[text('3')], [text('4')]],
        ],
      },
      paragraph(text('c')),
    ],
  ],
  ['cells without a rule', 'a | b\nc | d', [paragraph(text('a | b c | d'))]],
  ['HTML', '<b>a</b>', [paragraph(text('<b>a</b>'))]],
  ['a script address', '[a](javascript:alert(1))', [paragraph(text('[a](javascript:alert(1))'))]],
  ['nothing', '\n \n', []],
])('%s', (_, markdown, blocks) => {
  expect(parseAnswer(markdown).filter((block) => block.kind !== 'paragraph' || block.content.length > 0)).toEqual(
    blocks,
  );
});

test.each([
  ['a [', 'a '],
  ['a [12', 'a '],
  ['a [1]', 'a '],
  ['a [1](https://a.ex', 'a '],
  ['a [1](https://a.example)', 'a [1](https://a.example)'],
  ['a [b', 'a [b'],
])('of %j that is being written %j is shown', (markdown, shown) => {
  expect(shownPart(markdown)).toBe(shown);
});

test('sources are listed once, by number', () => {
  const markdown = 'a [2](https://b.example) b [1](https://a.example)\n- c [2](https://b.example)';
  expect(citedSources(markdown)).toEqual([
    { reference: 1, url: 'https://a.example' },
    { reference: 2, url: 'https://b.example' },
  ]);
});

function paragraph(...content: object[]) {
  return { kind: 'paragraph', content };
}

function mark(kind: string, content: string) {
  return { kind, text: content };
}
