import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { installPeers } from './install-peers.ts';
import { compareEngines } from './search/compare-engines.ts';
import { writeCorpus } from './search/corpus-file.ts';
import { markdownOf, medianRatio } from './search/report.ts';
import { measureService, serviceTable } from './search/service.ts';

const HELP = `usage: npm run bench:search [-- options]

CPU per query, building, size, memory and opening of the embedded index beside other engines in the same run, then
latency and visibility of the running product over HTTP. Loopback only; peers are installed on first use.

  --documents 100000     size of the generated corpus (seeded)
  --peers fts5,minisearch,orama,lancedb
  --queries 40           queries per class
  --rounds 3             measured rounds, after one that warms up
  --classes a,b          only these classes, by name
  --heap 6000            megabytes of JavaScript heap per engine
  --service              also measure the product over HTTP (--service-only: nothing else)
  --mixed                there with documents of three languages instead of one
  --gate                 exit 1 when the median ratio is below its bar (3 up to 300,000 documents, 6 above)
  --out file.json        write the figures as JSON
`;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    peers: { type: 'string', default: 'fts5,minisearch,orama,lancedb' },
    queries: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    classes: { type: 'string' },
    heap: { type: 'string', default: '6000' },
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
try {
  await mkdir(folder, { recursive: true });
  await writeCorpus(corpus, documents);
  const ratio = values['service-only'] ? undefined : await compare();
  if (values.service || values['service-only']) {
    console.log(
      serviceTable(await measureService({ corpus, mixed: values.mixed, documents, folder, log: console.error })),
    );
  }
  if (values.gate && ratio !== undefined && ratio < MEDIAN_BAR) {
    console.error(`The median ratio ${ratio.toFixed(1)} is below its bar of ${MEDIAN_BAR}`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function compare(): Promise<number> {
  const peers = values.peers.split(',').filter((name) => name !== '');
  if (peers.some((name) => name !== 'fts5')) installPeers();
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
  });
  console.log(markdownOf(figures));
  if (values.out !== undefined) {
    await mkdir(dirname(values.out), { recursive: true });
    await writeFile(values.out, `${JSON.stringify(figures, undefined, 2)}\n`);
  }
  return medianRatio(figures);
}
