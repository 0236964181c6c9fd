import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { load } from 'cheerio/slim';
import mammoth from 'mammoth';
import { PDFParse } from 'pdf-parse';
import { describe, expect, test } from 'vitest';
import { buildSite } from '../../scripts/sample-site/site.ts';

const WEB = join(import.meta.dirname, '..', '..', 'web');
const SITE = join(WEB, 'sample-site');

const files = new Map(
  readdirSync(SITE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [
      path
        .slice(SITE.length + 1)
        .split(sep)
        .join('/'),
      readFileSync(path),
    ]),
);
const pages = [...files.keys()].filter((path) => path.endsWith('.html'));
const documents = new Map(pages.map((path) => [path, load(String(files.get(path)))]));

const textContent = load([]).text;
const elements = (path: string, name: string) => documents.get(path)!(name).toArray();
const attributes = (path: string, name: string, attribute: string) =>
  elements(path, name).flatMap((element) => ('attribs' in element ? (element.attribs[attribute] ?? []) : []));
const linksOf = (path: string) => [...attributes(path, 'a', 'href'), ...attributes(path, 'link', 'href')];
const targetOf = (path: string, link: string) =>
  posix.join(posix.dirname(path), link.split('#')[0] || posix.basename(path));
const wordsOf = (path: string) => textContent(elements(path, 'main')).trim().split(/\s+/).length;

test('the committed site is what the build script writes', () => {
  const built = buildSite(join(WEB, 'sample-content'));

  expect([...files.keys()].sort()).toEqual([...built.keys()].sort());
  const stale = [...built].filter(([path, bytes]) => !files.get(path)?.equals(bytes)).map(([path]) => path);
  expect(stale, 'run node scripts/build-sample-site.ts').toEqual([]);
});

test('it has at least 60 pages of all kinds, in two languages, and five files', () => {
  const inFolder = (folder: string) => pages.filter((path) => path.startsWith(`${folder}/`)).length;

  expect(pages.length).toBeGreaterThanOrEqual(60);
  const counts = ['news', 'guides', 'plants', 'shop', 'courses', 'forum', 'de'].map(inFolder);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
  expect(pages.filter((path) => attributes(path, 'html', 'lang')[0] === 'de')).toHaveLength(inFolder('de'));
  expect([...files.keys()].filter((path) => path.endsWith('.pdf'))).toHaveLength(3);
  expect([...files.keys()].filter((path) => path.endsWith('.docx'))).toHaveLength(2);
});

test('every link is relative and leads to a file, anchors included', () => {
  const broken = pages.flatMap((path) =>
    linksOf(path).filter((link) => {
      const target = targetOf(path, link);
      const [, anchor] = link.split('#');
      if (/^([a-z]+:|\/)/.test(link) || !files.has(target)) return true;
      return anchor !== undefined && !String(files.get(target)).includes(`id="${anchor}"`);
    }),
  );

  expect(broken).toEqual([]);
});

test('everything is reachable from the home page', () => {
  const seen = new Set(['index.html']);
  for (const path of seen) {
    if (documents.has(path)) for (const link of linksOf(path)) seen.add(targetOf(path, link));
  }

  const served = [...files.keys()].filter((path) => path !== 'robots.txt' && path !== 'sitemap.xml');
  expect(served.filter((path) => !seen.has(path))).toEqual([]);
});

test('the sitemap names everything but the folder that robots.txt closes', () => {
  const sitemap = load(String(files.get('sitemap.xml')), { xml: true });
  const named = sitemap('loc')
    .toArray()
    .map((element) => textContent([element]));
  const open = [...files.keys()].filter((path) => /\.(html|pdf|docx)$/.test(path) && !path.startsWith('staff/'));

  expect(named.sort()).toEqual(open.sort());
  expect(String(files.get('robots.txt'))).toContain('Disallow: /staff/');
  expect(pages.some((path) => path.startsWith('staff/'))).toBe(true);
});

test('titles and descriptions are there and differ from page to page', () => {
  const titles = pages.map((path) => textContent(elements(path, 'title')));
  const described = pages.map((path) => String(files.get(path)).match(/name="description" content="([^"]{30,})"/)?.[1]);

  expect(new Set(titles).size).toBe(pages.length);
  expect(new Set(described).size).toBe(pages.length);
  expect(described).not.toContain(undefined);
  for (const path of pages) expect(elements(path, 'h1'), path).toHaveLength(1);
});

test('content pages are neither stubs nor endless', () => {
  const content = pages.filter((path) => !path.endsWith('index.html') && !path.startsWith('staff/'));
  const odd = content.map((path) => [path, wordsOf(path)] as const).filter(([, count]) => count < 140 || count > 500);

  expect(odd).toEqual([]);
});

test('no sentence of the prose stands on two pages', () => {
  const sentences = pages.flatMap((path) =>
    elements(path, 'p')
      .filter((element) => elements(path, 'footer').every((footer) => !isInside(element, footer)))
      .flatMap((element) => textContent([element]).split(/(?<=[.!?])\s+/))
      .filter((sentence) => sentence.split(' ').length > 7),
  );
  const counts = Map.groupBy(sentences, (sentence) => sentence);

  const repeated = [...counts].filter(([, all]) => all.length > 2).map(([sentence]) => sentence);
  expect(repeated.filter((sentence) => !sentence.startsWith('You need an account'))).toEqual([]);
});

describe('files can be read', () => {
  test.each([
    ['files/visitor-guide.pdf', 'Lily house: giant water lily from June to September'],
    ['files/alpine-survey-2025.pdf', 'Edelweiss is stable: 27 plots in 2007, 26 in 2025.'],
    ['files/gartenordnung.pdf', 'Rasenflächen dürfen betreten werden'],
  ])('%s', async (path, expected) => {
    const parser = new PDFParse({ data: new Uint8Array(files.get(path)!) });
    const { text } = await parser.getText();
    await parser.destroy();
    expect(text.replaceAll(/\s+/g, ' ')).toContain(expected);
  });

  test.each([
    ['files/annual-report-2025.docx', 'The year began with a roof that leaked', '<table>'],
    ['files/seed-exchange-form.docx', 'A fifth of our list comes from gardens of visitors.', '<h1>Collecting</h1>'],
  ])('%s', async (path, sentence, markup) => {
    const { value } = await mammoth.convertToHtml({ buffer: files.get(path)! });
    expect(value).toContain(sentence);
    expect(value).toContain(markup);
  });
});

function isInside(element: { parent: unknown }, ancestor: unknown): boolean {
  for (let node = element as { parent: unknown } | null; node; node = node.parent as { parent: unknown } | null) {
    if (node === ancestor) return true;
  }
  return false;
}
