import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calibrate, type GateExample, trainGate, writeGate } from '../train/answerability.ts';
import { blockModelsOutOfSite, trainBlocks, writeBlockModel } from '../train/block-model.ts';
import { trainVectorModel, VECTOR_LANGUAGES, writeVectorModel } from '../train/vector-model.ts';
import { openSuite } from './answers/ask-suite.ts';
import { blockExamples, type SiteModels } from './answers/block-examples.ts';
import { exampleOf, gateExamples } from './answers/gate-examples.ts';
import { isCorrect, type QuestionResult, reportOn, TOLERANCE } from './answers/measure.ts';
import type { Half } from './answers/sets.ts';
import { type EmbeddingChoice, openEmbedding } from './answers/suite-vectors.ts';
import { type AnswerSuite, BASELINE_FILE, SUITES, suiteQuestions } from './answers/suites.ts';
import { trainingSuites } from './answers/training-sites.ts';
import { vectorExamples } from './answers/vector-examples.ts';
import { type Baseline, fallsBelow, printedReport, type SetReport, withReports } from './extraction/set-report.ts';

const HELP = `usage: npm run eval:answers [-- options]

Asks the questions of test/golden/answers without a model, and prints what is right, cited and refused, by set. Compares
the tuning halves with the baseline there: a figure that fell by more than two points ends with status 1.

--set <name>   docs, or the code of a language; may be repeated; all without
--blind        the blind halves instead, totals only: nothing is tuned on them
--misses       also what was answered wrong or refused of the tuning halves
--calibrate    also the thresholds that the present weights need
--train        trains the ranking of blocks and the gate on the tuning halves of all sets, writes
               src/ai/blocks/block-model.json and src/ai/answerability.json, and prints how questions are answered by a
               model that other sites trained; some ten minutes
--graded <folder>  also trains on the graded sites that tuning may see; the folder is that of
               graded-answers/make-sites.ts
--embeddings <url>  also by vectors of an OpenAI-compatible endpoint (its base URL): --embedding-model <name>,
               --vector-weight <0 to 1> (0.5); compared with nothing
--embedding-folder <path>  the same by a model of this machine that "fossick model add" made; its packages in DATA_DIR.
               With --train: trains ranking and gate for questions with vectors instead, on the English sets, and writes
               src/ai/vector-model.json; a passage takes a tenth of a second
--json <file>  writes the figures there; sets that were not run stay as they are in the file
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
    blind: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    calibrate: { type: 'boolean', default: false },
    train: { type: 'boolean', default: false },
    graded: { type: 'string' },
    embeddings: { type: 'string' },
    'embedding-folder': { type: 'string' },
    'embedding-model': { type: 'string', default: '' },
    'vector-weight': { type: 'string', default: '0.5' },
    json: { type: 'string' },
  },
});
const unknown = values.set.filter((name) => !SUITES.some((suite) => suite.name === name));
if (values.help || unknown.length > 0) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
const embedding = embeddingChoice();
const wanted = SUITES.filter(({ name }) => values.set.length === 0 || values.set.includes(name));
if (values.train && embedding !== undefined) await trainByVectors(embedding);
else if (values.train) await train();
else process.exitCode = await evaluate(values.blind ? 'blind' : 'tuning');

function embeddingChoice(): EmbeddingChoice | undefined {
  const { embeddings: baseUrl, 'embedding-folder': folder, 'embedding-model': model } = values;
  const weight = Number(values['vector-weight']);
  if (folder !== undefined) return { folder, weight };
  return baseUrl === undefined ? undefined : { baseUrl, model, weight };
}

async function train(): Promise<void> {
  const suites = trainingSuites(values.graded);
  const sites = new Set(suites.flatMap(({ asked }) => asked.map(({ set }) => set)));
  const trainedOn = `tuning halves of ${[...sites].join(', ')}`;
  const blocks = await Array.fromAsync(blockExamples(suites));
  writeBlockModel(trainBlocks(blocks, trainedOn));
  const models = blockModelsOutOfSite(blocks);
  const questions = await Array.fromAsync(gateExamples(suites, models));
  const { file, areaUnderCurve } = trainGate(questions, trainedOn);
  writeGate(file);
  console.log(file, `${questions.length} examples, area under the curve out of fold: ${areaUnderCurve.toFixed(3)}`);
  for (const suite of wanted) console.log(printedReport(reportOn(suite.name, await ask(suite, 'tuning', models))));
}

/** Ranking and gate for questions with vectors; those by words stay as they are. */
async function trainByVectors(choice: EmbeddingChoice): Promise<void> {
  await using embedding = await openEmbedding(choice);
  const { model } = embedding;
  const suites = trainingSuites(values.graded, { opened: model, weight: choice.weight });
  const examples = await Array.fromAsync(vectorExamples(suites, VECTOR_LANGUAGES));
  const trainedOn = `tuning halves of ${[...new Set(examples.map(({ site }) => site))].join(', ')}`;
  const about = { trainedOn, embedder: model.id, languages: [...VECTOR_LANGUAGES] };
  const { file, bySite, areaUnderCurve } = await trainVectorModel(examples, about);
  writeVectorModel(file);
  console.log(
    file.gate,
    `${examples.length} questions, area under the curve out of fold: ${areaUnderCurve.toFixed(3)}`,
  );
  for (const { language, open, asked: questions } of suites) {
    if (!VECTOR_LANGUAGES.includes(language)) continue;
    await using opened = await open();
    const results: QuestionResult[] = [];
    for (const asked of questions) results.push(await opened.ask(asked, { vectors: bySite.get(asked.set) }));
    console.log(printedReport(reportOn(questions[0]?.set ?? '', results)));
  }
}

async function evaluate(half: Half): Promise<number> {
  const reports: SetReport[] = [];
  const examples: GateExample[] = [];
  for (const suite of wanted) {
    const results = await ask(suite, half);
    reports.push(reportOn(suite.name, results));
    console.log(`${printedReport(reportOn(suite.name, results))}\n`);
    if (half === 'tuning') {
      examples.push(...results.map(exampleOf));
      if (values.misses) for (const result of results) printMiss(result);
    }
  }
  if (values.calibrate && half === 'tuning') console.log('thresholds', calibrate(examples));
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(withReports(readBaseline(values.json), reports), null, 2)}\n`);
  }
  const falls =
    half === 'blind' || embedding !== undefined ? [] : fallsBelow(readBaseline(BASELINE_FILE), reports, TOLERANCE);
  for (const fall of falls) console.error(`worse than the baseline: ${fall}`);
  return falls.length === 0 ? 0 : 1;
}

/** `models`: by site, in place of the product's. */
async function ask(suite: AnswerSuite, half: Half, models?: SiteModels): Promise<readonly QuestionResult[]> {
  await using opened = await openSuite(suite, embedding);
  const results: QuestionResult[] = [];
  for (const asked of suiteQuestions(suite, half))
    results.push(await opened.ask(asked, { words: models?.get(asked.set) }));
  return results;
}

function readBaseline(path: string | URL): Baseline {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Baseline) : {};
}

function printMiss(result: QuestionResult): void {
  const { asked, comprehensive, rank, gate } = result;
  const isRefused = comprehensive.refusal !== undefined;
  if (asked.kind === 'answerable' ? isCorrect(result) : isRefused) return;
  const wantedText =
    asked.kind === 'answerable' ? `${asked.nuggets.join(' / ')} in ${asked.gold.join(', ')}` : 'a refusal';
  console.log(`${asked.set} ${asked.id} ${asked.kind}: ${[...asked.previous, asked.question].join(' → ')}
  wanted ${wantedText}; rank ${rank}, p ${gate.probability.toFixed(2)}, cites ${comprehensive.cited.join(', ')}
  ${comprehensive.refusal ?? comprehensive.text.replaceAll('\n', '\n  ')}\n`);
}
