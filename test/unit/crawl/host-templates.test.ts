import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHostTemplates } from '../../../src/crawl/visit/host-templates.ts';
import { rankOfPage, SAMPLED_PAGES, type SampledPage } from '../../../src/storage/template-store.ts';

const HOST = 3;

function open(pages: readonly SampledPage[] = []) {
  const asked: number[] = [];
  const sampledPages = async (hostId: number) => {
    asked.push(hostId);
    return hostId === HOST ? pages : [];
  };
  const templates = openHostTemplates({ sampledPages });
  return {
    ...templates,
    asked,
    share: async (urlId: number, hash: string) => (await templates.shareFor({ urlId, hostId: HOST }))(hash),
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
  await templates.shareFor({ urlId: 1, hostId: HOST });
  for (let urlId = 1; urlId <= 10; urlId++) {
    expect(templates.record({ urlId, hostId: HOST }, { templateBlocks: ['menu'] })?.blocks).toEqual(['menu']);
  }

  expect(await templates.share(99, 'menu')).toBe(1);
  expect(templates.record({ urlId: 4, hostId: HOST }, { templateBlocks: ['menu'] })).toBeUndefined();
  expect(templates.record({ urlId: 4, hostId: HOST }, { templateBlocks: ['other'] })).toBeDefined();
  expect(await templates.share(99, 'menu')).toBe(0.9);
});

test('the store is asked once per host', async () => {
  const templates = open();
  await Promise.all([1, 2, 3].map((urlId) => templates.shareFor({ urlId, hostId: HOST })));
  await templates.shareFor({ urlId: 4, hostId: HOST });
  await templates.shareFor({ urlId: 4, hostId: 8 });

  expect(templates.asked.filter((hostId) => hostId === 8)).toEqual([8]);
  expect(new Set(templates.asked)).toEqual(new Set([HOST, 8]));
});

test('the same pages are known in whatever order they come, those of lowest rank', async () => {
  const ids = Array.from({ length: 150 }, (_, at) => at + 1);
  const sample = new Set(ids.toSorted((a, b) => rankOfPage(a) - rankOfPage(b)).slice(0, SAMPLED_PAGES));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(ids, { minLength: 150 }), async (order) => {
      const templates = open();
      await templates.shareFor({ urlId: 1, hostId: HOST });
      for (const urlId of order) templates.record({ urlId, hostId: HOST }, { templateBlocks: [`own ${urlId}`] });

      for (const urlId of ids) {
        expect(await templates.share(999, `own ${urlId}`)).toBe(sample.has(urlId) ? 1 / SAMPLED_PAGES : 0);
      }
    }),
    { numRuns: 20 },
  );
});
