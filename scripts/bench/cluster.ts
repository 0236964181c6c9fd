import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureCrawls } from './cluster/crawl.ts';
import { measurePushes } from './cluster/pushes.ts';
import { measureSearches } from './cluster/search.ts';

const HELP = `usage: npm run bench:cluster [-- options]

What the product costs on PostgreSQL and OpenSearch beside its own files. Starts servers of its own on loopback:
PostgreSQL 15 or later, which waits for the disk (apt-get install -y postgresql-15), and OpenSearch (Java 21 or later
in JAVA_HOME or the path, and Maven at the first start). Linux.

  crawl     pages a second, pages per CPU second and round trips a page, on SQLite and PostgreSQL; one process and two
  pushes    documents a second, and the time until they are found at 1,000 a second, on each kind of stores and index
  search    the index on OpenSearch beside a query written by hand

  --only crawl,pushes,search   parts, all unless given
  --pages 600                  size of the site that is crawled
  --docs 20000                 documents that are pushed, twice, and half as many that are searched
  --queries 100                of each class of searches
  --gate                       exit 1 when a bar is missed
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'crawl,pushes,search' },
    pages: { type: 'string', default: '600' },
    docs: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '100' },
    gate: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const [pages, documents, queries] = [values.pages, values.docs, values.queries].map(Number) as [number, number, number];
const PARTS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  crawl: () => measureCrawls(pages),
  pushes: () => measurePushes(documents),
  search: () => measureSearches(documents / 2, queries),
};
const names = values.only.split(',');
const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined || [pages, documents, queries].some((count) => !(Number.isInteger(count) && count > 0))) {
  console.error(
    unknown === undefined ? `Numbers are whole and above 0\n\n${HELP}` : `There is no part ${unknown}\n\n${HELP}`,
  );
  process.exit(1);
}
console.log(`Load average before: ${loadavg()[0]?.toFixed(1)}\n`);
for (const name of names) {
  const beganAtMs = performance.now();
  const misses = (await PARTS[name]?.()) ?? [];
  for (const miss of misses) console.error(`missed: ${miss}`);
  if (values.gate && misses.length > 0) process.exitCode = 1;
  console.log(`${name}: ${((performance.now() - beganAtMs) / 1_000).toFixed(0)} s\n`);
}
process.exit();
