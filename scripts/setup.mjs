/**
 * Brings what `npm start` and `npm test` need and this machine lacks: packages, Node, Redis, Chromium, built web
 * pages, data folder. A start has the packages that running needs; once the tests have brought theirs, they stay. Plain JavaScript without packages, for Node 18 and later. It only adds, says each step before
 * doing it, and is silent when nothing is missing.
 *
 * `--check` only reports (exit 1 when something is missing) · `--for-tests` fails when Redis or Chromium cannot be
 * had · `SETUP=off` in the environment skips everything.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropUnused } from './setup/drop-unused.mjs';
import { gatherFacts, isMarked } from './setup/facts.mjs';
import { nodeFault, planSteps } from './setup/plan.mjs';
import { markPackages, SetupError, STEPS, say } from './setup/steps.mjs';

const NAMES = {
  packages: 'the packages of package-lock.json',
  node: 'Node 24.12 or newer',
  redis: 'redis-server 6.2 or newer (or REDIS_URL)',
  chromium: 'Chromium (or CHROMIUM_PATH)',
  web: 'the built web pages',
  data: 'the data folder',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
loadEnvironmentFile();
const forTests = process.argv.includes('--for-tests');
process.exitCode = process.argv.includes('--check') ? check() : prepare();

/** As the product does; a Node before 20.12 cannot, and brings what the file would have spared. */
function loadEnvironmentFile() {
  const path = join(root, '.env');
  if (process.loadEnvFile !== undefined && existsSync(path)) process.loadEnvFile(path);
}

function check() {
  const missing = planSteps(gatherFacts(root, { forTests }));
  for (const step of missing) say(`missing: ${NAMES[step]}`);
  return missing.length === 0 ? 0 : 1;
}

/** Steps that the product can start without are reported and left out; the first other failure ends the set-up. */
function prepare() {
  const facts = gatherFacts(root, { forTests });
  const fault = nodeFault(facts);
  if (fault !== undefined) {
    console.error(`setup: ${fault}`);
    return 1;
  }
  const steps = planSteps(facts);
  const refused = [];
  try {
    for (const step of steps) refused.push(...take(step, facts));
    if (!facts.hasTestPackages && steps.some((step) => step === 'packages' || step === 'node')) dropUnused(root);
    if (facts.switch === 'on' && !isMarked(root, forTests)) markPackages(root, facts);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`setup: ${error.message}`);
    return 1;
  }
  return forTests && refused.length > 0 ? 1 : 0;
}

/** The steps that were refused: none or this one. */
function take(step, facts) {
  try {
    STEPS[step](root, facts);
    return [];
  } catch (error) {
    if (!(error instanceof SetupError && error.isOptional)) throw error;
    console.error(`setup: ${error.message}`);
    return [step];
  }
}
