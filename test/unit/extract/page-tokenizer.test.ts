import fc from 'fast-check';
import { Parser, Tokenizer } from 'htmlparser2';
import { expect, test } from 'vitest';
import { PageTokenizer } from '../../../src/extract/html/page-tree.ts';

const PIECES = [
  ...['<p>', '</p>', '<a href="x?a=1&amp;b=2">', '<a title="say &quot;', '"', "'", '<img alt=\'a "b" c\' src=x>', '>'],
  ...['<script>', 'if (a<b && c) "</p>"', '</script>', '<style>a{}</style>', '<title>A &amp; B</title>', '<textarea>'],
  ...['<!-- note -->', '<!--', '-->', '<![CDATA[x]]>', '<!doctype html>', '<?php', '<', '&', '&lt;', '&copy', '&#x41;'],
  ...['text', ' ', '\n', 'é', '𝒜', '<br/>', '<svg><g/></svg>', '</', '=', '/', '<div class=a class="b">'],
];

test('the parser tells the same as with the tokenizer of the package, wherever the text is cut', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), sizes, (pieces, cuts) => {
      const html = pieces.join('');
      expect(eventsOf(html, cuts, PageTokenizer)).toEqual(eventsOf(html, cuts, Tokenizer));
    }),
    { numRuns: 1_000 },
  );
});

function eventsOf(html: string, cuts: readonly number[], tokenizer: typeof Tokenizer): readonly unknown[] {
  const events: unknown[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => events.push(['open', name, { ...attributes }]),
      onclosetag: (name) => events.push(['close', name]),
      ontext: (text) => events.push(['text', text]),
      oncomment: (text) => events.push(['comment', text]),
    },
    { Tokenizer: tokenizer },
  );
  let from = 0;
  for (let turn = 0; from < html.length; turn++) {
    const to = from + (cuts[turn % cuts.length] ?? 1);
    parser.write(html.slice(from, to));
    from = to;
  }
  parser.end();
  return events;
}
