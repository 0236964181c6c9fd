import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  adviceFor,
  type Facts,
  type Host,
  installCommand,
  installedMatchesLock,
  isAtLeast,
  mayInstall,
  nodeFault,
  parseVersion,
  planSteps,
} from '../../scripts/setup/plan.mjs';

const REPOSITORY = dirname(dirname(import.meta.dirname));

const COMPLETE: Facts = {
  forTests: false,
  switch: 'on',
  packages: 'current',
  hasTestPackages: true,
  hostNode: '24.12.0',
  localNode: undefined,
  hasRedisUrl: false,
  redis: 'Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64',
  chromium: '/usr/bin/chromium',
  webSources: 'abc',
  webBuilt: 'abc',
  hasDataFolder: true,
};

test.each([
  ['v24.12.0', [24, 12, 0]],
  ['Redis server v=6.2.14 sha=0', [6, 2, 14]],
  ['26.1', [26, 1, 0]],
  ['no version', undefined],
  [undefined, undefined],
])('the version in %s is %j', (text, expected) => {
  expect(parseVersion(text)).toEqual(expected);
});

test.each([
  ['24.12.0', '24.12.0', true],
  ['v24.11.9', '24.12.0', false],
  ['25.0.0', '24.12.0', true],
  ['v9.99.99', '24.12.0', false],
  ['6.10.0', '6.2.0', true],
  ['', '6.2.0', false],
])('%s is at least %s: %s', (text, minimum, expected) => {
  expect(isAtLeast(text, minimum)).toBe(expected);
});

test.each<[string, Partial<Facts>, string[]]>([
  ['nothing is missing', {}, []],
  ['the packages are out of date on a good Node', { packages: 'stale' }, ['packages']],
  ['the packages are out of date on an old Node', { packages: 'stale', hostNode: '20.20.2' }, ['packages', 'node']],
  [
    'npm ci will remove the local Node',
    { packages: 'stale', hostNode: '20.1.0', localNode: '24.14.0' },
    ['packages', 'node'],
  ],
  ['a local Node replaces an old one', { hostNode: '20.1.0', localNode: '24.14.0' }, []],
  ['the local Node is too old as well', { hostNode: '20.1.0', localNode: '24.2.0' }, ['node']],
  ['Redis is absent', { redis: undefined }, ['redis']],
  ['Redis is too old', { redis: 'Redis server v=6.0.16' }, ['redis']],
  ['Redis runs elsewhere', { redis: undefined, hasRedisUrl: true }, []],
  ['Chromium is absent', { chromium: undefined }, ['chromium']],
  ['the web pages changed', { webBuilt: 'old' }, ['web']],
  ['the web pages were never built', { webBuilt: undefined }, ['web']],
  ['a copy has no web pages', { webSources: undefined, webBuilt: undefined }, []],
  ['the data folder is absent', { hasDataFolder: false }, ['data']],
  ['tests need no data folder', { hasDataFolder: false, forTests: true }, []],
  ['it is switched off', { switch: 'off', packages: 'stale', redis: undefined, chromium: undefined }, []],
])('when %s the steps are right', (_name, change, expected) => {
  expect(planSteps({ ...COMPLETE, ...change })).toEqual(expected);
});

test.each<[string, Partial<Facts>, RegExp | undefined]>([
  [
    'nobody brings a newer Node',
    { switch: 'off', hostNode: '20.20.2' },
    /^Node 24\.12 .* this one is 20\.20\.2: .*SETUP=off/,
  ],
  ['an earlier start has brought one', { switch: 'off', hostNode: '20.20.2', localNode: '24.12.0' }, undefined],
  ['the Node is new enough', { switch: 'off', hostNode: '24.12.0' }, undefined],
  ['the set-up brings one', { switch: 'on', hostNode: '20.20.2' }, undefined],
])('whether a Node is a fault: %s', (_name, facts, message) => {
  const fault = nodeFault({ ...COMPLETE, ...facts });

  if (message === undefined) expect(fault).toBeUndefined();
  else expect(fault).toMatch(message);
});

