import { loadavg } from 'node:os';

const HELP = `usage: npm run bench:cluster [-- crawl ...]

What the product costs on PostgreSQL beside SQLite, on loopback; processor time of processes and ratios within one run.
Without a name: all parts, one after the other. Starts servers of its own.

  crawl   pages per second of processor time and round trips of a page, on both

  CLUSTER_PAGES=1000   pages of the crawl
`;

/** One file each in `cluster/`, which exports `run` and prints its own lines. */
const PARTS = ['crawl'];

const wanted = process.argv.slice(2);
if (wanted.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
const unknown = wanted.find((part) => !PARTS.includes(part));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}\n\n${HELP}`);
  process.exit(1);
}
for (const part of wanted.length === 0 ? PARTS : wanted) {
  console.log(`\n${part} (load average ${loadavg()[0]?.toFixed(1)})\n`);
  const { run } = (await import(`./cluster/${part}.ts`)) as { readonly run: () => Promise<void> };
  await run();
}
process.exit();
