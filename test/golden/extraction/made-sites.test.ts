import { expect, test } from 'vitest';
import { crawlPages } from '../../../scripts/evaluate/crawled-pages.ts';
import { knownSites } from '../../../scripts/evaluate/sites/site-pages.ts';
import { firstValue } from '../../../src/core/document.ts';

const FRAMES = ['municipal', 'utilities', 'intranet'];
const SITES = knownSites().filter(({ frame, site }) => FRAMES.includes(frame) && !site.isUnseen);

test.each(SITES)('pages of a site as $frame have titles and categories of their own, and hardly a text of its frame', async ({ pages }) => {
  const crawled = await crawlPages(pages.map(({ url, html }) => ({ url, body: Buffer.from(html) })));

  const read = crawled.map(({ extraction: { fields } }) => fields);
  const wrong = pages.flatMap(({ title, category }, at) => {
    const found = { title: read[at] && firstValue(read[at], 'Title'), category: read[at]?.get('Category')?.join(' > ') };
    return found.title === title && (category === undefined || found.category === category) ? [] : [{ ...found, wanted: title }];
  });
  expect(wrong).toEqual([]);
  const share = (texts: (page: (typeof pages)[number]) => readonly string[]) => {
    const asked = pages.flatMap((page, at) => texts(page).map((text) => read[at]?.get('Content')?.[0]?.replaceAll('\n', ' ').includes(text)));
    return asked.filter(Boolean).length / asked.length;
  };
  expect(share(({ own }) => own)).toBeGreaterThan(0.95);
  expect(share(({ unwanted }) => unwanted)).toBeLessThan(0.03);
});