const LOCK = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/vitest': { version: '5.0.0', dev: true },
    'node_modules/@other/platform': { version: '1.0.0', optional: true },
  },
};
const TEST_PACKAGE = { 'node_modules/vitest': { version: '5.0.0' } };

test.each([
  ['the same packages', { 'node_modules/zod': { version: '4.0.0' } }, true],
  ['a package more', { 'node_modules/zod': { version: '4.0.0' }, 'node_modules/node': { version: '24.12.0' } }, true],
  ['another version', { 'node_modules/zod': { version: '3.9.0' } }, false],
  ['a package less', { 'node_modules/@other/platform': { version: '1.0.0' } }, false],
])('a folder with %s matches the lock file: %s', (_name, packages, expected) => {
  expect(installedMatchesLock(LOCK, { packages }, { forTests: false })).toBe(expected);
  expect(installedMatchesLock(LOCK, { packages: { ...packages, ...TEST_PACKAGE } }, { forTests: true })).toBe(expected);
});

test('packages that only tests need may be absent for a start, and not for tests', () => {
  const packages = { 'node_modules/zod': { version: '4.0.0' } };

  expect(installedMatchesLock(LOCK, { packages }, { forTests: false })).toBe(true);
  expect(installedMatchesLock(LOCK, { packages }, { forTests: true })).toBe(false);
});

test('the lock file names the packages of all platforms, without which npm ci refuses it', () => {
  const { packages } = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8'));
  const named = Object.values<{ optionalDependencies?: object }>(packages).flatMap(({ optionalDependencies }) =>
    Object.keys(optionalDependencies ?? {}),
  );

  const missing = named.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));

  expect(missing).toEqual([]);
});

const host = (change: Partial<Host>): Host => ({ manager: 'apt-get', isRoot: false, hasSudo: false, ...change });

test.each<[Partial<Host>, boolean, string]>([
  [{ isRoot: true }, true, 'apt-get install -y --no-install-recommends redis-server'],
  [{ hasSudo: true }, true, 'sudo -n apt-get install -y --no-install-recommends redis-server'],
  [{}, false, 'sudo -n apt-get install -y --no-install-recommends redis-server'],
  [{ manager: 'apk', isRoot: true }, true, 'apk add --no-cache redis'],
  [{ manager: 'dnf', hasSudo: true }, true, 'sudo -n dnf install -y redis'],
  [{ manager: 'pacman', isRoot: true }, true, 'pacman -S --noconfirm --needed redis'],
  [{ manager: 'brew' }, true, 'brew install --quiet redis'],
  [{ manager: 'brew', isRoot: true }, false, 'brew install --quiet redis'],
])('on %j installing is possible: %s', (change, expected, command) => {
  expect(mayInstall(host(change))).toBe(expected);
  expect(installCommand(host(change), 'redis')?.join(' ')).toBe(command);
});

test('the advice names the command, the setting and the container', () => {
  const advice = adviceFor('redis', host({}), 'cannot be installed');

  expect(advice).toContain('sudo apt-get install -y --no-install-recommends redis-server');
  expect(advice).toContain('REDIS_URL');
  expect(advice).toContain('docker compose up');
  expect(advice).toContain('Without it nothing is crawled');
});

test('a set-up with nothing missing is silent and exits 0, also the second time', () => {
  using copy = makeCopy({ programs: ['redis-server', 'chromium'] });

  expect(copy.run()).toEqual({ status: 0, output: '' });
  expect(copy.run()).toEqual({ status: 0, output: '' });
});

test('a set-up for a start goes on without Redis and says what that means, one for tests does not', () => {
  using copy = makeCopy({ programs: ['chromium'] });

  expect(copy.run()).toMatchObject({ status: 0, output: expect.stringContaining('Without it nothing is crawled') });
  expect(copy.run('--for-tests').status).toBe(1);
  expect(copy.run('--check')).toMatchObject({
    status: 1,
    output: expect.stringMatching(/^setup: missing: redis.*\n$/),
  });
});

