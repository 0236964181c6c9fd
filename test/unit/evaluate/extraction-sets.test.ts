import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encoderOf } from '../../../scripts/evaluate/extraction/encode-text.ts';
import { bytesOf, foldOf, PACK_RECORD, readPack } from '../../../scripts/evaluate/extraction/read-pack.ts';
import { fallsBelow, printedReport, withReports } from '../../../scripts/evaluate/extraction/set-report.ts';

test.each([
  ['windows-1252', 'Größe – 5 €'],
  ['iso-8859-2', 'Łódź'],
  ['windows-1251', 'Привет, мир'],
  ['koi8-r', 'Привет, мир'],
  ['windows-1255', 'שלום'],
  ['windows-874', 'ภาษาไทย'],
  ['shift_jis', '日本語のページ'],
  ['euc-jp', '日本語のページ'],
  ['gb18030', '简体中文'],
  ['big5', '繁體中文'],
  ['euc-kr', '한국어 문서'],
  ['utf-8', 'Größe 東京 😀'],
  ['utf-16le', 'Größe 東京 😀'],
  ['utf-16be', 'Größe 東京 😀'],
])('what is encoded in %s is decoded to the same', (charset, text) => {
  expect(new TextDecoder(charset, { fatal: true }).decode(encoderOf(charset)(text))).toBe(text);
});

test('characters that a charset lacks become references', () => {
  expect(Buffer.from(encoderOf('windows-1252')('a東😀')).toString('latin1')).toBe('a&#26481;&#128512;');
});

test('utf-16 has a mark of its byte order', () => {
  expect([...encoderOf('utf-16')('a')]).toEqual([0xff, 0xfe, 0x61, 0]);
});

test('packs are read in the order of their names, line by line', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'fossick-pack-'));
  const write = (name: string, ...ids: string[]) => {
    const lines = ids.map((id) => JSON.stringify({ id, url: '', html: `<p>${id}` })).join('\n');
    writeFileSync(join(folder.path, name), brotliCompressSync(`${lines}\n`));
  };
  write('pages-01.jsonl.br', 'c');
  write('pages-00.jsonl.br', 'a', 'b');
  write('other-00.jsonl.br', 'd');

  expect([...readPack(folder.path, 'pages', PACK_RECORD)].map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(() => [...readPack(folder.path, 'none', PACK_RECORD)]).toThrow('There is no none-*.jsonl.br');
});

test.each([
  ['text', { html: 'ü' }, [0xc3, 0xbc]],
  ['bytes as characters', { latin1: 'ü' }, [0xfc]],
  ['base64', { base64: 'AP8=' }, [0, 0xff]],
])('bytes kept as %s', (_, member, bytes) => {
  expect([...bytesOf({ id: '', url: '', ...member })]).toEqual(bytes);
});

test('pages of one host are in one fold', () => {
  const folds = ['http://a.example/1', 'https://www.a.example:8080/2'].map((url) => foldOf({ url, id: url }));
  expect(folds[0]).toBe(folds[1]);
  const others = Array.from({ length: 20 }, (_, n) => foldOf({ url: `https://site${n}.example/`, id: '' }));
  expect(new Set(others).size).toBe(2);
});

const report = (figures: Readonly<Record<string, number>>) => ({
  set: 'titles',
  note: 'a note',
  rows: [{ name: 'all', count: 3, figures }],
});

test.each<[string, Record<string, number>, readonly string[]]>([
  ['a figure that is the same', { exact: 0.8, invented: 0.1 }, []],
  ['a fall within the tolerance', { exact: 0.796, invented: 0.104 }, []],
  ['a fall', { exact: 0.79, invented: 0.1 }, ['titles, all: exact 0.8000 → 0.7900']],
  ['more of what should be less', { exact: 0.9, invented: 0.2 }, ['titles, all: invented 0.1000 → 0.2000']],
])('%s against the baseline', (_, figures, falls) => {
  const baseline = withReports({}, [report({ exact: 0.8, invented: 0.1 })]);
  expect(fallsBelow(baseline, [report(figures)])).toEqual(falls);
});

test('a figure that is gone is a fall, a new one is none', () => {
  const baseline = withReports({}, [report({ exact: 0.8 })]);
  expect(fallsBelow(baseline, [report({})])).toHaveLength(1);
  expect(fallsBelow(baseline, [report({ exact: 0.8, other: 0 })])).toEqual([]);
});

test('sets that were not run stay in the baseline', () => {
  const baseline = withReports({ dates: { all: { F: 0.9 } } }, [report({ exact: 0.812_34 })]);
  expect(baseline).toEqual({ dates: { all: { F: 0.9 } }, titles: { all: { exact: 0.8123 } } });
});

test('a table has a line per row and the note', () => {
  expect(printedReport(report({ exact: 0.5, scored: 12 })).split('\n')).toEqual([
    'titles         pages      exact     scored',
    'all                3     0.5000         12',
    '(a note)',
  ]);
});
