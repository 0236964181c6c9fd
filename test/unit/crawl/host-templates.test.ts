import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashedBlocksOf, openHostTemplates } from '../../../src/crawl/visit/host-templates.ts';
import { DEFAULT_EXTRACT_SETTINGS, type ExtractInput } from '../../../src/extract/extraction.ts';
import { FOLDER_PAGES, MAX_FOLDER_PAGES } from '../../../src/storage/engine/folder-pages.ts';
import { type FolderPage, rankOfPage, SAMPLED_PAGES, type SampledPage } from '../../../src/storage/engine/templates.ts';

const HOST = 3;
const SITE = 'https://site.example/';

const inputOf = (body: string): ExtractInput => ({
  url: SITE,
  body: Buffer.from(body),
  headers: { contentType: 'text/html' },
  settings: DEFAULT_EXTRACT_SETTINGS,
  now: 7,
});

const region = 'content' as const;

type RecordedPage = { path?: string; body?: string; links?: readonly string[]; isTitleSettled?: boolean };

function open(pages: readonly SampledPage[] = [], folders: readonly FolderPage[] = []) {
  const asked: number[] = [];
  const templates = openHostTemplates({
    templatesOf: async (hostIds) => {
      asked.push(...hostIds);
      return hostIds.map((hostId) =>
        hostId === HOST ? { sampled: pages, inFolders: folders } : { sampled: [], inFolders: [] },
      );
    },
  });
  const pageOf = (urlId: number, path: string) => ({ urlId, hostId: HOST, url: new URL(path, SITE).href });
  return {
    asked,
    sampledPagesFor: templates.sampledPagesFor,
    record: (
      urlId: number,
      templateBlocks: readonly string[],
      { path = '/', body = 'x', links = [], isTitleSettled = true }: RecordedPage = {},
    ) => {
      const outlinks = links.map((link) => ({
        url: new URL(link, SITE).href,
        text: '',
        texts: [],
        region,
        follow: true,
      }));
      return templates.record(pageOf(urlId, path), {
        extraction: { templateBlocks, outlinks, isTitleSettled },
        read: inputOf(body),
      });
    },
    share: async (urlId: number, hash: string) => (await templates.sampledPagesFor(pageOf(urlId, '/'))).share(hash),
    inFolder: async (path: string, hash: string, urlId = 9_999) =>
      (await templates.sampledPagesFor(pageOf(urlId, path))).folderShare(hash),
  };
}

const pagesOf = (count: number, blocks: (urlId: number) => readonly string[]) =>
  Array.from({ length: count }, (_, at) => ({ urlId: at + 1, blocks: blocks(at + 1) }));

test('the vote counts from ten other known pages on', async () => {
  const nine = open(pagesOf(9, () => ['menu']));
  const ten = open(pagesOf(10, () => ['menu']));

  expect(await nine.share(99, 'menu')).toBe(0);
  expect(await ten.share(99, 'menu')).toBe(1);
  expect(await ten.share(99, 'other')).toBe(0);
  // The page itself is none of the others.
  expect(await ten.share(10, 'menu')).toBe(0);
});

test('a page does not vote for itself', async () => {
  const templates = open(pagesOf(11, (urlId) => (urlId <= 5 ? ['menu', `text ${urlId}`] : [`text ${urlId}`])));

  expect(await templates.share(1, 'menu')).toBe(0.4);
  expect(await templates.share(11, 'menu')).toBe(0.5);
  expect(await templates.share(1, 'text 1')).toBe(0);
});

test('what is recorded counts at once, and only what changes something is', async () => {
  const templates = open();
  await templates.sampledPagesFor({ urlId: 1, hostId: HOST, url: SITE });
  for (let urlId = 1; urlId <= 10; urlId++) {
    expect(templates.record(urlId, ['menu'])?.blocks).toEqual(['menu']);
  }

  expect(await templates.share(99, 'menu')).toBe(1);
  expect(templates.record(4, ['other'])?.blocks).toEqual(['other']);
  expect(await templates.share(99, 'menu')).toBe(0.9);
});

test('the store is asked once per host', async () => {
  const templates = open();
  await Promise.all([1, 2, 3].map((urlId) => templates.sampledPagesFor({ urlId, hostId: HOST, url: SITE })));
  await templates.sampledPagesFor({ urlId: 4, hostId: HOST, url: SITE });
  await templates.sampledPagesFor({ urlId: 4, hostId: 8, url: SITE });

  expect(templates.asked.filter((hostId) => hostId === 8)).toEqual([8]);
  expect(new Set(templates.asked)).toEqual(new Set([HOST, 8]));
});

