/** The steps of the set-up. Each says what it does before it does it, and throws `SetupError` when it cannot. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, describeHost, findChromium, findProgram, hostPath, markOf, packagesMarker } from './facts.mjs';
import { adviceFor, installCommand, mayInstall, NODE_MINIMUM } from './plan.mjs';

/** `isOptional`: the product starts without it. */
export class SetupError extends Error {
  constructor(message, { isOptional = false } = {}) {
    super(message);
    this.isOptional = isOptional;
  }
}

export const say = (text) => console.log(`setup: ${text}`);

export const STEPS = {
  packages: installPackages,
  node: installNode,
  redis: () => installProgram('redis', () => findProgram('redis-server')),
  chromium: () => installProgram('chromium', findChromium),
  web: buildWeb,
  data: makeDataFolder,
};

/** Written after the last step that fills `node_modules`, so that an interrupted run is repeated. */
export function markPackages(root, { hasTestPackages }) {
  writeFileSync(packagesMarker(root), markOf(root, hasTestPackages));
}

function installPackages(root, facts) {
  if (facts.packages === 'linked') {
    throw new SetupError('node_modules is a link and its packages are out of date: run npm ci where it points to');
  }
  say('installing packages (npm ci), a minute or two');
  // No package of ours needs its install script (CONTRIBUTING.md, packages).
  runNpm(root, ['ci', '--ignore-scripts', ...omissions(facts)]);
}

const omissions = ({ hasTestPackages }) => (hasTestPackages ? [] : ['--omit=dev']);

function installNode(root, facts) {
  say(`installing Node 24 into node_modules (this one is ${process.versions.node}, ${NODE_MINIMUM} is needed)`);
  // The package `node` fetches the binary of this platform in its install script.
  runNpm(root, ['install', '--no-save', '--ignore-scripts=false', ...omissions(facts), 'node@24']);
  const { status } = spawnSync(join(root, 'node_modules', '.bin', 'node'), ['--version']);
  if (status !== 0) {
    throw new SetupError(`Node ${NODE_MINIMUM} or newer is needed and npm has none that runs here: see nodejs.org`);
  }
}

function runNpm(root, words) {
  const isWindows = process.platform === 'win32';
  const env = { ...process.env, PATH: hostPath() };
  run('npm', ['--loglevel=error', ...words], { cwd: root, env, shell: isWindows });
}

function installProgram(program, find) {
  const host = describeHost();
  const fail = (reason) => new SetupError(adviceFor(program, host, reason), { isOptional: true });
  if (host.manager === undefined) throw fail('this system has no package manager that is known here');
  if (!mayInstall(host)) throw fail('cannot be installed without root or password-less sudo');
  const words = installCommand(host, program);
  say(`installing ${program} (${words.join(' ')})`);
  try {
    installWith(host, words);
  } catch (error) {
    throw fail(`could not be installed (${error.message})`);
  }
  if (find() === undefined) throw fail('the package of this system did not bring it');
}

/** The package lists of a fresh container are empty, those of an old machine name files that are gone. */
function installWith(host, words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const isKnown = host.manager !== 'apt-get' || spawnSync('apt-cache', ['show', words.at(-1)]).status === 0;
  if (isKnown) {
    const { status } = spawnSync(words[0], words.slice(1), { env });
    if (status === 0) return;
  }
  if (host.manager === 'apt-get') {
    const update = [...words.slice(0, words.indexOf('apt-get') + 1), 'update'];
    say(`refreshing the package lists (${update.join(' ')})`);
    run(update[0], update.slice(1), { env });
  }
  run(words[0], words.slice(1), { env });
}

function buildWeb(root) {
  say('building the web pages (web/dist)');
  const node = findLocalNode(root);
  run(node, [join(root, 'scripts', 'build-web.mjs')], { cwd: root, env: process.env });
}

/** The Node that was just installed, when there is one: the build does not run on older ones. */
function findLocalNode(root) {
  const path = join(root, 'node_modules', '.bin', 'node');
  return spawnSync(path, ['--version']).status === 0 ? path : process.execPath;
}

function makeDataFolder(root) {
  const folder = dataFolder(root);
  say(`making the data folder ${folder}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** The chatter of the command is shown only when it fails. */
function run(command, words, options) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  const lines = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n');
  const output = lines.length <= 30 ? lines : [...lines.slice(0, 15), '…', ...lines.slice(-15)];
  throw new SetupError(
    `${command} ${words.join(' ')} failed: ${error?.message ?? `exit ${status}`}\n${output.join('\n')}`,
  );
}
