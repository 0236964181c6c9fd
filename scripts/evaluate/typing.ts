import { parseArgs } from 'node:util';
import { CORPORA } from './relevance/corpus.ts';
import { type TypedShares, typeQueries } from './relevance/type-queries.ts';
import { type Offered, TYPED_LIMIT, type Typing, typeCorpus, typeTitles } from './relevance/type-titles.ts';
import { openRunningEngine } from './running-engine.ts';

const HELP = `usage: node scripts/evaluate/typing.ts [--misses] [--url http://127.0.0.1:8080 --engine 1 --engine 2]

Types titles letter by letter, from the third letter on, and prints how often autocomplete shows their document among
the first five, which every first screen holds: titles of test/golden/relevance, or of engines of customer 1 of a
running installation (start it with RATE_SEARCH_PER_SECOND=0). Then the judged queries of the corpora, whole and with
their last word begun.
--misses  also the beginnings of four letters and more, and the queries, whose document is not among the first five
`;

/** The service answers no page behind the first 10,000 results. Contract: 1.9. */
const MOST_DOCUMENTS = 10_000;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    url: { type: 'string' },
    engine: { type: 'string', multiple: true, default: ['1'] },
  },
});
if (values.help) console.log(HELP);
else await printTable();

async function printTable(): Promise<void> {
  console.log('site          titles  beginnings  nothing shown  first five, from 4 letters  whole title first');
  const { url } = values;
  if (url !== undefined) {
    for (const engine of values.engine) print(`engine ${engine}`, await typeEngine(url, engine));
    return;
  }
  for (const name of CORPORA) print(name, await typeCorpus(name));
  console.log('\nsite          queries  first  first five     begun  first  first five');
  for (const name of CORPORA) {
    const { whole, begun, misses } = await typeQueries(name);
    console.log(`${name.padEnd(12)}  ${shown(whole, 7)}  ${shown(begun, 8)}`);
    if (values.misses) for (const query of misses) console.log(`  ${query}`);
  }
}

function shown({ texts, first, firstScreen }: TypedShares, width: number): string {
  return `${String(texts).padStart(width)}  ${first.toFixed(3)}  ${firstScreen.toFixed(3).padStart(10)}`;
}

function print(site: string, { summary, misses }: Typing): void {
  const { titles, beginnings, empty, firstScreen, wholeFirst } = summary;
  const counts = `${String(titles).padStart(6)}  ${String(beginnings).padStart(10)}  ${String(empty).padStart(13)}`;
  console.log(
    `${site.padEnd(12)}  ${counts}  ${firstScreen.toFixed(3).padStart(27)}  ${wholeFirst.toFixed(3).padStart(17)}`,
  );
  if (values.misses) for (const { typed, title } of misses) console.log(`  ${typed}  (${title})`);
}

async function typeEngine(url: string, engine: string): Promise<Typing> {
  const call = openRunningEngine(url, engine);
  const all = await call<{ TypedDocuments: readonly { Fields: { Title?: { Value: string } } }[] }>('/search', {
    method: 'POST',
    body: JSON.stringify({ query: '*', fields: ['Title'], perPage: MOST_DOCUMENTS }),
  });
  const siteTitles = all.TypedDocuments.map(({ Fields }) => Fields.Title?.Value ?? '');
  return typeTitles(siteTitles, async (query): Promise<Offered> => {
    const parameters = new URLSearchParams({ query, results: String(TYPED_LIMIT) });
    const { suggestions, results } = await call<{
      suggestions: readonly string[];
      results: readonly { fields: { Title?: string } }[];
    }>(`/autocomplete?${parameters}`, { method: 'GET' });
    return { titles: results.map(({ fields }) => fields.Title ?? ''), completions: suggestions };
  });
}
