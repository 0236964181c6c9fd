/** Decisions of the set-up, pure: facts in, steps out. Plain JavaScript, because it runs before anything is installed. */

/** Lowest Node that runs TypeScript as it is and has the SQLite features in use (docs/decisions/0001). */
export const NODE_MINIMUM = '24.12.0';

/** Lowest Redis that the queue library supports. */
export const REDIS_MINIMUM = '6.2.0';

/** First `major.minor[.patch]` in a text such as `v24.12.0` or `Redis server v=7.0.15 sha=0`. */
export function parseVersion(text) {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text ?? '');
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** False for text without a version. */
export function isAtLeast(text, minimum) {
  const version = parseVersion(text);
  const wanted = parseVersion(minimum);
  if (version === undefined || wanted === undefined) return false;
  const at = version.findIndex((part, index) => part !== wanted[index]);
  return at === -1 || version[at] > wanted[at];
}

/**
 * Whether what npm installed is what the lock file names. `installed` is npm's own record of the folder; packages
 * that are optional (other platforms) may be absent, those that only tests need may when none run, and packages beyond
 * the lock file (a local Node) are fine.
 */
export function installedMatchesLock(lock, installed, { forTests }) {
  const wanted = Object.entries(lock?.packages ?? {}).filter(([path]) => path !== '');
  if (installed === undefined || wanted.length === 0) return false;
  return wanted.every(([path, { version, dev, optional, devOptional }]) => {
    const found = installed.packages?.[path];
    return found === undefined ? Boolean(optional || devOptional || (dev && !forTests)) : found.version === version;
  });
}

/**
 * The steps that are left, in order. `npm ci` empties `node_modules`, so a local Node is judged only when the packages
 * stay as they are.
 *
 * @param facts see `gatherFacts`
 */
export function planSteps(facts) {
  if (facts.switch === 'off') return [];
  const node = facts.packages === 'current' && facts.localNode !== undefined ? facts.localNode : facts.hostNode;
  const steps = [
    ['packages', facts.packages !== 'current'],
    ['node', !isAtLeast(node, NODE_MINIMUM)],
    ['redis', !facts.hasRedisUrl && !isAtLeast(facts.redis, REDIS_MINIMUM)],
    ['chromium', facts.chromium === undefined],
    ['web', facts.webSources !== undefined && facts.webSources !== facts.webBuilt],
    ['data', !facts.forTests && !facts.hasDataFolder],
  ];
  return steps.filter(([, isMissing]) => isMissing).map(([name]) => name);
}

/** What to do about a Node that cannot run the product while the set-up is switched off; undefined when it can. */
export function nodeFault(facts) {
  const node = facts.localNode ?? facts.hostNode;
  if (facts.switch !== 'off' || isAtLeast(node, NODE_MINIMUM)) return undefined;
  const needed = NODE_MINIMUM.slice(0, 5);
  return `Node ${needed} or newer is needed, this one is ${node}: start once without SETUP=off, which brings one`;
}

/** Package names by package manager; the first manager found on the host is used. */
const PACKAGES = {
  'apt-get': { redis: 'redis-server', chromium: 'chromium' },
  dnf: { redis: 'redis', chromium: 'chromium' },
  apk: { redis: 'redis', chromium: 'chromium' },
  pacman: { redis: 'redis', chromium: 'chromium' },
  brew: { redis: 'redis', chromium: '--cask chromium' },
};

const INSTALL = {
  'apt-get': ['install', '-y', '--no-install-recommends'],
  dnf: ['install', '-y'],
  apk: ['add', '--no-cache'],
  pacman: ['-S', '--noconfirm', '--needed'],
  brew: ['install', '--quiet'],
};

export const MANAGERS = Object.keys(PACKAGES);

/**
 * The command line that installs one program, or undefined when this host has no known package manager.
 *
 * @param host `manager`, `isRoot`, `hasSudo` (without a password), `distribution` (ID of /etc/os-release)
 */
export function installCommand(host, program) {
  const { manager } = host;
  if (manager === undefined) return undefined;
  const isUbuntu = host.distribution === 'ubuntu';
  const name = isUbuntu && program === 'chromium' ? 'chromium-browser' : PACKAGES[manager][program];
  const words = [manager, ...INSTALL[manager], ...name.split(' ')];
  return manager === 'brew' || host.isRoot ? words : ['sudo', '-n', ...words];
}

/** Homebrew refuses root, all others need it. */
export function mayInstall(host) {
  if (host.manager === undefined) return false;
  return host.manager === 'brew' ? !host.isRoot : host.isRoot || host.hasSudo;
}

const WAYS_OUT = {
  redis: {
    title: `redis-server ${REDIS_MINIMUM.slice(0, 3)} or newer`,
    without: 'Without it nothing is crawled; search and pushes work.',
    setting: 'REDIS_URL=redis://<host>:6379 in the environment, for a Redis that runs elsewhere',
  },
  chromium: {
    title: 'Chromium',
    without: 'Without it the tests of web pages fail; the product works.',
    setting: 'CHROMIUM_PATH=<file> in the environment, for a Chromium that lies elsewhere',
  },
};

/** One message that names what is missing, what that means and the ways out. */
export function adviceFor(program, host, reason) {
  const { title, without, setting } = WAYS_OUT[program];
  const command = installCommand({ ...host, isRoot: false }, program)?.filter((word) => word !== '-n');
  const ways = [
    command ? `run: ${command.join(' ')}` : 'install the package of your system by hand',
    setting,
    'docker compose up, which brings everything along',
  ];
  return [`${title} is missing and ${reason}. ${without}`, ...ways.map((way) => `  - ${way}`)].join('\n');
}