test('the same pages are known in whatever order they come, those of lowest rank', async () => {
  const ids = Array.from({ length: 150 }, (_, at) => at + 1);
  const sample = new Set(ids.toSorted((a, b) => rankOfPage(a) - rankOfPage(b)).slice(0, SAMPLED_PAGES));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(ids, { minLength: 150 }), async (order) => {
      const templates = open();
      await templates.sampledPagesFor({ urlId: 1, hostId: HOST, url: SITE });
      for (const urlId of order) templates.record(urlId, [`own ${urlId}`]);

      for (const urlId of ids) {
        expect(await templates.share(999, `own ${urlId}`)).toBe(sample.has(urlId) ? 1 / SAMPLED_PAGES : 0);
      }
    }),
    { numRuns: 20 },
  );
});

test('pages are kept until twenty others are known, as they came, but for large ones', async () => {
  const early = open(pagesOf(19, () => ['menu']));
  const late = open(pagesOf(20, () => ['menu']));
  await early.sampledPagesFor({ urlId: 99, hostId: HOST, url: SITE });
  await late.sampledPagesFor({ urlId: 99, hostId: HOST, url: SITE });

  const kept = early.record(99, ['menu'])?.kept;
  expect(kept?.sampleSize).toBe(19);
  expect(kept && hashedBlocksOf(kept)).toEqual({
    headers: { contentType: 'text/html' },
    source: 'http',
    body: Buffer.from('x'),
  });
  expect(early.record(98, ['menu'], { body: 'x'.repeat(1024 * 1024 + 1) })?.kept).toBeUndefined();
  expect(late.record(99, ['menu'])).toEqual({ blocks: ['menu'], folder: undefined, kept: undefined });
  expect(late.record(99, ['menu'])).toBeUndefined();
});

test('a page whose title more pages may change is kept until all are known that a host is sampled by', async () => {
  const isKept = async (known: number) => {
    const templates = open(pagesOf(known, () => ['menu']));
    await templates.sampledPagesFor({ urlId: 99, hostId: HOST, url: SITE });
    return templates.record(99, [`text ${known}`], { isTitleSettled: false })?.kept !== undefined;
  };

  expect([await isKept(20), await isKept(SAMPLED_PAGES - 1), await isKept(SAMPLED_PAGES)]).toEqual([true, true, false]);
});

const hashOf = (number: number) => number.toString(16).padStart(16, '0');
const MENU = hashOf(0xa11);
const TEXT = hashOf(0xbee);
const inFolder = (folder: string, count: number, from = 100): readonly FolderPage[] =>
  Array.from({ length: count }, (_, at) => ({
    urlId: from + at,
    folder,
    blocks: Buffer.from(MENU + (at % 2 === 0 ? TEXT : hashOf(from + at)), 'hex'),
  }));

/** Two more that say no are counted with the pages. */
const share = (holding: number, of: number) => holding / (of + 2);

test.each([
  ['of its own folder', '/a/b/page.html', inFolder('/a/b/', 10), share(10, 10), share(5, 10)],
  ['of the folder that is named like it', '/a/b.html', inFolder('/a/b/', 10), share(10, 10), share(5, 10)],
  ['of the folder that it is the first page of', '/a/b/', inFolder('/a/b/', 10), share(10, 10), share(5, 10)],
  ['of the folder around, with the folders within', '/a/c/page', inFolder('/a/b/', 10), share(10, 10), share(5, 10)],
  ['of no other folder', '/c/b/page', inFolder('/a/b/', 10), 0, 0],
  ['of no folder whose name only begins like it', '/a/b/page', inFolder('/a/bc/', 3), 0, 0],
  ['of five pages', '/a/b/page', inFolder('/a/b/', 5), share(5, 5), share(3, 5)],
  ['of not fewer pages', '/a/b/page', inFolder('/a/b/', 4), 0, 0],
  [
    'of the smallest folder of five',
    '/a/b/page',
    [...inFolder('/a/b/', 5), ...inFolder('/a/c/', 20, 200).map((page) => ({ ...page, blocks: Buffer.alloc(8) }))],
    share(5, 5),
    share(3, 5),
  ],
])('a page is judged by the pages %s', async (_, path, folders, menu, text) => {
  const templates = open([], folders);

  expect(await templates.inFolder(path, MENU)).toBeCloseTo(menu, 9);
  expect(await templates.inFolder(path, TEXT)).toBeCloseTo(text, 9);
});

