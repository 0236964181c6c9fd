import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { openHostTemplates, sharesOf, type SampledPages } from '../../../src/crawl/visit/host-templates.ts';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';
import { sectionSite } from '../../helpers/section-site.ts';
import { type TemplatePage, templateSite } from '../../helpers/template-site.ts';

const noFiles = () => Promise.reject(new Error('a page is no file'));
const HOST = 1;

const urlOf = ({ path }: TemplatePage) => `https://nordkyst.example${path}`;

function read(page: TemplatePage, voters?: SampledPages) {
  return extract(
    { parseFile: noFiles },
    {
      url: urlOf(page),
      body: Buffer.from(page.html),
      headers: { contentType: 'text/html' },
      settings: DEFAULT_EXTRACT_SETTINGS,
      ...sharesOf(voters),
      now: 0,
    },
    new AbortController().signal,
  );
}

/** Share of the page's own texts that its content has, and of what its template repeats; and what stands beside it. */
async function judge(page: TemplatePage, voters?: SampledPages) {
  const { fields, structure } = await read(page, voters);
  const content = firstValue(fields, 'Content');
  const shareIn = (texts: readonly string[], text: string) => texts.filter((one) => text.includes(one)).length / texts.length;
  return {
    recall: shareIn(page.own, content),
    boilerplate: shareIn(page.repeated, content),
    beside: shareIn(page.repeated, structure.surroundings),
  };
}

type Judged = Awaited<ReturnType<typeof judge>>;

async function judgeSite(pages: readonly TemplatePage[], heard: (voters: SampledPages) => SampledPages | undefined) {
  const templates = openHostTemplates({ templatesOf: async () => [] });
  const placeOf = (page: TemplatePage, at: number) => ({ urlId: at + 1, hostId: HOST, url: urlOf(page) });
  await templates.sampledPagesFor({ urlId: 0, hostId: HOST, url: 'https://nordkyst.example/' });
  for (const [at, page] of pages.entries()) templates.record(placeOf(page, at), { extraction: await read(page), read: undefined });
  const judged: Judged[] = [];
  for (const [at, page] of pages.entries()) judged.push(await judge(page, heard(await templates.sampledPagesFor(placeOf(page, at)))));
  return meanOf(judged);
}

function meanOf(judged: readonly Judged[]): Judged {
  const mean = (of: keyof Judged) => judged.reduce((sum, one) => sum + one[of], 0) / judged.length;
  return { recall: mean('recall'), boilerplate: mean('boilerplate'), beside: mean('beside') };
}

const SEEDS = [1, 2];

async function judgeSites(make: (seed: number) => readonly TemplatePage[], heard: (voters: SampledPages) => SampledPages | undefined) {
  return meanOf(await Promise.all(SEEDS.map((seed) => judgeSite(make(seed), heard))));
}

const all = (voters: SampledPages) => voters;
const none = () => undefined;
const host = (voters: SampledPages): SampledPages => ({ ...voters, folderShare: () => 0 });

test('what the pages of a site repeat is in none of their texts, nor beside them, and hardly anything else is left out', async () => {
  const { boilerplate, recall, beside } = await judgeSites((seed) => templateSite(seed), all);

  expect(boilerplate).toBeLessThanOrEqual(0.02);
  expect(recall).toBeGreaterThanOrEqual(0.97);
  expect(beside).toBeLessThanOrEqual(0.02);
});

test('without the votes of other pages most of it would be there', async () => {
  const { boilerplate, beside } = await judgeSites((seed) => templateSite(seed), none);

  expect(boilerplate + beside).toBeGreaterThan(0.9);
});

test('what only the pages of a section repeat is in none of their texts, nor beside them, and nothing else is left out', async () => {
  const { boilerplate, recall, beside } = await judgeSites(sectionSite, all);

  expect(boilerplate).toBeLessThanOrEqual(0.02);
  expect(recall).toBeGreaterThanOrEqual(0.99);
  expect(beside).toBeLessThanOrEqual(0.02);
});

test('without the votes of their folders most of it would be there', async () => {
  const { boilerplate, beside } = await judgeSites(sectionSite, host);

  expect(boilerplate + beside).toBeGreaterThan(0.9);
});
