import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDocuments } from './answers/ask-suite.ts';
import { newDocument } from './answers/sets.ts';
import { storedDocuments } from './answers/suites.ts';
import { type Baseline, printedReport, type SetReport, withReports } from './extraction/set-report.ts';
import { deliveredText, type GradedResult, gradedReport, verdictOf } from './graded-answers/graded-measures.ts';
import {
  type GradedQuestions,
  gradedAsks,
  readGradedQuestions,
  SITE_CRAWLER,
} from './graded-answers/graded-questions.ts';
import { GRADED_SITES, type GradedSite, readSiteDocuments, type SiteHalf } from './graded-answers/graded-sites.ts';

const HELP = `usage: npm run eval:graded -- --documents <folder> [options]

Asks the questions of test/golden/graded-answers, three wordings each, without a model, and prints how their answers look
by nuggets: one engine a site, tuning and unseen sites apart. The folder is that of graded-answers/make-sites.ts.

--site <name>   may be repeated; all without
--half <half>   tuning or unseen; both without
--print         also each question with its answer as delivered and what a right one tells. Of unseen sites, of which
                otherwise totals alone are printed, only with --half unseen: nothing is tuned on them
--json <file>   writes the figures there; sites that were not run stay as they are in the file
`;

const HALVES: readonly SiteHalf[] = ['tuning', 'unseen'];

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    documents: { type: 'string' },
    site: { type: 'string', multiple: true, default: [] },
    half: { type: 'string' },
    print: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const { documents } = values;
const unknown = [
  ...values.site.filter((name) => !GRADED_SITES.some((site) => site.name === name)),
  ...[values.half ?? 'tuning'].filter((name) => !HALVES.some((half) => half === name)),
];
if (values.help || documents === undefined || unknown.length > 0) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  const reports: SetReport[] = [];
  for (const half of HALVES) if ((values.half ?? half) === half) reports.push(...(await evaluate(half, documents)));
  if (values.json !== undefined) {
    const before: Baseline = existsSync(values.json) ? JSON.parse(readFileSync(values.json, 'utf8')) : {};
    writeFileSync(values.json, `${JSON.stringify(withReports(before, reports), null, 2)}\n`);
  }
}

/** Reports of the sites of a half, and of all of them together. */
async function evaluate(half: SiteHalf, folder: string): Promise<readonly SetReport[]> {
  const isOpen = half === 'tuning' || (values.print && values.half === 'unseen');
  const reports: SetReport[] = [];
  const all: GradedResult[] = [];
  for (const site of GRADED_SITES) {
    const isWanted = site.half === half && (values.site.length === 0 || values.site.includes(site.name));
    if (!isWanted) continue;
    const questions = readGradedQuestions(site);
    if (questions === undefined) {
      console.log(`${site.name}: no questions yet\n`);
      continue;
    }
    const results = await ask(site, questions, folder);
    if (values.print && isOpen) for (const result of results.filter(isToBeRead)) console.log(`${readable(result)}\n`);
    const report = gradedReport(site.name, results);
    if (isOpen) console.log(`${printedReport(report)}\n`);
    reports.push(report);
    all.push(...results);
  }
  if (all.length === 0) return [];
  const total = gradedReport(`${half} sites`, all);
  console.log(`${printedReport(total)}\n`);
  return [...reports, total];
}

async function ask(site: GradedSite, questions: GradedQuestions, folder: string): Promise<readonly GradedResult[]> {
  const rows = storedDocuments(
    readSiteDocuments(folder, site).map((document) => ({ ...newDocument(document), crawlerId: SITE_CRAWLER })),
  );
  await using opened = await openDocuments({ language: 'en', rows });
  const results: GradedResult[] = [];
  for (const asked of gradedAsks(site, questions)) results.push({ ...(await opened.ask(asked)), asked });
  return results;
}

/** Refusals where nothing answers need no reading. */
function isToBeRead({ asked, concise }: GradedResult): boolean {
  return asked.kind === 'answerable' || concise.refusal === undefined;
}

/** A question with what a right answer tells and the concise answer as delivered, one below the other. */
function readable({ asked, concise, rank, gate }: GradedResult): string {
  const cited = concise.cited.map((key, index) => `[${index + 1}] ${key.slice(`${SITE_CRAWLER}/`.length)}`);
  const given = concise.refusal === undefined ? [deliveredText(concise), ...cited] : [`(${concise.refusal})`];
  return [
    `${asked.set} ${asked.id}, ${asked.wording ?? asked.kind}: ${asked.question}`,
    `  wanted     ${asked.answer}`,
    `  ${verdictOf(asked, concise).padEnd(10)} ${given.join('\n').replaceAll('\n', `\n${' '.repeat(13)}`)}`,
    `  (passage that answers: rank ${rank}; p ${gate.probability.toFixed(2)})`,
  ].join('\n');
}
