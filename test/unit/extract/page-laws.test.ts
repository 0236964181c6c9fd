import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/extract/charset.ts';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction } from '../../../src/extract/extraction.ts';

/** `EXTRACT_MUTATIONS` is their number; 10,000 take minutes. */
const MUTATIONS = Number(process.env['EXTRACT_MUTATIONS'] ?? 100);

const folder = new URL('../../golden/extraction/pages/', import.meta.url);
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => ({ name, html: decodeText(readFileSync(new URL(name, folder)), undefined).text }));
const never = new AbortController().signal;

function read(html: string): Promise<Extraction> {
  const input = {
    url: 'https://www.nordlys.example/pages/laws',
    body: Buffer.from(html),
    headers: { contentType: 'text/html; charset=utf-8' },
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: Date.parse('2026-11-20T10:00:00Z'),
  };
  return extract({ parseFile: () => Promise.reject(new Error('a page is no file')) }, input, never);
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const withoutInvisible = (text: string) => text.replace(/[\u00ad\u200b]/g, '');

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Every text of a page, scripts included, each word as often as it stands there: tags may part words, or not. */
function sourceWords(html: string): (word: string) => number {
  const texts: string[] = [];
  const parser = new Parser({ ontext: (text) => texts.push(text) });
  parser.end(html);
  const inline = countsOf([withoutInvisible(texts.join(''))]);
  const apart = countsOf(texts.map(withoutInvisible));
  return (word) => Math.max(inline.get(word) ?? 0, apart.get(word) ?? 0);
}

function contentOf({ fields }: Extraction): string {
  return fields.get('Content')?.[0] ?? '';
}

const noise = fc.constantFrom('<', '>', '"', "'", '</div>', '<table>', '<h1>', '&', '&#0;', '\0', '<!--', '-->');
const edits = fc.array(fc.tuple(fc.nat(), fc.nat(200), noise), { minLength: 1, maxLength: 8 });

function edited(html: string, changes: readonly (readonly [number, number, string])[]): string {
  return changes.reduce((text, [place, cut, add]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + add + text.slice(at + cut);
  }, html);
}

test('no mutation of a page makes extraction throw, or gives it a status without a reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...pages), edits, async ({ html }, changes) => {
      const { status, reason } = await read(edited(html, changes));
      expect(status === 'ok' || reason !== '').toBe(true);
    }),
    { numRuns: MUTATIONS },
  );
});

describe.each(pages)('$name', ({ html }) => {
  test('has no word more often than its source', async () => {
    const limit = sourceWords(html);
    const extra = [...countsOf([contentOf(await read(html))])].filter(([word, count]) => count > limit(word));
    expect(extra).toEqual([]);
  });

  test('is the same with a comment behind it', async () => {
    expect(await read(`${html}<!-- built on a Friday -->`)).toEqual(await read(html));
  });

  test('is the same with its attributes in another order', async () => {
    const turned = html.replace(START_TAG, (_, name: string, attributes: string, end: string) => {
      const turnedAttributes = (attributes.match(ATTRIBUTE) ?? []).reverse().join('');
      return `<${name}${turnedAttributes}${end}`;
    });
    expect(await read(turned)).toEqual(await read(html));
  });
});

const ATTRIBUTE = /\s+[^\s=>"'/]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?/g;
const START_TAG = new RegExp(`<([a-z][\\w-]*)((?:${ATTRIBUTE.source})+)(\\s*/?>)`, 'gi');