test('a missing program is installed with the package manager of the host, which is said first', () => {
  using copy = makeCopy({ programs: ['chromium'] });
  // Homebrew refuses root, the others need it.
  const manager = process.getuid?.() === 0 ? 'apk' : 'brew';
  copy.addProgram(manager, 'cd "$(dirname "$0")" && cp chromium redis-server');

  const first = copy.run('--for-tests');

  expect(first).toMatchObject({
    status: 0,
    output: expect.stringMatching(/^setup: installing redis \((apk|brew) .*\)\n$/),
  });
  expect(copy.run('--for-tests')).toMatchObject({ status: 0, output: '' });
});

test('a start has the packages that running needs, and keeps those that the tests have brought', () => {
  using copy = makeCopy({ programs: ['redis-server', 'chromium'], hasPackages: false });
  copy.addProgram('npm', NPM);

  const starts = [copy.run(), copy.run()];
  const running = copy.installed();
  const tests = [copy.run('--for-tests'), copy.run('--for-tests'), copy.run()];
  const whole = copy.installed();

  expect(starts.map(({ output }) => output !== '')).toEqual([true, false]);
  expect(running).toEqual({
    words: '--loglevel=error ci --ignore-scripts --omit=dev',
    files: [join('zod', 'index.js')],
  });
  expect(tests.map(({ output }) => output !== '')).toEqual([true, false, false]);
  expect(whole.words).toBe('--loglevel=error ci --ignore-scripts');
  expect(whole.files).toContain(join('zod', 'index.js.map'));
});

test('an installation that was cut off is done again', () => {
  using copy = makeCopy({ programs: ['redis-server', 'chromium'], hasPackages: false });
  copy.addProgram('npm', NPM);
  copy.writeRecord('{"packages": {"node_modules/zo');

  expect(copy.run()).toMatchObject({ status: 0, output: expect.stringContaining('installing packages') });
});

test('packages of another copy are never removed', () => {
  using copy = makeCopy({ programs: ['redis-server', 'chromium'], isLinked: true });

  expect(copy.run()).toMatchObject({ status: 1, output: expect.stringContaining('node_modules is a link') });
});

/** Does what `npm ci` does to the folder, without a network: two packages, one of them with a source map. */
const NPM = `
cd "$(dirname "$0")/.." && rm -rf node_modules && mkdir -p node_modules/zod node_modules/@napi-rs/canvas-linux-x64
echo "$@" > node_modules/words && touch node_modules/zod/index.js node_modules/zod/index.js.map`;

type CopyOptions = {
  readonly programs: readonly string[];
  readonly isLinked?: boolean;
  readonly hasPackages?: boolean;
};

/** A copy of the set-up in a temporary folder, on a search path that holds the named programs only. */
function makeCopy({ programs, isLinked = false, hasPackages = true }: CopyOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'fossick-setup-'));
  cpSync(join(REPOSITORY, 'scripts', 'setup.mjs'), join(folder, 'scripts', 'setup.mjs'));
  cpSync(join(REPOSITORY, 'scripts', 'setup'), join(folder, 'scripts', 'setup'), { recursive: true });
  const lock = JSON.stringify(LOCK);
  writeFileSync(join(folder, 'package-lock.json'), lock);
  mkdirSync(join(folder, 'elsewhere'));
  if (isLinked) {
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'node_modules'));
  } else if (hasPackages) {
    mkdirSync(join(folder, 'node_modules'));
    const hash = createHash('sha256').update(lock).digest('hex');
    writeFileSync(join(folder, 'node_modules', '.fossick-lock-sha256'), hash);
  }
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  mkdirSync(join(folder, 'data'));
  const addProgram = (name: string, body: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\nPATH=/usr/bin:/bin\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  for (const name of programs) addProgram(name, 'echo "Redis server v=7.2.0 sha=0"');
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'setup.mjs'), ...words], {
      env: { PATH: [bin].join(delimiter) },
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };
  const installed = () => ({
    words: readFileSync(join(folder, 'node_modules/words'), 'utf8').trim(),
    files: readdirSync(join(folder, 'node_modules'), { recursive: true }).filter((path) => /[\\/]/.test(String(path))),
  });
  /** npm's own record of the folder. */
  const writeRecord = (text: string) => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), text);
  };
  return { run, addProgram, installed, writeRecord, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
