import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { openHostTemplates } from '../../../src/crawl/visit/host-templates.ts';
import { extract } from '../../../src/extract/extract.ts';
import type { TemplateShare } from '../../../src/extract/html/template-blocks.ts';
import { STOCK_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';
import { type TemplatePage, templateSite } from '../../helpers/template-site.ts';

const noFiles = () => Promise.reject(new Error('a page is no file'));

function read({ path, html }: TemplatePage, templateShare?: TemplateShare) {
  return extract(
    { parseFile: noFiles },
    {
      url: `https://nordkyst.example${path}`,
      body: Buffer.from(html),
      headers: { contentType: 'text/html' },
      settings: STOCK_EXTRACT_SETTINGS,
      templateShare,
      now: 0,
    },
    new AbortController().signal,
  );
}

/** Share of the page's own texts that its content has, and of what its template repeats; and what stands beside it. */
async function judge(page: TemplatePage, share?: TemplateShare) {
  const { fields, structure } = await read(page, share);
  const content = firstValue(fields, 'Content');
  const shareIn = (texts: readonly string[], text: string) => texts.filter((one) => text.includes(one)).length / texts.length;
  return {
    recall: shareIn(page.own, content),
    boilerplate: shareIn(page.repeated, content),
    beside: shareIn(page.repeated, structure.surroundings),
  };
}

type Judged = Awaited<ReturnType<typeof judge>>;

async function judgeSite(seed: number, votes: boolean) {
  const pages = templateSite(seed);
  const sampled = await Promise.all(pages.map(async (page, at) => ({ urlId: at + 1, blocks: (await read(page)).templateBlocks })));
  const templates = openHostTemplates({ sampledPages: async () => sampled });
  const judged: Judged[] = [];
  for (const [at, page] of pages.entries()) {
    const { share } = await templates.votersFor({ urlId: at + 1, hostId: 1 });
    judged.push(await judge(page, votes ? share : undefined));
  }
  const mean = (of: keyof Judged) => judged.reduce((sum, one) => sum + one[of], 0) / judged.length;
  return { recall: mean('recall'), boilerplate: mean('boilerplate'), beside: mean('beside') };
}

const SEEDS = [1, 2];

async function judgeSites(votes: boolean) {
  const judged = await Promise.all(SEEDS.map((seed) => judgeSite(seed, votes)));
  const mean = (of: keyof Judged) => judged.reduce((sum, one) => sum + one[of], 0) / judged.length;
  return { recall: mean('recall'), boilerplate: mean('boilerplate'), beside: mean('beside') };
}

test('what the pages of a site repeat is in none of their texts, nor beside them, and hardly anything else is left out', async () => {
  const { boilerplate, recall, beside } = await judgeSites(true);

  expect(boilerplate).toBeLessThanOrEqual(0.02);
  expect(recall).toBeGreaterThanOrEqual(0.97);
  expect(beside).toBeLessThanOrEqual(0.02);
});

test('without the votes of other pages most of it would be there', async () => {
  const { boilerplate, beside } = await judgeSites(false);

  expect(boilerplate + beside).toBeGreaterThan(0.9);
});
