import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { selectionOf } from '../../src/search/query/read-query.ts';
import { urlOf } from '../../test/helpers/frontier.ts';
import { pagesBelow } from './corpus-pages.ts';
import { columnHeads, type EnginePlaces, measuredColumns, placesOf } from './engine-places.ts';
import { INVENTORIES, type IndexedName, type Inventory, type InventoryName } from './names/inventories.ts';
import { readSite } from './names/searched-site.ts';
import { PRODUCT, type SiteEngines, siteEnginesOf } from './site-engines.ts';

const HELP = `usage: node scripts/evaluate/names.ts [--misses] [--names 200] [--without names] [--without links]
         <generator>:<folder/>[@engine] …

Searches documentation for the names that its own index lists, and prints how often the page that the index names comes
first, beside FTS5 and Lucene on the same texts (Lucene with a JDK 21 and Maven, else it is left out). Names of two pages are left out; half of them are never listed as misses. --without shows what names of documents
and texts of links bring. With --url http://127.0.0.1:8080 visitors' searches of a running installation are asked instead:
of an engine of customer 1 that has crawled the folder as the root of a server (start it with RATE_SEARCH_PER_SECOND=0). Generators: ${Object.keys(INVENTORIES).join(', ')}.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    names: { type: 'string', default: '200' },
    url: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
  },
});
if (values.help || positionals.length === 0) console.log(HELP);
else await printTable();
process.exit(0);

function uses(part: 'names' | 'links'): boolean {
  return !values.without.includes(part);
}

async function printTable(): Promise<void> {
  const enginesOf = siteEnginesOf(values.url);
  const { names: compared } = enginesOf('');
  const [heads, measures] = columnHeads(compared);
  console.log(`${' '.repeat(55)}${heads}\nsite                            pages  names  half     ${measures}`);
  const all: Ranked[] = [];
  for (const site of positionals) {
    const [, generator = '', folder = '', engine = ''] = /^(\w+):(.+?)(?:@(\d+))?$/.exec(site) ?? [];
    if (!(generator in INVENTORIES)) throw new Error(`${site}: no such generator`);
    const { pages, ranked } = await rankNames(enginesOf(engine), folder, INVENTORIES[generator as InventoryName]);
    all.push(...ranked);
    const name = `${generator} ${folder.split('/').filter((part) => part.endsWith('-doc'))[0] ?? ''}`;
    print(compared, { name, pages, ranked });
  }
  print(compared, { name: 'all', pages: 0, ranked: all });
}

type Ranked = IndexedName & { readonly isUnseen: boolean; readonly places: EnginePlaces; readonly first: string };

type RankedSite = { readonly name: string; readonly pages: number; readonly ranked: readonly Ranked[] };

function print(engines: readonly string[], { name: site, pages, ranked }: RankedSite): void {
  for (const half of ['tuning', 'unseen']) {
    const own = ranked.filter(({ isUnseen }) => isUnseen === (half === 'unseen'));
    const places = own.map((name) => name.places);
    const counts = `${String(pages).padStart(6)} ${String(own.length).padStart(6)}`;
    console.log(`${site.padEnd(30)} ${counts}  ${half.padEnd(8)} ${measuredColumns(engines, places)}`);
  }
  if (!values.misses) return;
  for (const { name, page, first, places, isUnseen } of ranked) {
    const { [PRODUCT]: place = 0 } = places;
    if (!isUnseen && place > 1) console.log(`  ${name} → ${page} at ${place}, first ${first}`);
  }
}

async function rankNames(engines: SiteEngines, folder: string, inventory: Inventory) {
  const pages = pagesBelow(folder);
  const names = chosenNames(inventory.read(folder, [...pages.keys()]), new Set(pages.keys()), inventory);
  const stored = await readSite(pages, inventory.isIndexPage);
  const rows = uses('links') ? stored : stored.map((row) => ({ ...row, linkTexts: undefined }));
  const queries = names.map(({ name }) => name);
  const found = await engines.search(rows, queries, uses('names') ? selectionOf : ({ match }) => match);
  const ranked = names.map((own, at): Ranked => {
    const { ids = {} } = found[at] ?? {};
    const right = urlOf(`/${own.page}`);
    return { ...own, places: placesOf(ids, (id) => id === right), first: ids[PRODUCT]?.[0] ?? '' };
  });
  return { pages: rows.length, ranked };
}

/** Names of one page each, in an order that no name has made; of two names for a page one after the other. */
function chosenNames(indexed: readonly IndexedName[], pages: ReadonlySet<string>, { isIndexPage }: Inventory) {
  const known = indexed.filter(({ name, page }) => name.length > 1 && pages.has(page) && !isIndexPage(page));
  const targets = Map.groupBy(known, ({ name }) => name);
  const objective = [...targets].flatMap(([name, places]) => {
    const [page, ...others] = new Set(places.map((place) => place.page));
    return page === undefined || others.length > 0 ? [] : [{ name, page }];
  });
  return objective
    .map((own) => ({ ...own, digest: createHash('sha256').update(own.name).digest() }))
    .sort((a, b) => a.digest.compare(b.digest))
    .slice(0, Number(values.names))
    .map(({ name, page, digest }) => ({ name, page, isUnseen: (digest[31] ?? 0) % 2 === 1 }));
}
