import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { normalizeUrl } from '../../src/core/url.ts';
import { urlOf } from '../../test/helpers/frontier.ts';
import { pagesBelow } from './corpus-pages.ts';
import { columnHeads, type EnginePlaces, measuredColumns, placesOf } from './engine-places.ts';
import { readSite } from './names/searched-site.ts';
import type { JudgedQuery } from './relevance/corpus.ts';
import { PRODUCT, type SiteEngines, siteEnginesOf } from './site-engines.ts';

const HELP = `usage: node scripts/evaluate/site-queries.ts [--misses] <queries.json>:<folder/>[@engine] …

Searches whole sites, as a crawler stores them, for what visitors type, and prints how often a right page (grade 3) comes
first and among five, beside FTS5 and Lucene on the same texts (Lucene with a JDK 21 and Maven, else it is left out), and
the largest share of a site that a query finds. Pages are named by their path without ".html". Misses of the held-out
half are never listed. With --url http://127.0.0.1:8080 a running installation is asked instead: an engine of customer 1
that has crawled the folder as the root of a server (start it with RATE_SEARCH_PER_SECOND=0).
`;

const BEST_GRADE = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    url: { type: 'string' },
  },
});
if (values.help || positionals.length === 0) console.log(HELP);
else await printTable();
process.exit(0);

type Ranked = JudgedQuery & {
  readonly places: EnginePlaces;
  readonly first: string;
  /** Share of the site that was found. */
  readonly share: number;
};

async function printTable(): Promise<void> {
  const enginesOf = siteEnginesOf(values.url);
  const { names } = enginesOf('');
  const [heads, measures] = columnHeads(names);
  console.log(`${' '.repeat(56)}${heads}`);
  console.log(`site                           pages queries  half      ${measures}   most found`);
  const all: Ranked[] = [];
  for (const site of positionals) {
    const [, file = '', folder = '', engine = ''] = /^(.+?):(.+?)(?:@(\d+))?$/.exec(site) ?? [];
    const { pages, ranked } = await rankQueries(enginesOf(engine), JSON.parse(readFileSync(file, 'utf8')), folder);
    all.push(...ranked);
    print(names, { name: file.replace(/^.*\/|\..*$/g, ''), pages, ranked });
  }
  print(names, { name: 'all', pages: 0, ranked: all });
}

async function rankQueries(engines: SiteEngines, queries: readonly JudgedQuery[], folder: string) {
  const rows = await readSite(pagesBelow(folder));
  const found = await engines.search(
    rows,
    queries.map(({ query }) => query),
  );
  const ranked = queries.map((judged, at): Ranked => {
    const { ids = {}, total = 0 } = found[at] ?? {};
    const best = Object.entries(judged.relevant).filter(([, grade]) => grade === BEST_GRADE);
    const right = new Set(best.map(([page]) => normalizeUrl(urlOf(`/${page}.html`))));
    const places = placesOf(ids, (id) => right.has(id));
    return { ...judged, places, first: ids[PRODUCT]?.[0] ?? '', share: total / rows.length };
  });
  return { pages: rows.length, ranked };
}

type RankedSite = { readonly name: string; readonly pages: number; readonly ranked: readonly Ranked[] };

function print(engines: readonly string[], { name, pages, ranked }: RankedSite): void {
  for (const half of ['tuning', 'held-out']) {
    const own = ranked.filter((query) => query.half === half);
    const places = own.map((query) => query.places);
    const counts = `${String(pages).padStart(5)} ${String(own.length).padStart(7)}`;
    const most = Math.max(...own.map(({ share }) => share)).toFixed(3);
    console.log(`${name.padEnd(30)} ${counts}  ${half.padEnd(9)} ${measuredColumns(engines, places)}   ${most}`);
  }
  if (!values.misses) return;
  for (const { query, relevant, places, first, half } of ranked) {
    const { [PRODUCT]: place = 0 } = places;
    if (half === 'tuning' && place > 1)
      console.log(`  ${query} → ${Object.keys(relevant)[0]} at ${place}, first ${first}`);
  }
}
