/**
 * Runs the experiments behind the promises of docs/reliability.md in their long form and prints a table of promise,
 * result and figure; exits 1 when one fails. Takes minutes to hours.
 *
 *   npm run scorecard                      all rows
 *   npm run scorecard -- stores            the rows whose id begins with `stores`
 *   npm run scorecard -- --short stores    the forms that `npm test` runs
 *   npm run scorecard -- --write search    also writes what was run into docs/reliability.md, where other rows stay
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rows as backups } from './scorecard/backups.ts';
import { rows as browser } from './scorecard/browser.ts';
import { rows as crawling } from './scorecard/crawling.ts';
import { rows as edge } from './scorecard/edge.ts';
import { rows as health } from './scorecard/health.ts';
import { rows as liveness } from './scorecard/liveness.ts';
import { rows as network } from './scorecard/network.ts';
import { rows as processes } from './scorecard/processes.ts';
import type { ScorecardRow } from './scorecard/row.ts';
import { rows as search } from './scorecard/search.ts';
import { rows as stores } from './scorecard/stores.ts';
import { printTable, type Result, withResults } from './scorecard/table.ts';

const ROWS = [
  ...stores,
  ...backups,
  ...liveness,
  ...processes,
  ...crawling,
  ...browser,
  ...network,
  ...search,
  ...edge,
  ...health,
];
const DOCUMENT = 'docs/reliability.md';
const TIMEOUT_MS = 3_600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, write: { type: 'boolean' } },
});
const chosen = ROWS.filter(({ id }) => positionals.length === 0 || positionals.some((word) => id.startsWith(word)));
if (chosen.length === 0) refuse(`no row begins with ${positionals.join(' or ')}`);
if (values.short === true && values.write === true) refuse(`${DOCUMENT} holds long forms: leave --short out`);
const results: Result[] = [];
for (const row of chosen) {
  process.stderr.write(`${row.id} ...`);
  const result = await experiment(row);
  process.stderr.write(` ${result.holds ? 'holds' : 'MISSED'} ${result.figure}\n`);
  results.push(result);
  if (values.write === true) await writeFile(DOCUMENT, withResults(await readFile(DOCUMENT, 'utf8'), ROWS, [result]));
}
process.stdout.write(`${printTable(results)}\n`);
process.exitCode = results.every(({ holds }) => holds) ? 0 : 1;

/** Runs the test of one row in a process of its own. */
async function experiment(row: ScorecardRow): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'scorecard-'));
  const figures = join(folder, 'figures');
  const report = join(folder, 'report.json');
  const words = ['vitest', 'run', row.file, '--reporter=json', `--outputFile=${report}`];
  if (row.test !== undefined) words.push('-t', row.test.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const form = values.short === true ? {} : { SCORECARD: 'full' };
  try {
    await run('npx', words, { ...process.env, ...form, SCORECARD_FIGURES: figures });
    const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
    return {
      row,
      holds: numPassedTests > 0 && numFailedTests === 0,
      figure: (await figureOf(figures, row.id)) || `${numPassedTests} checks`,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves when the program has ended, whatever its exit code: the report tells. */
function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    execFile(program, words, { env, timeout: TIMEOUT_MS, maxBuffer: 1 << 28 }, () => resolve());
  });
}

async function figureOf(path: string, id: string): Promise<string> {
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const reported: { id: string; figure: string }[] = lines.map((line) => JSON.parse(line));
  return reported
    .filter((figure) => figure.id === id)
    .map(({ figure }) => figure)
    .join('; ');
}

function refuse(reason: string): never {
  process.stderr.write(`scorecard: ${reason}\n`);
  process.exit(2);
}
