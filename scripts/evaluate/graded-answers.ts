import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDocuments } from './answers/ask-suite.ts';
import { type AnswerDocument, newDocument } from './answers/sets.ts';
import { storedDocuments } from './answers/suites.ts';
import { type Baseline, printedReport, type SetReport, withReports } from './extraction/set-report.ts';
import { openAnswersOverHttp } from './graded-answers/answers-over-http.ts';
import { type GradedResult, gradedReport } from './graded-answers/graded-measures.ts';
import {
  type GradedAsk,
  type GradedQuestions,
  gradedAsks,
  readGradedQuestions,
  SITE_CRAWLER,
  unfoundedQuestions,
} from './graded-answers/graded-questions.ts';
import { GRADED_SITES, type GradedSite, readSiteDocuments, type SiteHalf } from './graded-answers/graded-sites.ts';
import {
  type GradedReadings,
  gradesReport,
  isDisputed,
  isUnread,
  parseReadAnswers,
  READINGS,
  type ReadAnswer,
  type ReadingName,
  readGrades,
  readingsOf,
  withReading,
  writeGrades,
} from './graded-answers/grades.ts';
import { disputed, pageOf, readable } from './graded-answers/printed-answers.ts';
import { type NumberedSet, numberedSets } from './running-engine.ts';

const HELP = `usage: npm run eval:graded -- --documents <folder> [options]
       npm run eval:graded -- --documents <folder> --url http://127.0.0.1:8080 [options] <site>@<engine> …

Asks the questions of test/golden/graded-answers, three wordings each, without a language model, and prints how their answers look
by nuggets: one engine a site, tuning and unseen sites apart. The folder is that of graded-answers/make-sites.ts.

--url <url>     asks engines of customer 1 of a running installation that have crawled the pages of the sites from the
                root of a server (start it with RATE_AI_PER_MINUTE=0)
--site <name>   may be repeated; all without
--half <half>   tuning or unseen; both without. Of unseen sites totals alone are told, unless with --half unseen one
                of the options below asks for more: nothing is tuned on them
--print         also each question with its answer as delivered and what a right one tells
--grades        also what readers said of these answers, and the answers of which they said different things
--unread        instead, as JSON lines for readers: the answers that were not read yet
--take <file>   instead: adds what a reader said, JSON lines { site, id, hash, grade, opensRight }
--reading <r>   of --unread and --take: first (without) or second
--embedding-folder <path>  also by vectors of a model of this machine that "fossick model add" made; its packages are
                looked for in DATA_DIR
--json <file>   writes the figures there; sites that were not run stay as they are in the file
`;

/** As `AI_VECTOR_WEIGHT` is unless it is set. */
const VECTOR_WEIGHT = 0.5;
const HALVES: readonly SiteHalf[] = ['tuning', 'unseen'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    documents: { type: 'string' },
    url: { type: 'string' },
    site: { type: 'string', multiple: true, default: [] },
    half: { type: 'string' },
    print: { type: 'boolean', default: false },
    grades: { type: 'boolean', default: false },
    unread: { type: 'boolean', default: false },
    take: { type: 'string' },
    reading: { type: 'string', default: 'first' },
    'embedding-folder': { type: 'string' },
    json: { type: 'string' },
  },
});
const reading = READINGS.find((name) => name === values.reading);
const halves = HALVES.filter((half) => (values.half ?? half) === half);
const isKnown = values.site.every((name) => GRADED_SITES.some((site) => site.name === name));
const running: readonly NumberedSet<string>[] = numberedSets(positionals, {
  names: GRADED_SITES.map(({ name }) => name),
  url: values.url,
});
if (values.help || reading === undefined || halves.length === 0 || !isKnown) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else if (values.take !== undefined) {
  take(parseReadAnswers(readFileSync(values.take, 'utf8')), reading);
} else if (values.documents === undefined) {
  console.log(HELP);
  process.exitCode = 2;
} else if (values.unread) {
  for (const half of halves.filter(isOpen)) await printUnread(half, values.documents, reading);
} else {
  const reports: SetReport[] = [];
  for (const half of halves) reports.push(...(await evaluate(half, values.documents)));
  if (values.json !== undefined) {
    const before: Baseline = existsSync(values.json) ? JSON.parse(readFileSync(values.json, 'utf8')) : {};
    writeFileSync(values.json, `${JSON.stringify(withReports(before, reports), null, 2)}\n`);
  }
}

/** Whether more than totals may be seen. */
function isOpen(half: SiteHalf): boolean {
  return half === 'tuning' || (values.half === 'unseen' && (values.print || values.grades || values.unread));
}

