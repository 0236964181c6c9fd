import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BUILT_IN_MODEL } from '../../src/extract/html/content-model.ts';
import { makeModelFile, reportOf } from './make-model-file.ts';
import { printReport, worseThan } from './report.ts';
import { readTrainingPages } from './training-pages.ts';

const HELP = `usage: npm run train:extract -- <data folder> [--segments 20] [--out file] [--force]

Trains the content model on labelled pages, reports what it is worth on hosts that it does not know (two folds), and
writes it to --out (src/extract/html/content-model.json). The same pages and code give the same file byte for byte.

The folder holds the packs wcxb-dev-*.jsonl.br and articles-*.jsonl.br, or own labelled pages as *.jsonl:
{ "id": …, "url": …, "html": …, "truth": { "ground_truth": { "main_content": … } } }

--segments n  weight of a block of article pages that holds a wanted or unwanted segment
--out file    where to write
--force       writes a model whose report is clearly worse than that of the file that stands there
`;

const { values, positionals } = parseArgs({
  options: {
    help: { type: 'boolean' },
    segments: { type: 'string', default: '20' },
    out: { type: 'string', default: fileURLToPath(BUILT_IN_MODEL) },
    force: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (values.help || folder === undefined) console.log(HELP);
else train(folder);

function train(from: string): void {
  const pages = [...readTrainingPages(from)];
  const file = makeModelFile(pages, Number(values.segments));
  console.log(printReport(reportOf(file)));
  const falls = existsSync(values.out)
    ? worseThan(reportOf(JSON.parse(readFileSync(values.out, 'utf8'))), reportOf(file))
    : [];
  if (falls.length > 0 && !values.force) {
    console.error(`Not written (--force does):\n${falls.join('\n')}`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(values.out, `${JSON.stringify(file)}\n`);
  console.log(`Wrote ${values.out}`);
}
