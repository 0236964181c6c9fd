import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { extract } from '../../src/extract/extract.ts';
import { CONTENT_PROFILES, DEFAULT_PAGE_RULES } from '../../src/extract/extract-settings.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../src/extract/extraction.ts';
import { scoreFiles } from './extraction/file-set.ts';
import { LANGUAGE_RECORD, scoreCharsets, scoreLanguages } from './extraction/language-sets.ts';
import { type Scorer, scoreMainText, scoreSegments } from './extraction/main-text-sets.ts';
import { type Miss, scoreAuthors, scoreDates, scoreTitles } from './extraction/metadata-sets.ts';
import { ARTICLE_RECORD, type ArticleRecord, urlOf, WCXB_RECORD, type WcxbRecord } from './extraction/page-records.ts';
import { bytesOf, type PackRecord, readPack } from './extraction/read-pack.ts';
import { type Baseline, fallsBelow, printedReport, type SetReport, withReports } from './extraction/set-report.ts';

const SETS = ['wcxb', 'articles', 'dates', 'titles', 'authors', 'files', 'language', 'charset'] as const;
type SetName = (typeof SETS)[number];

const HELP = `usage: npm run eval:extract -- <data folder> [options]

Extracts the labelled pages and files of a folder with data packs and prints what is right, by set and kind of page.
Compares with test/golden/extraction/baseline.json: a figure that fell by more than half a point ends with status 1.

--set <name>   ${SETS.join(', ')}; may be repeated; all without
--profile <p>  precision, balanced or recall in place of the stock profile; nothing is compared
--limit <n>    the first n pages, files or languages of a pack only; nothing is compared
--json <file>  writes the figures there; sets that were not run stay as they are in the file
--misses       also what was found instead: titles, dates and authors of the tuning half, files
`;

const BASELINE = new URL('../../test/golden/extraction/baseline.json', import.meta.url);
/** After the last page of the packs was fetched. */
const NOW = Date.UTC(2026, 5, 1);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string', default: DEFAULT_PAGE_RULES.profile },
    limit: { type: 'string' },
    json: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
const unknown = values.set.filter((name) => !SETS.some((set) => set === name));
if (values.help || folder === undefined || unknown.length > 0) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
const profile = CONTENT_PROFILES.find((name) => name === values.profile);
if (profile === undefined) throw new Error(`--profile is one of ${CONTENT_PROFILES.join(', ')}`);
const isStock = values.limit === undefined && profile === DEFAULT_PAGE_RULES.profile;
const pageRules = { ...DEFAULT_PAGE_RULES, profile };
const settings = { ...DEFAULT_EXTRACT_SETTINGS, content: () => pageRules };
const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
process.exitCode = await evaluate(folder, new Set(values.set.length === 0 ? SETS : values.set));

async function evaluate(from: string, wanted: ReadonlySet<string>): Promise<number> {
  const reports = await reportsOf(from, (name) => wanted.has(name));
  for (const report of reports) console.log(`${printedReport(report)}\n`);
  if (values.json !== undefined) {
    const present = readBaseline(values.json);
    writeFileSync(values.json, `${JSON.stringify(withReports(present, reports), null, 2)}\n`);
  }
  const falls = !isStock ? [] : fallsBelow(readBaseline(BASELINE), reports);
  for (const fall of falls) console.error(`worse than the baseline: ${fall}`);
  return falls.length === 0 ? 0 : 1;
}

function readBaseline(path: string | URL): Baseline {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Baseline) : {};
}

async function reportsOf(from: string, isWanted: (name: SetName) => boolean): Promise<readonly SetReport[]> {
  const dates = scoreDates(missPrinter('date'));
  const wcxb: Scorer<WcxbRecord>[] = [
    ...(isWanted('wcxb') ? [scoreMainText()] : []),
    ...(isWanted('titles') ? [scoreTitles(missPrinter('title'))] : []),
    ...(isWanted('authors') ? [scoreAuthors(missPrinter('author'))] : []),
    ...(isWanted('dates') ? [dates.wcxb] : []),
  ];
  const segments: Scorer<ArticleRecord>[] = isWanted('articles') ? [scoreSegments()] : [];
  const articles = isWanted('dates') ? [...segments, dates.articles] : segments;
  await addPages(readPack(from, 'wcxb-dev', WCXB_RECORD), wcxb);
  await addPages(readPack(from, 'articles', ARTICLE_RECORD), articles);
  // Both scorers of dates give the one report of the set.
  const reports = [...wcxb, ...segments].map(({ report }) => report());
  if (isWanted('files')) reports.push(await scoreFiles(from, { limit, onLost: printMiss }));
  if (isWanted('language') || isWanted('charset')) {
    const records = [...readPack(from, 'languages', LANGUAGE_RECORD)].slice(0, limit);
    if (isWanted('language')) reports.push(await scoreLanguages(records));
    if (isWanted('charset')) reports.push(await scoreCharsets(records));
  }
  return reports;
}

async function addPages<T extends PackRecord>(records: Iterable<T>, scorers: readonly Scorer<T>[]): Promise<void> {
  if (scorers.length === 0) return;
  let count = 0;
  for (const record of records) {
    if (count++ >= limit) break;
    const headers = { contentType: 'text/html' };
    const input = { url: urlOf(record), body: bytesOf(record), headers, settings, now: NOW };
    const extraction = await extract({ parseFile: noFiles }, input, new AbortController().signal);
    for (const scorer of scorers) scorer.add(record, extraction);
  }
}

function noFiles(): Promise<never> {
  return Promise.reject(new Error('A page is no file'));
}

function missPrinter(what: string): (miss: Miss) => void {
  return ({ url, found, wanted, source }) =>
    printMiss(`${what} ${url}\n  wanted ${wanted || '–'}\n  found  ${found || '–'} (${source ?? 'no source'})`);
}

function printMiss(line: string): void {
  if (values.misses) console.log(line);
}
