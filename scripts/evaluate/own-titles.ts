import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { firstValue } from '../../src/core/document.ts';
import { generatedSite, SITE_GENERATORS } from '../../test/helpers/generated-sites.ts';
import { type Pages, pagesBelow } from './corpus-pages.ts';
import { type CrawledPage, crawlPages } from './crawled-pages.ts';
import { foundDocuments, openRunningEngine } from './running-engine.ts';

const HELP = `usage: node scripts/evaluate/own-titles.ts [--order <number>] [--misses] [--made] [<name>:<folder/> …]
       node scripts/evaluate/own-titles.ts --url http://127.0.0.1:8080 [--misses] <name>:<folder/>@<engine> …

Reads sites as a crawl does and prints how many pages have a title of their own: no other page with another <title> has
it, and it does not end with the sign of a permalink. "unique": no other page at all. --made adds sites that are made by
templates of generators. --order reads the pages in another order: which 64 pages of a host are known depends on it.
With --url titles that a running installation stored are looked at instead: those of an engine of
customer 1 that has crawled the folder as the root of a server.
`;

const MADE_PAGES = 120;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    order: { type: 'string', default: '' },
    misses: { type: 'boolean', default: false },
    made: { type: 'boolean', default: false },
    url: { type: 'string' },
  },
});
if (values.help || (positionals.length === 0 && !values.made)) console.log(HELP);
else await printTable();
// The thread that writes stores stays for the next.
process.exit(0);

async function printTable(): Promise<void> {
  console.log('site                     pages   own  unique  as <title>');
  for (const site of positionals) {
    const { url } = values;
    const form = url === undefined ? /^([^:]+):(.+)$/ : /^([^:]+):(.+)@([1-9]\d*)$/;
    const [, name = '', folder, engine = ''] = form.exec(site) ?? [];
    if (folder === undefined) throw new Error(`${site}: write <name>:<folder/>, with --url <name>:<folder/>@<engine>`);
    const pages = pagesBelow(folder);
    printSite(name, url === undefined ? await readTitles(pages) : await storedTitles(pages, { url, engine }));
  }
  if (!values.made) return;
  for (const generator of SITE_GENERATORS) {
    const made = generatedSite(generator, MADE_PAGES).map(
      ({ path, html }) => [path.slice(1), Buffer.from(html)] as const,
    );
    printSite(`${generator}, made`, await readTitles(new Map(made)));
  }
}

/** `head` = its `<title>`; pages without one are left out. */
type TitledPage = { readonly url: string; readonly head: string; readonly title: string };

async function readTitles(pages: Pages): Promise<readonly TitledPage[]> {
  const inOrder = [...pages].map(([path, body]) => ({ url: `https://docs.example/${path}`, body })).sort(byDigest);
  const read = await crawlPages(inOrder);
  return read.flatMap(({ url, body, extraction }: CrawledPage) => {
    const head = headOf(body);
    const title = firstValue(extraction.fields, 'Title');
    return extraction.status === 'ok' && head !== '' ? [{ url, head, title }] : [];
  });
}

/** Of the pages of the folder that the engine holds. */
async function storedTitles(
  pages: Pages,
  { url, engine }: { readonly url: string; readonly engine: string },
): Promise<readonly TitledPage[]> {
  const documents = await foundDocuments(openRunningEngine(url, engine), ['Title']);
  return documents.flatMap(({ Id, Fields }) => {
    const body = pages.get(decodeURIComponent(new URL(Id).pathname.slice(1)));
    const head = body === undefined ? '' : headOf(body);
    return head === '' ? [] : [{ url: Id, head, title: Fields['Title']?.Value ?? '' }];
  });
}

function headOf(body: Uint8Array): string {
  return /<title[^>]*>([^<]*)<\/title>/i.exec(Buffer.from(body).toString())?.[1]?.trim() ?? '';
}

function printSite(name: string, titled: readonly TitledPage[]): void {
  const sharers = Map.groupBy(titled, ({ title }) => title);
  const isSigned = (title: string) => /(?:¶|§|🔗|\s#)$/u.test(title);
  const othersOf = (page: TitledPage) => (sharers.get(page.title) ?? []).filter((other) => other !== page);
  const own = titled.filter((page) => !isSigned(page.title) && othersOf(page).every(({ head }) => head === page.head));
  const unique = own.filter((page) => othersOf(page).length === 0);
  const same = titled.filter(({ head, title }) => head.includes(title));
  const shares = [own, unique, same].map(({ length }) => (length / Math.max(1, titled.length)).toFixed(3).padStart(6));
  console.log(`${name.padEnd(24)} ${String(titled.length).padStart(5)} ${shares.join(' ')}`);
  if (!values.misses) return;
  for (const page of titled.filter((one) => !own.includes(one)))
    console.log(`  ${page.url} “${page.title}” of <title> ${page.head}`);
}

function byDigest(one: { readonly url: string }, other: { readonly url: string }): number {
  const digestOf = (text: string) => createHash('sha256').update(values.order).update(text).digest();
  return digestOf(one.url).compare(digestOf(other.url));
}
