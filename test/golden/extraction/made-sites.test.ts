import { expect, test } from 'vitest';
import { crawlPages } from '../../../scripts/evaluate/crawled-pages.ts';
import { knownSites } from '../../../scripts/evaluate/sites/site-pages.ts';
import { firstValue } from '../../../src/core/document.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';
import { DEFAULT_PAGE_RULES } from '../../../src/extract/extract-settings.ts';

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

type Known = (typeof SITES)[number];
type Page = Known['pages'][number];
type Crawled = Awaited<ReturnType<typeof crawlPages>>;

function readBy(profile: 'precision' | 'balanced', pages: readonly Page[]): Promise<Crawled> {
  const bodies = pages.map(({ url, html }) => ({ url, body: Buffer.from(html) }));
  return crawlPages(bodies, { ...DEFAULT_EXTRACT_SETTINGS, content: () => ({ ...DEFAULT_PAGE_RULES, profile }) });
}

/** Share of these texts of all pages that were read. */
function shareRead(crawled: Crawled, pages: readonly Page[], textsOf: (page: Page) => readonly string[]): number {
  const read = pages.flatMap((page, at) => {
    const content = firstValue(crawled[at]?.extraction.fields ?? new Map(), 'Content').replaceAll('\n', ' ');
    return textsOf(page).map((text) => content.includes(text));
  });
  return read.filter(Boolean).length / read.length;
}

test.each(['tables', 'municipal'])('the profile `precision` leaves out more of a frame of %s than `balanced`, and hardly a text of the pages', async (wanted) => {
  const known = knownSites().filter(({ frame, site }) => frame === wanted && !site.isUnseen);
  const pages = known.flatMap((site) => site.pages);
  const [balanced, precise] = [await readBy('balanced', pages), await readBy('precision', pages)];

  const unwanted = (crawled: Crawled) => shareRead(crawled, pages, (page) => page.unwanted);
  const own = (crawled: Crawled) => shareRead(crawled, pages, (page) => page.own);
  expect(unwanted(precise)).toBeLessThan(0.8 * unwanted(balanced));
  expect(own(precise)).toBeGreaterThan(own(balanced) - 0.01);
});