test('a page does not vote for itself in its folder', async () => {
  const templates = open([], inFolder('/a/', 11));

  expect(await templates.inFolder('/a/page', TEXT, 100)).toBeCloseTo(share(5, 10), 9);
  expect(await templates.inFolder('/a/page', TEXT, 101)).toBeCloseTo(share(6, 10), 9);
});

test('what is recorded counts in each of its folders at once', async () => {
  const templates = open([], [...inFolder('/a/b/', 10), ...inFolder('/a/c/', 4, 200)]);
  expect(await templates.inFolder('/a/b/x', MENU)).toBeCloseTo(share(10, 10), 9);
  expect(await templates.inFolder('/a/x', MENU)).toBeCloseTo(share(14, 14), 9);

  expect(templates.record(1, [TEXT], { path: '/a/b/page' })?.folder).toBe('/a/b/');

  expect(await templates.inFolder('/a/b/x', MENU)).toBeCloseTo(share(10, 11), 9);
  expect(await templates.inFolder('/a/x', MENU)).toBeCloseTo(share(14, 15), 9);
  expect(templates.record(1, [MENU], { path: '/a/b/page' })?.folder).toBe('/a/b/');
  expect(await templates.inFolder('/a/b/x', MENU)).toBeCloseTo(share(11, 11), 9);
  expect(templates.record(1, [MENU], { path: '/a/b/page' })?.folder).toBeUndefined();
});

test('the same pages of folders are known in whatever order they come, those of lowest rank, and no more of a host', async () => {
  const byRank = (a: number, b: number) => rankOfPage(a) - rankOfPage(b);
  const ids = Array.from({ length: MAX_FOLDER_PAGES + 120 }, (_, at) => at + 1);
  const folderOf = (urlId: number) => (urlId <= 100 ? '/one/' : `/many/${urlId}/`);
  const one = ids.slice(0, 100).toSorted(byRank).slice(0, FOLDER_PAGES);
  const known = new Set([...one, ...ids.slice(100)].toSorted(byRank).slice(0, MAX_FOLDER_PAGES));
  const shares = async (order: readonly number[]) => {
    const templates = open();
    await templates.sampledPagesFor({ urlId: 1, hostId: HOST, url: SITE });
    for (const urlId of order) templates.record(urlId, [hashOf(urlId)], { path: `${folderOf(urlId)}page` });
    return Promise.all(one.map((urlId) => templates.inFolder('/one/page', hashOf(urlId))));
  };

  const left = one.filter((urlId) => known.has(urlId)).length;
  const expected = one.map((urlId) => (known.has(urlId) ? share(1, left) : 0));
  const first = await shares(ids);
  expect(await shares(ids.toSorted((a, b) => byRank(b, a)))).toEqual(first);
  for (const [at, own] of first.entries()) expect(own).toBeCloseTo(expected[at] ?? 0, 9);
});

test('of a known host pages are kept until their folder is known, and those that lead into a folder until that is', async () => {
  const templates = open(
    pagesOf(20, () => [MENU]),
    [...inFolder('/known/', 5), ...inFolder('/few/', 4, 200)],
  );
  await templates.sampledPagesFor({ urlId: 99, hostId: HOST, url: SITE });
  const links = (folder: string) => Array.from({ length: 5 }, (_, at) => `${folder}${at}`);
  const isKept = (path: string, more: { body?: string; links?: readonly string[] } = {}) =>
    templates.record(99, [MENU], { path, ...more })?.kept !== undefined;

  expect(isKept('/page')).toBe(false);
  expect(isKept('/known/page')).toBe(false);
  expect(isKept('/few/page')).toBe(true);
  expect(isKept('/few/page', { body: 'x'.repeat(256 * 1024 + 1) })).toBe(false);
  expect(isKept('/known/page.html', { links: links('/known/page/') })).toBe(true);
  expect(isKept('/known/page.html', { links: links('/known/page/').slice(1) })).toBe(false);
  expect(isKept('/known.html', { links: links('/known/') })).toBe(false);
});
