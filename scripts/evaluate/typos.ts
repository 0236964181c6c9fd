import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CORPORA, type Corpus, HALVES, readCorpus } from './relevance/corpus.ts';
import { type Correct, type CorrectedTypo, correctTypos, EDITS } from './relevance/correct-typos.ts';
import { numberedSets, openRunningEngine } from './running-engine.ts';

const HELP = `usage: node scripts/evaluate/typos.ts [--misses] [--documents <file> --language en]
       node scripts/evaluate/typos.ts [--misses] --url http://127.0.0.1:8080 <corpus>@<engine> …

Types words of a site with one edit as whole queries, and prints how often the corrected query is that very word:
words of the corpora of test/golden/relevance, or of a file of the same form (a JSON document a line: id, language,
fields). With --url engines of customer 1 of a running installation are asked, to which push-corpora.ts pushed these
corpora (start it with RATE_SEARCH_PER_SECOND=0).
--misses  also what the words of the tuning half were corrected to instead
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    documents: { type: 'string' },
    language: { type: 'string', default: 'en' },
    url: { type: 'string' },
  },
});
if (values.help) console.log(HELP);
else await printTable();

async function printTable(): Promise<void> {
  console.log(`site          half      typos  ${EDITS.join('  ')}  all`);
  const { documents, language, url } = values;
  const sets = numberedSets(positionals, { names: CORPORA, url });
  if (url !== undefined) {
    for (const { name, number } of sets) {
      await printSite(name, readCorpus(name), openCorrection(url, number));
    }
  } else if (documents === undefined) for (const name of CORPORA) await printSite(name, readCorpus(name));
  else await printSite('file', { engineLanguage: language, documents: readLines(documents) });
}

function readLines(path: string): Corpus['documents'] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function openCorrection(url: string, engine: string): Correct {
  const call = openRunningEngine(url, engine);
  return async (query) => {
    const body = JSON.stringify({ query, fields: ['Title'], perPage: 1 });
    const { FixedQuery } = await call<{ FixedQuery: string | null }>('/search', { method: 'POST', body });
    return FixedQuery ?? '';
  };
}

async function printSite(site: string, corpus: Omit<Corpus, 'name' | 'queries'>, correct?: Correct): Promise<void> {
  const typos = await correctTypos(corpus, correct);
  for (const half of HALVES) {
    const own = typos.filter((typo) => typo.half === half);
    const kinds = EDITS.map((edit) => shareOf(own.filter((typo) => typo.edit === edit)).padStart(edit.length));
    console.log(
      `${site.padEnd(12)}  ${half.padEnd(8)}  ${String(own.length).padStart(5)}  ${kinds.join('  ')}  ${shareOf(own)}`,
    );
  }
  if (!values.misses) return;
  for (const { word, typed, corrected, half } of typos) {
    if (half === 'tuning' && corrected !== word) console.log(`  ${typed} → ${corrected} (${word})`);
  }
}

/** That were corrected to the very word. */
function shareOf(typos: readonly CorrectedTypo[]): string {
  return (typos.filter(({ word, corrected }) => corrected === word).length / typos.length).toFixed(3);
}
