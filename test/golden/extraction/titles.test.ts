import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { openHostTemplates, type SampledPages, sharesOf } from '../../../src/crawl/visit/host-templates.ts';
import { extractHtml } from '../../helpers/extract-html.ts';
import { type GeneratedPage, generatedSite, SITE_GENERATORS } from '../../helpers/generated-sites.ts';

const HOST = 1;
const PAGES = 120;
const urlOf = ({ path }: GeneratedPage) => `https://lumo.example${path}`;
const read = (page: GeneratedPage, sampled?: SampledPages) => extractHtml(page.html, { url: urlOf(page), ...sharesOf(sampled) });

/** The pages of a site, each read when all are known. */
async function readSite(pages: readonly GeneratedPage[]) {
  const templates = openHostTemplates({ templatesOf: async () => [] });
  const placed = pages.map((page, at) => ({ page, place: { urlId: at + 1, hostId: HOST, url: urlOf(page) } }));
  await templates.sampledPagesFor({ urlId: 0, hostId: HOST, url: 'https://lumo.example/' });
  for (const { page, place } of placed) templates.record(place, { extraction: await read(page), read: undefined });
  return Promise.all(placed.map(async ({ page, place }) => read(page, await templates.sampledPagesFor(place))));
}

test.each(SITE_GENERATORS)('pages of %s have their own titles, and no heading that half of them have', async (generator) => {
  const pages = generatedSite(generator, PAGES);

  const extractions = await readSite(pages);

  const wrong = extractions.flatMap(({ fields }, at) => {
    const title = firstValue(fields, 'Title');
    const wanted = pages[at]?.title;
    return title === wanted ? [] : [{ title, wanted }];
  });
  expect(wrong.slice(0, 5)).toEqual([]);
  const headings = Map.groupBy(extractions.flatMap(({ fields }) => fields.get('Headings') ?? []), (text) => text);
  expect([...headings].filter(([, { length }]) => length * 2 >= PAGES).map(([text]) => text)).toEqual([]);
});