/** Reports of the sites of a half, and of all of them together. */
async function evaluate(half: SiteHalf, folder: string): Promise<readonly SetReport[]> {
  const reports: SetReport[] = [];
  const all: GradedResult[] = [];
  const read: GradedReadings[] = [];
  for await (const { site, results } of askSites(half, folder)) {
    const readings = values.grades ? readingsOf(results, readGrades(site)) : [];
    const own = reportsOn(site.name, results, readings);
    if (isOpen(half)) {
      if (values.print) printAnswers(results);
      printReports(own);
      for (const answer of readings.filter(isDisputed)) console.log(`${disputed(answer)}\n`);
      reports.push(...own);
    }
    all.push(...results);
    read.push(...readings);
  }
  if (all.length === 0) return [];
  const totals = reportsOn(`${half} sites`, all, read);
  printReports(totals);
  return [...reports, ...totals];
}

function reportsOn(
  name: string,
  results: readonly GradedResult[],
  readings: readonly GradedReadings[],
): readonly SetReport[] {
  const report = gradedReport(name, results);
  return values.grades ? [report, gradesReport(`${name}, read`, readings)] : [report];
}

function printReports(reports: readonly SetReport[]): void {
  for (const report of reports) console.log(`${printedReport(report)}\n`);
}

async function printUnread(half: SiteHalf, folder: string, by: ReadingName): Promise<void> {
  for await (const { site, results } of askSites(half, folder)) {
    for (const answer of readingsOf(results, readGrades(site)).filter((each) => isUnread(each, by))) {
      const { asked, concise } = answer.result;
      const { set, id, question, answer: wanted } = asked;
      const cited = concise.cited.map(pageOf);
      const line = { site: set, id, hash: answer.hash, question, wanted, answer: answer.delivered, cited };
      console.log(JSON.stringify(line));
    }
  }
}

function take(answers: readonly ReadAnswer[], by: ReadingName): void {
  for (const [name, own] of Map.groupBy(answers, ({ site }) => site)) {
    if (!GRADED_SITES.some((site) => site.name === name)) throw new Error(`there is no site ${name}`);
    writeGrades({ name }, withReading(readGrades({ name }), by, own));
    console.log(`${name}: ${own.length} answers read`);
  }
}

/** All that is asked of the wanted sites of a half that have questions, one engine at a time. */
async function* askSites(
  half: SiteHalf,
  folder: string,
): AsyncGenerator<{
  readonly site: GradedSite;
  readonly results: readonly GradedResult[];
}> {
  for (const site of GRADED_SITES) {
    const isNamed = values.site.length === 0 || values.site.includes(site.name);
    const isAsked = values.url === undefined || running.some(({ name }) => name === site.name);
    if (site.half !== half || !isNamed || !isAsked) continue;
    const questions = readGradedQuestions(site);
    if (questions === undefined) console.error(`${site.name}: no questions yet`);
    else yield { site, results: await ask(site, questions, folder) };
  }
}

async function ask(site: GradedSite, questions: GradedQuestions, folder: string): Promise<readonly GradedResult[]> {
  const documents = readSiteDocuments(folder, site);
  for (const fault of unfoundedQuestions(questions, documents)) console.error(`${site.name} ${fault}`);
  const results: GradedResult[] = [];
  await using asking = await openAsking(site, documents);
  for (const asked of gradedAsks(site, questions)) results.push(await asking.ask(asked));
  return results;
}

type Asking = AsyncDisposable & { readonly ask: (asked: GradedAsk) => Promise<GradedResult> };

/** The engine of the running installation, or one of its own that goes when it is disposed. */
async function openAsking(site: GradedSite, documents: readonly AnswerDocument[]): Promise<Asking> {
  const engine = running.find(({ name }) => name === site.name)?.number;
  if (values.url !== undefined && engine !== undefined) {
    return { ask: openAnswersOverHttp(values.url, engine), [Symbol.asyncDispose]: async () => undefined };
  }
  const rows = storedDocuments(documents.map((each) => ({ ...newDocument(each), crawlerId: SITE_CRAWLER })));
  const model = values['embedding-folder'];
  const embedding = model === undefined ? undefined : { folder: model, weight: VECTOR_WEIGHT };
  const opened = await openDocuments({ language: 'en', rows }, embedding);
  return {
    ask: async (asked) => ({ ...(await opened.ask(asked)), asked }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Refusals where nothing answers need no reading. */
function printAnswers(results: readonly GradedResult[]): void {
  const toRead = results.filter(({ asked, concise }) => asked.kind === 'answerable' || concise.refusal === undefined);
  for (const result of toRead) console.log(`${readable(result)}\n`);
}
