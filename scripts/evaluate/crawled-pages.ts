import { firstValue } from '../../src/core/document.ts';
import { settleTitles } from '../../src/crawl/settle-titles.ts';
import { openHostTemplates, type SampledPages, sharesOf } from '../../src/crawl/visit/host-templates.ts';
import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction, type ExtractSettings } from '../../src/extract/extraction.ts';

/** A page as it came. */
export type SitePage = { readonly url: string; readonly body: Uint8Array };
export type CrawledPage = SitePage & { readonly extraction: Extraction };

const HOST_ID = 1;
const NOW = Date.parse('2026-01-01');

/**
 * Reads the pages of one host in their order as a crawl does: each is told what those before it repeat, and those that
 * were read too early for that are read once more at the end.
 */
export async function crawlPages(
  pages: readonly SitePage[],
  settings: ExtractSettings = DEFAULT_EXTRACT_SETTINGS,
): Promise<readonly CrawledPage[]> {
  const templates = openHostTemplates({ templatesOf: async () => [] });
  const read: { page: SitePage; place: Place; extraction: Extraction; isKept: boolean }[] = [];
  for (const [at, page] of pages.entries()) {
    const place = { urlId: at + 1, hostId: HOST_ID, url: page.url };
    const input = inputOf(page, settings, await templates.sampledPagesFor(place));
    const extraction = await extractPage(input);
    const recorded = templates.record(place, { extraction, read: input });
    read.push({ page, place, extraction, isKept: recorded?.kept !== undefined });
  }
  const crawled: CrawledPage[] = [];
  for (const { page, place, extraction, isKept } of read) {
    const again = isKept
      ? await extractPage(inputOf(page, settings, await templates.sampledPagesFor(place)))
      : extraction;
    crawled.push({ ...page, extraction: again });
  }
  return withSettledTitles(crawled);
}

const CRAWLER_ID = 1;

/** As the end of a run gives pages that share a title the one of their head. */
async function withSettledTitles(pages: readonly CrawledPage[]): Promise<readonly CrawledPage[]> {
  const titles = new Map(pages.map(({ url, extraction }) => [url, firstValue(extraction.fields, 'Title')]));
  const keyOf = (title: string) => title.trim().toLowerCase();
  const shared = [...Map.groupBy(pages, ({ url }) => keyOf(titles.get(url) ?? '')).values()].filter(
    (sharers) => sharers.length > 1,
  );
  const sharers = shared.flatMap((group, titleKey) =>
    group.map(({ url, extraction: { headTitle } }) => ({ id: url, titleKey: titleKey + 1, headTitle })),
  );
  const store: Parameters<typeof settleTitles>[0] = {
    sharersOfTitles: async ({ after }) => sharers.filter(({ titleKey }) => titleKey > after),
    areTitles: async (_crawlerId, asked) => {
      const taken = new Set([...titles.values()].map(keyOf));
      return asked.map((title) => taken.has(keyOf(title)));
    },
    takeHeadTitles: async ({ sharers: chosen }) => {
      for (const { id, headTitle } of chosen) titles.set(id, headTitle);
      return chosen.length;
    },
  };
  await settleTitles(store, CRAWLER_ID, NOW);
  return pages.map((page) => {
    const title = titles.get(page.url) ?? '';
    if (title === firstValue(page.extraction.fields, 'Title')) return page;
    const fields = new Map(page.extraction.fields).set('Title', [title]);
    return { ...page, extraction: { ...page.extraction, fields } };
  });
}

type Place = { readonly urlId: number; readonly hostId: number; readonly url: string };

function inputOf({ url, body }: SitePage, settings: ExtractSettings, sampled: SampledPages) {
  return { url, body, headers: { contentType: 'text/html' }, settings, now: NOW, ...sharesOf(sampled) };
}

function extractPage(input: ReturnType<typeof inputOf>): Promise<Extraction> {
  const deps = { parseFile: () => Promise.reject(new Error(`${input.url} is no page`)) };
  return extract(deps, input, new AbortController().signal);
}
