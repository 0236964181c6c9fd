import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { normalizeUrl } from '../../src/core/url.ts';
import { type QueryReader, type ReadQuery, readQuery, selectionOf } from '../../src/search/read-query.ts';
import { runQuery } from '../../src/search/run-query.ts';
import { compileSynonyms } from '../../src/search/synonyms.ts';
import { DEFAULT_RELEVANCE } from '../../src/search-index/relevance.ts';
import { urlOf } from '../../test/helpers/frontier.ts';
import { planOf } from '../../test/helpers/query-plans.ts';
import { extractPage, pagesBelow } from './corpus-pages.ts';
import { openFts5 } from './fts5-ranking.ts';
import { type ReadPage, storeSite } from './names/stored-site.ts';
import { openIndexOf } from './open-index.ts';
import { mean } from './ranking-measures.ts';
import type { JudgedQuery } from './relevance/corpus.ts';

const HELP = `usage: node scripts/evaluate/site-queries.ts [--misses] <queries.json>:<folder/> …

Searches whole sites, as a crawler stores them, for what visitors type, and prints how often a right page (grade 3) comes
first and among five, beside FTS5 on the same texts, and the largest share of a site that a query finds. Pages are named by their path without ".html". Misses of the
held-out half are never listed.
`;

const PLACES = 10;
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
  const rows = await readSite(folder);
  await using opened = await openIndexOf(rows, 'en');
  const { searchIndex } = opened;
  const fts5 = openFts5(rows);
  const rules = { language: 'en', fields: [], synonyms: compileSynonyms([], []) };
  const read: QueryReader = (text, operator) => readQuery(text, { ...rules, operator });
  const toPlan = (query: ReadQuery) => planOf({ match: selectionOf(query), weights: DEFAULT_RELEVANCE, limit: PLACES });
  const ranked: Ranked[] = [];
  for (const judged of queries) {
    const { signal } = new AbortController();
    const input = { engineId: 1, text: judged.query, operator: 'OR', read, toPlan, signal } as const;
    const { found } = await runQuery({ searchIndex }, input);
    const ids = found.hits.map(({ id }) => id);
    const right = new Set(
      Object.entries(judged.relevant).flatMap(([page, grade]) =>
        grade === BEST_GRADE ? [normalizeUrl(urlOf(`/${page}.html`))] : [],
      ),
    );
    const placeIn = (list: readonly string[]) => {
      const at = list.findIndex((id) => right.has(id));
      return at < 0 ? PLACES + 1 : at + 1;
    };
    ranked.push({
      ...judged,
      place: placeIn(ids),
      fts5Place: placeIn(fts5(judged.query, PLACES)),
      first: ids[0] ?? '',
      share: found.total / rows.length,
    });
  }
  return { pages: rows.length, ranked };
}

async function readSite(folder: string) {
  const pages = pagesBelow(folder);
  const read: ReadPage[] = [];
  for (const [path, body] of pages) {
    const extraction = await extractPage(urlOf(`/${path}`), body);
    if (extraction.status === 'ok') read.push({ path, extraction, isIndexPage: false });
  }
  return storeSite(read);
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

function measured(places: readonly number[]): string {
  const within = (most: number) => mean(places.map((place) => Number(place <= most))).toFixed(3);
  return `${within(1)} ${within(5)} ${mean(places.map((place) => (place <= PLACES ? 1 / place : 0))).toFixed(3)}`;
}
