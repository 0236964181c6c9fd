import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { normalizeUrl } from '../../src/core/url.ts';
import { urlOf } from '../../test/helpers/frontier.ts';
import { pagesBelow } from './corpus-pages.ts';
import { openFts5 } from './fts5-ranking.ts';
import { measured, openSite, PLACES, placeOf, readSite } from './names/searched-site.ts';
import type { JudgedQuery } from './relevance/corpus.ts';

const HELP = `usage: node scripts/evaluate/site-queries.ts [--misses] <queries.json>:<folder/> …

Searches whole sites, as a crawler stores them, for what visitors type, and prints how often a right page (grade 3) comes
first and among five, beside FTS5 on the same texts, and the largest share of a site that a query finds. Pages are named by their path without ".html". Misses of the
held-out half are never listed.
`;

const BEST_GRADE = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false }, misses: { type: 'boolean', default: false } },
});
if (values.help || positionals.length === 0) console.log(HELP);
else await printTable();
process.exit(0);

type Ranked = JudgedQuery & {
  readonly place: number;
  readonly fts5Place: number;
  readonly first: string;
  /** Share of the site that was found. */
  readonly share: number;
};

async function printTable(): Promise<void> {
  console.log(
    'site                           pages queries  half      s@1   s@5   MRR   FTS5: s@1 s@5   MRR   most found',
  );
  const all: Ranked[] = [];
  for (const site of positionals) {
    const [, file = '', folder = ''] = /^(.+?):(.+)$/.exec(site) ?? [];
    const { pages, ranked } = await rankQueries(JSON.parse(readFileSync(file, 'utf8')), folder);
    all.push(...ranked);
    print(file.replace(/^.*\/|\..*$/g, ''), pages, ranked);
  }
  print('all', 0, all);
}

async function rankQueries(queries: readonly JudgedQuery[], folder: string) {
  const rows = await readSite(pagesBelow(folder));
  await using site = await openSite(rows);
  const fts5 = openFts5(rows);
  const ranked: Ranked[] = [];
  for (const judged of queries) {
    const { ids, total } = await site.search(judged.query);
    const best = Object.entries(judged.relevant).filter(([, grade]) => grade === BEST_GRADE);
    const right = new Set(best.map(([page]) => normalizeUrl(urlOf(`/${page}.html`))));
    const isRight = (id: string) => right.has(id);
    ranked.push({
      ...judged,
      place: placeOf(ids, isRight),
      fts5Place: placeOf(fts5(judged.query, PLACES), isRight),
      first: ids[0] ?? '',
      share: total / rows.length,
    });
  }
  return { pages: rows.length, ranked };
}

function print(site: string, pages: number, ranked: readonly Ranked[]): void {
  for (const half of ['tuning', 'held-out']) {
    const own = ranked.filter((query) => query.half === half);
    const measures = [own.map(({ place }) => place), own.map(({ fts5Place }) => fts5Place)].map(measured);
    console.log(
      `${site.padEnd(30)} ${String(pages).padStart(5)} ${String(own.length).padStart(7)}  ${half.padEnd(9)} ${measures.join('   ')}   ${Math.max(...own.map(({ share }) => share)).toFixed(3)}`,
    );
  }
  if (!values.misses) return;
  for (const { query, relevant, place, first, half } of ranked) {
    if (half === 'tuning' && place > 1)
      console.log(`  ${query} → ${Object.keys(relevant)[0]} at ${place}, first ${first}`);
  }
}
