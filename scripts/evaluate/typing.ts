import { parseArgs } from 'node:util';
import { CORPORA } from './relevance/corpus.ts';
import type { OfferDocuments } from './relevance/open-autocomplete.ts';
import { type TypedQueries, type TypedShares, typeQueries } from './relevance/type-queries.ts';
import { type Offered, TYPED_LIMIT, type Typing, typeCorpus, typeTitles } from './relevance/type-titles.ts';
import { foundDocuments, numberedSets, openRunningEngine } from './running-engine.ts';

const HELP = `usage: node scripts/evaluate/typing.ts [--misses] [--url http://127.0.0.1:8080 --engine 1 <corpus>@<engine> …]

Types titles letter by letter, from the third letter on, and prints how often autocomplete shows their document among
the first five, which every first screen holds: titles of test/golden/relevance, or of engines of customer 1 of a
running installation (start it with RATE_SEARCH_PER_SECOND=0). Then the judged queries of the corpora, whole and with
their last word begun, in a running installation of the corpora that push-corpora.ts pushed to these engines.
--misses  also the beginnings of four letters and more, and the queries, whose document is not among the first five
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    url: { type: 'string' },
    engine: { type: 'string', multiple: true, default: [] },
  },
});
if (values.help) console.log(HELP);
else await printTable();

async function printTable(): Promise<void> {
  const { url } = values;
  const isOfTitlesAlone = positionals.length === 0 && values.engine.length > 0;
  const pushed = isOfTitlesAlone ? [] : numberedSets(positionals, { names: CORPORA, url });
  console.log('site          titles  beginnings  nothing shown  first five, from 4 letters  whole title first');
  if (url === undefined) for (const name of CORPORA) printTitles(name, await typeCorpus(name));
  else {
    for (const engine of values.engine) printTitles(`engine ${engine}`, await typeEngine(url, engine));
    for (const { name, number } of pushed) printTitles(name, await typeEngine(url, number));
  }
  console.log('\nsite          queries  first  first five     begun  first  first five');
  if (url === undefined) for (const name of CORPORA) printQueries(name, await typeQueries(name));
  else for (const { name, number } of pushed) printQueries(name, await typeQueries(name, openOffers(url, number)));
}

function printQueries(site: string, { whole, begun, misses }: TypedQueries): void {
  console.log(`${site.padEnd(12)}  ${shown(whole, 7)}  ${shown(begun, 8)}`);
  if (values.misses) for (const query of misses) console.log(`  ${query}`);
}

function shown({ texts, first, firstScreen }: TypedShares, width: number): string {
  return `${String(texts).padStart(width)}  ${first.toFixed(3)}  ${firstScreen.toFixed(3).padStart(10)}`;
}

function printTitles(site: string, { summary, misses }: Typing): void {
  const { titles, beginnings, empty, firstScreen, wholeFirst } = summary;
  const counts = `${String(titles).padStart(6)}  ${String(beginnings).padStart(10)}  ${String(empty).padStart(13)}`;
  console.log(
    `${site.padEnd(12)}  ${counts}  ${firstScreen.toFixed(3).padStart(27)}  ${wholeFirst.toFixed(3).padStart(17)}`,
  );
  if (values.misses) for (const { typed, title } of misses) console.log(`  ${typed}  (${title})`);
}

async function typeEngine(url: string, engine: string): Promise<Typing> {
  const all = await foundDocuments(openRunningEngine(url, engine), ['Title']);
  const siteTitles = all.map(({ Fields }) => Fields['Title']?.Value ?? '');
  const complete = openCompletion(url, engine);
  return typeTitles(siteTitles, async (query): Promise<Offered> => {
    const { suggestions, results } = await complete(query, TYPED_LIMIT);
    return { titles: results.map(({ fields }) => fields.Title ?? ''), completions: suggestions };
  });
}

function openOffers(url: string, engine: string): OfferDocuments {
  const complete = openCompletion(url, engine);
  return async (query, limit) => {
    const { suggestions, results } = await complete(query, limit);
    return { ids: results.map(({ id }) => id), completions: suggestions };
  };
}

/** What a call of autocomplete answers. Contract: 3. */
type Completion = {
  readonly suggestions: readonly string[];
  readonly results: readonly { readonly id: string; readonly fields: { readonly Title?: string } }[];
};

function openCompletion(url: string, engine: string): (query: string, limit: number) => Promise<Completion> {
  const call = openRunningEngine(url, engine);
  return (query, limit) => {
    const parameters = new URLSearchParams({ query, results: String(limit) });
    return call(`/autocomplete?${parameters}`, { method: 'GET' });
  };
}
