import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowUrls, sanitizeAnswer } from '../../../src/ai/sanitize-answer.ts';

const OWN = 'https://site.example/loans';
const allowed = allowUrls([OWN, 'not a url', '']);
const clean = (text: string) => sanitizeAnswer(text, allowed);

describe('sanitizeAnswer', () => {
  test.each([
    ['images', 'a ![p](https://evil.test/p.png) b', 'a  b'],
    ['images by reference', 'a ![p][q] b', 'a  b'],
    ['tags', 'a <img src="https://evil.test/i"> b <script>x</script>', 'a  b x'],
    ['tags that do not end', 'a <img src=x', 'a '],
    ['comments', 'a <!-- x --> b', 'a  b'],
    ['foreign links', 'see [here](https://evil.test/x)', 'see here'],
    ['links without a scheme', 'see [here](//evil.test) [b](javascript:alert(1))', 'see here b)'],
    ['bare URLs', 'see https://evil.test/x. And www.evil.test too', 'see . And  too'],
    ['other schemes', 'a javascript:alert(1) data:text/html,x mailto:a@b.c', 'a )  '],
    ['autolinks', 'see <https://evil.test/x> now', 'see  now'],
    ['reference definitions', '[a]: https://evil.test/x "t"', ''],
    ['links over two lines', 'a [b](\nc', 'a [b] (\nc'],
    ['backticks without a partner', 'a ` b ![p](https://evil.test) ```c', 'a  b  c'],
    ['escaped backticks', 'a \\`![p](https://evil.test)\\` b', 'a  b'],
  ])('takes out %s', (_, text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  test.each([
    ['links to its pages', `the [desk](${OWN}#lost) is`],
    ['its bare URLs', `see ${OWN}.`],
    ['code', 'run `a <b> [c](d) https://x.test` now'],
    ['plain Markdown', '**bold** _it_ 1 < 2, a > b, x[i]'],
    ['e-mail addresses', 'write to desk@site.example'],
  ])('leaves %s', (_, text) => {
    expect(clean(text)).toBe(text);
  });

  test('makes loopback URLs code', () => {
    expect(clean('open http://localhost:8080/a, then')).toBe('open `http://localhost:8080/a`, then');
  });

  test('is idempotent, and leaves no foreign URL, image or tag outside of code', () => {
    const part = fc.constantFrom(
      ...[
        '[',
        ']',
        '(',
        ')',
        '!',
        '<',
        '>',
        '`',
        '``',
        '```',
        '\\',
        '\n',
        ' ',
        'a',
        'https://evil.test/x',
        OWN,
        'www.evil.test',
        '//evil.test',
      ],
      ...[
        'javascript:x',
        'img',
        'script',
        '/',
        '"',
        ':',
        '![p](https://evil.test/p)',
        '<b>',
        '[a](',
        '\ue000',
        '0',
        'http://localhost:1/',
        '[a]: ',
      ],
    );
    const text = fc.array(part, { maxLength: 25 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (dirty) => {
        const once = clean(dirty);
        const prose = once.replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, ' ');
        expect(clean(once)).toBe(once);
        expect(prose).not.toMatch(
          /evil\.test\/x|(?<![\p{L}\p{N}])www\.evil|!\[[^\]]*\]\(|<[a-z/!]|\]\((?!https:\/\/site\.example)/u,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
