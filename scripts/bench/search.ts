import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { installPeers } from './install-peers.ts';
import { compareEngines } from './search/compare-engines.ts';
import { writeCorpus } from './search/corpus-file.ts';
import { isLucene, prepareLucene } from './search/lucene.ts';
import { markdownOf, medianRatio, multiplesOfLucene, type SearchCounters } from './search/report.ts';
import { measureService, serviceTable } from './search/service.ts';

const HELP = `usage: npm run bench:search [-- options]

CPU per query, building, size, memory and opening of the embedded index beside other engines in the same run, then
latency and visibility of the running product over HTTP. Loopback only; peers are installed on first use.

  --documents 100000     size of the generated corpus (seeded)
  --peers fts5,minisearch,orama,lancedb,lucene
                         lucene needs a JDK 21 or later (JAVA_HOME, or the path) and Maven, else it is left out;
                         lucene-top is the same index with what Lucene does unasked: totals up to 1,000, no facets
  --queries 40           queries per class
  --rounds 3             measured rounds, after one that warms up
  --classes a,b          only these classes, by name
  --heap 6000            megabytes of heap per engine
  --at-rest              Fossick and Lucene merge their segments into one, as after a minute without writes
  --service              also measure the product over HTTP (--service-only: nothing else)
  --mixed                there with documents of three languages instead of one
  --gate                 exit 1 when the median ratio is below its bar (3 up to 300,000 documents, 6 above), or
                         CPU is above that of Lucene in the median, or above twice of it in a class
  --out file.json        write the figures as JSON
`;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    peers: { type: 'string', default: 'fts5,minisearch,orama,lancedb,lucene' },
    queries: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    classes: { type: 'string' },
    heap: { type: 'string', default: '6000' },
    'at-rest': { type: 'boolean', default: false },
    service: { type: 'boolean', default: false },
    'service-only': { type: 'boolean', default: false },
    mixed: { type: 'boolean', default: false },
    gate: { type: 'boolean', default: false },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const documents = Number(values.documents);
const folder = join(tmpdir(), `fossick-bench-search-${process.pid}`);
const corpus = join(tmpdir(), `fossick-bench-corpus-${documents}.ndjson`);
const MEDIAN_BAR = documents > 300_000 ? 6 : 3;
const LUCENE_BARS = { median: 1, most: 2 };
try {
  await mkdir(folder, { recursive: true });
  await writeCorpus(corpus, documents);
  const figures = values['service-only'] ? undefined : await compare();
  if (values.service || values['service-only']) {
    console.log(
      serviceTable(await measureService({ corpus, mixed: values.mixed, documents, folder, log: console.error })),
    );
  }
  if (values.gate && figures !== undefined) checkBars(figures);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function compare(): Promise<SearchCounters> {
  const peers = availablePeers();
  if (peers.some((name) => name !== 'fts5' && !isLucene(name))) installPeers();
  const figures = await compareEngines({
    corpus,
    documents,
    folder,
    log: console.error,
    engines: ['fossick', ...peers],
    queries: Number(values.queries),
    rounds: Number(values.rounds),
    heapMb: Number(values.heap),
    classes: values.classes?.split(','),
    atRest: values['at-rest'],
  });
  console.log(markdownOf(figures));
  if (values.out !== undefined) {
    await mkdir(dirname(values.out), { recursive: true });
    await writeFile(values.out, `${JSON.stringify(figures, undefined, 2)}\n`);
  }
  return figures;
}

function availablePeers(): readonly string[] {
  const peers = values.peers.split(',').filter((name) => name !== '');
  if (!peers.some(isLucene)) return peers;
  const obstacle = prepareLucene();
  if (obstacle === undefined) return peers;
  console.error(`bench: Lucene is left out: ${obstacle}`);
  return peers.filter((name) => !isLucene(name));
}

function checkBars(figures: SearchCounters): void {
  const missed: string[] = [];
  const ratio = medianRatio(figures);
  if (ratio < MEDIAN_BAR) missed.push(`the median ratio ${ratio.toFixed(1)} is below its bar of ${MEDIAN_BAR}`);
  const lucene = multiplesOfLucene(figures);
  if (lucene !== undefined && (lucene.median > LUCENE_BARS.median || lucene.most > LUCENE_BARS.most)) {
    missed.push(
      `CPU is ${lucene.median.toFixed(2)} × that of Lucene in the median, ${lucene.most.toFixed(2)} × at most`,
    );
  }
  for (const line of missed) console.error(line);
  if (missed.length > 0) process.exitCode = 1;
}
