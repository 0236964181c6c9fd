import { settleTitles } from '../../src/crawl/settle-titles.ts';
import { pageDocument } from '../../src/crawl/visit/decide-read.ts';
import { openHostTemplates, type SampledPages, sharesOf } from '../../src/crawl/visit/host-templates.ts';
import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction, type ExtractSettings } from '../../src/extract/extraction.ts';
import { temporaryEngineStores } from '../../test/helpers/engine-stores.ts';

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

const [ENGINE_ID, CRAWLER_ID] = [1, 1];

/** As the end of a run gives pages that share a title the one of their head. */
async function withSettledTitles(pages: readonly CrawledPage[]): Promise<readonly CrawledPage[]> {
  await using engines = await temporaryEngineStores();
  const store = await engines.stores.of(ENGINE_ID);
  await store.putDocuments(
    CRAWLER_ID,
    pages.map(({ url, extraction }) => pageDocument(extraction, url)),
    NOW,
  );
  await settleTitles(store, CRAWLER_ID, NOW);
  const settled: CrawledPage[] = [];
  for (const page of pages) {
    const title = (await store.findDocument(CRAWLER_ID, page.url))?.fields.get('Title') ?? [];
    const fields = new Map(page.extraction.fields).set('Title', title);
    settled.push({ ...page, extraction: { ...page.extraction, fields } });
  }
  return settled;
}

type Place = { readonly urlId: number; readonly hostId: number; readonly url: string };

function inputOf({ url, body }: SitePage, settings: ExtractSettings, sampled: SampledPages) {
  return { url, body, headers: { contentType: 'text/html' }, settings, now: NOW, ...sharesOf(sampled) };
}

function extractPage(input: ReturnType<typeof inputOf>): Promise<Extraction> {
  const deps = { parseFile: () => Promise.reject(new Error(`${input.url} is no page`)) };
  return extract(deps, input, new AbortController().signal);
}
