import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { selectionOf } from '../../src/search/read-query.ts';
import { urlOf } from '../../test/helpers/frontier.ts';
import { pagesBelow } from './corpus-pages.ts';
import { INVENTORIES, type IndexedName, type Inventory, type InventoryName } from './names/inventories.ts';
import { measured, openSite, placeOf, readSite } from './names/searched-site.ts';

const HELP = `usage: node scripts/evaluate/names.ts [--misses] [--names 200] [--without names] [--without links]
         <generator>:<folder/> …

Searches documentation for the names that its own index lists, and prints how often the page that the index names comes
first. Names of two pages are left out; half of them are never listed as misses. --without shows what names of documents
and texts of links bring. Generators: ${Object.keys(INVENTORIES).join(', ')}.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    names: { type: 'string', default: '200' },
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
  console.log('site                            pages  names  half      s@1   s@5   MRR');
  const all: Ranked[] = [];
  for (const site of positionals) {
    const [, generator = '', folder = ''] = /^(\w+):(.+)$/.exec(site) ?? [];
    if (!(generator in INVENTORIES)) throw new Error(`${site}: no such generator`);
    const { pages, ranked } = await rankNames(folder, INVENTORIES[generator as InventoryName]);
    all.push(...ranked);
    print(`${generator} ${folder.split('/').filter((part) => part.endsWith('-doc'))[0] ?? ''}`, pages, ranked);
  }
  print('all', 0, all);
}

type Ranked = IndexedName & { readonly isUnseen: boolean; readonly place: number; readonly first: string };

function print(site: string, pages: number, ranked: readonly Ranked[]): void {
  for (const half of ['tuning', 'unseen']) {
    const own = ranked.filter(({ isUnseen }) => isUnseen === (half === 'unseen'));
    console.log(
      `${site.padEnd(30)} ${String(pages).padStart(6)} ${String(own.length).padStart(6)}  ${half.padEnd(8)} ${measured(own.map(({ place }) => place))}`,
    );
  }
  if (!values.misses) return;
  for (const { name, page, first, place, isUnseen } of ranked)
    if (!isUnseen && place > 1) console.log(`  ${name} → ${page} at ${place}, first ${first}`);
}

async function rankNames(folder: string, inventory: Inventory) {
  const pages = pagesBelow(folder);
  const names = chosenNames(inventory.read(folder, [...pages.keys()]), new Set(pages.keys()), inventory);
  const stored = await readSite(pages, inventory.isIndexPage);
  const rows = uses('links') ? stored : stored.map((row) => ({ ...row, linkTexts: undefined }));
  await using site = await openSite(rows, uses('names') ? selectionOf : ({ match }) => match);
  const ranked: Ranked[] = [];
  for (const { name, page, isUnseen } of names) {
    const { ids } = await site.search(name);
    const right = urlOf(`/${page}`);
    ranked.push({ name, page, isUnseen, place: placeOf(ids, (id) => id === right), first: ids[0] ?? '' });
  }
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
