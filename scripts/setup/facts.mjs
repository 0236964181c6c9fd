/** What this host and this copy have: reads files and asks two programs for their version, changes nothing. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import { installedMatchesLock, MANAGERS } from './plan.mjs';
import { hashWebSources, webMarker } from './web-sources.mjs';

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CHROMIUM_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const packagesMarker = (root) => join(root, 'node_modules', '.fossick-lock-sha256');

export const dataFolder = (root) => resolve(root, process.env.DATA_DIR || 'data');

/** Takes about 15 ms when nothing is missing. */
export function gatherFacts(root, { forTests }) {
  const packages = packagesState(root, forTests);
  const redisServer = findProgram('redis-server');
  return {
    forTests,
    switch: process.env.SETUP === 'off' ? 'off' : 'on',
    packages,
    hasTestPackages: packages === 'current' ? packagesState(root, true) === 'current' : forTests,
    hostNode: hostNodeVersion(root, packages),
    localNode: readJson(join(root, 'node_modules', 'node', 'package.json'))?.version,
    hasRedisUrl: Boolean(process.env.REDIS_URL),
    redis: redisServer && spawnSync(redisServer, ['--version'], { encoding: 'utf8' }).stdout,
    chromium: findChromium(),
    webSources: hashWebSources(root),
    webBuilt: readText(webMarker(root)),
    hasDataFolder: existsSync(dataFolder(root)),
  };
}

function hashLock(root) {
  return createHash('sha256')
    .update(readText(join(root, 'package-lock.json')) ?? '')
    .digest('hex');
}

/** Folders of the search path, without the ones that npm adds for its scripts. */
export function hostPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.includes(`${sep}node_modules${sep}`)).join(delimiter);
}

/** What the marker says of packages for tests, and of those that running needs alone. */
export const markOf = (root, hasTestPackages) => (hasTestPackages ? hashLock(root) : `${hashLock(root)} running`);

export function isMarked(root, forTests) {
  const mark = readText(packagesMarker(root));
  return mark === markOf(root, true) || (!forTests && mark === markOf(root, false));
}

/** Only asked when something is missing: `sudo` may take its time. */
export function describeHost() {
  const manager = MANAGERS.find((name) => findProgram(name) !== undefined);
  const isRoot = process.getuid?.() === 0;
  const hasSudo = !isRoot && findProgram('sudo') !== undefined && spawnSync('sudo', ['-n', 'true']).status === 0;
  const distribution = /^ID="?([^"\n]+)/m.exec(readText('/etc/os-release') ?? '')?.[1];
  return { manager, isRoot, hasSudo, distribution };
}

export function findChromium() {
  if (process.env.CHROMIUM_PATH) return existsSync(process.env.CHROMIUM_PATH) ? process.env.CHROMIUM_PATH : undefined;
  for (const name of CHROMIUM_NAMES) {
    const path = findProgram(name);
    if (path !== undefined) return path;
  }
  return CHROMIUM_APPS.find((path) => existsSync(path));
}

export function findProgram(name) {
  const candidates = hostPath()
    .split(delimiter)
    .map((folder) => join(folder, name));
  return candidates.find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * `linked`: out of date, but the folder belongs to another copy, whose packages are not ours to remove.
 * A folder that was filled by hand with `npm ci` is as good as one that has our marker.
 */
function packagesState(root, forTests) {
  if (isMarked(root, forTests)) return 'current';
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (installedMatchesLock(readJson(join(root, 'package-lock.json')), installed, { forTests })) return 'current';
  const folder = lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false });
  return folder?.isSymbolicLink() ? 'linked' : 'stale';
}

/** The Node that is left when `node_modules` is emptied. */
function hostNodeVersion(root, packages) {
  if (packages === 'current' || !process.execPath.startsWith(join(root, 'node_modules'))) return process.versions.node;
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, PATH: hostPath() } });
  return stdout;
}

/** undefined for what is not there, and for what an interrupted installation left half written. */
function readJson(path) {
  try {
    return JSON.parse(readText(path) ?? '');
  } catch {
    return undefined;
  }
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
