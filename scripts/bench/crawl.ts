const HELP = `usage: npm run bench:crawl [-- speed|scale|recrawl|render] [options]

Cost and memory of crawling generated sites on loopback; CPU time of processes and ratios within one run. Without a
name: speed. Each has its own --help.

  speed     CPU per page beside an in-memory loop and other crawlers; memory of the crawl process
  scale     the frontier at 10,000 to 1,000,000 known URLs, without fetching; bytes per URL record
  recrawl   bytes and requests of later runs, and the changes that they find
  render    renders against those that were needed
`;

const NAMES = ['speed', 'scale', 'recrawl', 'render'];

const [name = 'speed', ...rest] = process.argv.slice(2);
if (name === '--help' || name === 'help') {
  console.log(HELP);
  process.exit(0);
}
const isOption = name.startsWith('--');
const wanted = isOption ? 'speed' : name;
const file = new URL(`./crawl/${wanted}.ts`, import.meta.url);
if (!NAMES.includes(wanted)) {
  console.error(`There is no benchmark ${wanted}\n\n${HELP}`);
  process.exit(1);
}
const { run } = (await import(file.href)) as { readonly run: (args: string[]) => Promise<void> };
await run(isOption ? [name, ...rest] : rest);
process.exit();
