import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHostTemplates, toldOf } from '../../../src/crawl/visit/host-templates.ts';
import { type ExtractInput, STOCK_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';
import { rankOfPage, SAMPLED_PAGES, type SampledPage } from '../../../src/storage/template-store.ts';

const HOST = 3;

const inputOf = (body: string): ExtractInput => ({
  url: 'https://site.example/',
  body: Buffer.from(body),
  headers: { contentType: 'text/html' },
  settings: STOCK_EXTRACT_SETTINGS,
  now: 7,
});

function open(pages: readonly SampledPage[] = []) {
  const asked: number[] = [];
  const templates = openHostTemplates({
    sampledPages: async (hostId) => {
      asked.push(hostId);
      return hostId === HOST ? pages : [];
    },
  });
  return {
    asked,
    votersFor: templates.votersFor,
    record: (urlId: number, templateBlocks: readonly string[], body = 'x') =>
      templates.record({ urlId, hostId: HOST }, { extraction: { templateBlocks }, read: inputOf(body) }),
    share: async (urlId: number, hash: string) => (await templates.votersFor({ urlId, hostId: HOST })).share(hash),
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
  await templates.votersFor({ urlId: 1, hostId: HOST });
  for (let urlId = 1; urlId <= 10; urlId++) {
    expect(templates.record(urlId, ['menu'])?.blocks).toEqual(['menu']);
  }

  expect(await templates.share(99, 'menu')).toBe(1);
  expect(templates.record(4, ['other'])?.blocks).toEqual(['other']);
  expect(await templates.share(99, 'menu')).toBe(0.9);
});

test('the store is asked once per host', async () => {
  const templates = open();
  await Promise.all([1, 2, 3].map((urlId) => templates.votersFor({ urlId, hostId: HOST })));
  await templates.votersFor({ urlId: 4, hostId: HOST });
  await templates.votersFor({ urlId: 4, hostId: 8 });

  expect(templates.asked.filter((hostId) => hostId === 8)).toEqual([8]);
  expect(new Set(templates.asked)).toEqual(new Set([HOST, 8]));
});

test('the same pages are known in whatever order they come, those of lowest rank', async () => {
  const ids = Array.from({ length: 150 }, (_, at) => at + 1);
  const sample = new Set(ids.toSorted((a, b) => rankOfPage(a) - rankOfPage(b)).slice(0, SAMPLED_PAGES));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(ids, { minLength: 150 }), async (order) => {
      const templates = open();
      await templates.votersFor({ urlId: 1, hostId: HOST });
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
  await early.votersFor({ urlId: 99, hostId: HOST });
  await late.votersFor({ urlId: 99, hostId: HOST });

  const kept = early.record(99, ['menu'])?.kept;
  expect(kept?.voters).toBe(19);
  expect(kept && toldOf(kept)).toEqual({
    headers: { contentType: 'text/html' },
    source: 'http',
    body: Buffer.from('x'),
  });
  expect(early.record(98, ['menu'], 'x'.repeat(1024 * 1024 + 1))?.kept).toBeUndefined();
  expect(late.record(99, ['menu'])).toEqual({ blocks: ['menu'], kept: undefined });
  expect(late.record(99, ['menu'])).toBeUndefined();
});
