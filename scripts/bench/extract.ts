import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { PageFigures } from './extract/contestant.ts';
import { measurePdf } from './extract/measure-files.ts';
import { installPeers } from './install-peers.ts';

const HELP = `usage: npm run bench:extract -- <data folder> [options]

CPU time per page of extraction with all fields beside other extractors, one process each, over the same real pages;
CPU time per page of PDF text in a parser child. The folder holds the data packs (docs/extraction.md).

--pages <n>    pages, spread over all hosts (200)
--only <name>  fossick, all-text, cheerio, readability, defuddle; may be repeated
--no-files     leaves the PDF files out
`;

const NAMES = ['fossick', 'all-text', 'cheerio', 'readability', 'defuddle'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    pages: { type: 'string', default: '200' },
    only: { type: 'string', multiple: true, default: [] },
    'no-files': { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (values.help || folder === undefined) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
const wanted = values.only.length === 0 ? NAMES : values.only;
if (wanted.some((name) => !['fossick', 'all-text'].includes(name))) installPeers();

const measured = new Map<string, PageFigures>();
for (const name of wanted) measured.set(name, await measure(name, folder));
const own = measured.get('fossick')?.meanMs;
console.log('extractor      pages   CPU ms   ratio  median   again   worst  failed  worst page');
for (const [name, { pages, meanMs, medianMs, againMs, worstMs, worstUrl, failed }] of measured) {
  const ratio = own === undefined ? '' : `${(meanMs / own).toFixed(2)} x`;
  const figures = [
    meanMs.toFixed(2),
    ratio,
    medianMs.toFixed(2),
    againMs.toFixed(2),
    worstMs.toFixed(0),
    String(failed),
  ];
  console.log(name.padEnd(12), String(pages).padStart(7), ...figures.map((text) => text.padStart(7)), ` ${worstUrl}`);
}
if (!values['no-files']) {
  const { files, pages, cpuMs, mb } = await measurePdf(folder);
  const perPage = (cpuMs / Math.max(1, pages)).toFixed(2);
  console.log(
    `\nPDF: ${files} files, ${pages} pages, ${perPage} CPU ms a page, child ${mb.toFixed(0)} MB resident at most`,
  );
}

async function measure(name: string, from: string): Promise<PageFigures> {
  const child = fork(new URL('./extract/contestant-process.ts', import.meta.url), [name, from, values.pages]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with code ${String(code)}`);
  });
  const [figures] = (await Promise.race([once(child, 'message'), ended])) as [PageFigures];
  ended.catch(() => undefined);
  return figures;
}
