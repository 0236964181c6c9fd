import { once } from 'node:events';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer, isIP } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type Environment, faultLines, readConfig } from '../../config/read-config.ts';
import { systemResolve } from '../../fetch/gate/resolve-cache.ts';
import { type Check, createHealth, type Finding, finding } from '../../health/health.ts';
import { checkBrowser } from '../../health/process-checks.ts';
import { checkDisk } from '../../health/store-checks.ts';
import { redisAnswers } from '../../jobs/redis-answers.ts';
import { openForReading, runOperation } from '../../storage/sqlite/sqlite-database.ts';
import { storePath } from '../../storage/sqlite/write-messages.ts';
import { accountStore } from '../../storage/system/accounts.ts';
import { chromiumOf } from '../chromium.ts';
import { monotonicMs } from '../role.ts';
import { type ExaminedServers, examineServers, SILENT, type StoredCrawler } from './examine-servers.ts';

export type ExaminedPart = { readonly part: string; readonly findings: readonly Finding[] };

/** A crawler as far as its names are looked up. */
export type SeededCrawler = { readonly id: number; readonly seeds: readonly string[] };

export type Examination = {
  readonly environment: Environment;
  /** The working folder. */
  readonly folder: string;
  /** Crawlers of a product that runs; undefined: none answers here, and the stores are read. */
  readonly crawlers: readonly SeededCrawler[] | undefined;
};

const WITHIN_MS = 15_000;
const MOST_NAMES = 200;
const LEAST_NODE = [24, 12] as const;

/**
 * Looks at what the product needs of this machine, whether it runs or not; changes nothing. Each part is looked at
 * whatever becomes of the others, for 15 s at most.
 */
export async function examineMachine(examination: Examination): Promise<readonly ExaminedPart[]> {
  const node = { part: 'Node', findings: nodeFindings(process.versions.node) };
  const loaded = await readConfig(examination).catch((error: unknown) => faultLines(error));
  if (!('config' in loaded)) return [node, { part: 'configuration', findings: loaded.map(wrongConfiguration) }];
  const { config } = loaded;
  const isRunning = examination.crawlers !== undefined;
  const servers = examineServers(config);
  const checks: readonly (Check & { readonly part: string })[] = [
    { part: 'data folder', name: 'data folder', look: () => folderFindings(config.DATA_DIR) },
    { part: 'disk', ...diskCheck(config.DATA_DIR) },
    ...servers.checks,
    { part: 'Redis', name: 'Redis', look: () => redisFindings(config, examination.environment) },
    {
      part: 'Chromium',
      ...checkBrowser({
        hasBrowser: async () => (await chromiumOf(config)) !== undefined,
        isCrawling: async () => true,
      }),
    },
    ...(isRunning ? [] : [{ part: 'ports', name: 'ports', look: () => portFindings(config) }]),
    {
      part: 'names of seeds',
      name: 'names of seeds',
      look: async () => nameFindings(examination.crawlers ?? seededBy(await storedCrawlers(config, servers))),
    },
  ];
  const parts = checks.map(async ({ part, ...check }): Promise<ExaminedPart> => {
    const health = createHealth({ checks: [{ ...check, withinMs: WITHIN_MS }], monotonicMs, waitMs: WITHIN_MS });
    return { part, findings: await health.findings() };
  });
  return [node, { part: 'configuration', findings: [] }, ...(await Promise.all(parts))];
}

/** @param version `24.12.0` */
export function nodeFindings(version: string): readonly Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return [];
  const sentence = `Node ${version} is too old: Fossick needs ${LEAST_NODE.join('.')} or newer`;
  return [finding('node-old', { subject: 'Node', sentence, command: 'npm run setup' })];
}

function wrongConfiguration(line: string): Finding {
  const command = 'see docs/configuration.md, then fossick doctor';
  return finding('configuration-wrong', { subject: 'configuration', sentence: line, command });
}

async function folderFindings(dataDir: string): Promise<readonly Finding[]> {
  const folder = await nearestFolder(resolve(dataDir));
  const isUsable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isUsable) return [];
  const sentence = `The folder ${folder} cannot be written: searches may go on, nothing else does`;
  const command = `chown -R "$(id -un)" ${folder} (or set DATA_DIR)`;
  return [finding('data-folder', { subject: dataDir, sentence, command })];
}

function diskCheck(dataDir: string): Check {
  const diskSpace = async () => {
    const { bavail, blocks, bsize } = await statfs(await nearestFolder(resolve(dataDir)));
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  };
  return checkDisk({ diskSpace, dataDir });
}

/** The folder, or the one that it will be made in. */
async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || path === dirname(path) ? path : await nearestFolder(dirname(path));
}

async function redisFindings({ REDIS_URL: url }: Config, environment: Environment): Promise<readonly Finding[]> {
  if (url !== undefined) {
    if (await redisAnswers(url, SILENT)) return [];
    const sentence = 'The Redis of REDIS_URL does not answer: nothing is crawled, and the product does not start';
    const command = 'redis-cli -u "$REDIS_URL" ping (start it, or unset REDIS_URL for a private one)';
    return [finding('redis-down', { subject: 'redis', sentence, command })];
  }
  for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
    const isThere = await access(join(folder, 'redis-server'), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return [];
  }
  const sentence = 'There is no redis-server on the PATH and no REDIS_URL: nothing is crawled';
  return [finding('redis-missing', { subject: 'redis', sentence, command: 'npm run setup' })];
}

async function portFindings(config: Config): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const name of ['PORT', 'ADMIN_PORT', 'METRICS_PORT'] as const) {
    const port = config[name];
    if (port === 0 || (await isFree(config.HOST, port))) continue;
    const sentence = `Port ${port} (${name}) is taken by another program: the product does not start`;
    const command = `${name}=${port + 1} npm start (or stop what listens: ss -ltnp 'sport = :${port}')`;
    found.push(finding('port-taken', { subject: name, sentence, command }));
  }
  return found;
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Of a product that does not run, without a change to its stores. */
async function storedCrawlers(
  { DATA_DIR: dataDir, DATABASE_URL: url }: Config,
  servers: ExaminedServers,
): Promise<readonly StoredCrawler[]> {
  if (url !== undefined) return servers.crawlers();
  const path = storePath(dataDir, { kind: 'system' });
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return [];
  const read = openForReading(path);
  try {
    return runOperation(read, accountStore.reads.listCrawlers());
  } finally {
    read.close();
  }
}

function seededBy(crawlers: readonly StoredCrawler[]): readonly SeededCrawler[] {
  return crawlers.flatMap(({ id, active, config }) => {
    const seeds = active && Array.isArray(config['seeds']) ? config['seeds'].map(String) : [];
    return [{ id, seeds }];
  });
}

/** Each name is looked up once, ten at a time, at most 200. */
async function nameFindings(crawlers: readonly SeededCrawler[]): Promise<readonly Finding[]> {
  const byName = new Map<string, { readonly id: number; readonly seed: string }>();
  for (const { id, seeds } of crawlers) {
    for (const seed of seeds) {
      const name = URL.parse(seed)?.hostname ?? '';
      if (name !== '' && isIP(name.replace(/^\[|\]$/g, '')) === 0 && !byName.has(name)) byName.set(name, { id, seed });
    }
  }
  const checked = [...byName].slice(0, MOST_NAMES);
  const found: Finding[] = [];
  const next = async (): Promise<void> => {
    for (let entry = checked.pop(); entry !== undefined; entry = checked.pop()) {
      const [name, { id, seed }] = entry;
      const code = await systemResolve(name).then(
        () => undefined,
        (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
      );
      if (code !== undefined) found.push(unresolved({ name, id, seed, code }));
    }
  };
  await Promise.all(Array.from({ length: 10 }, next));
  return found;
}

type Unresolved = { readonly name: string; readonly id: number; readonly seed: string; readonly code: string };

function unresolved({ name, id, seed, code }: Unresolved): Finding {
  const why = code === 'ENOTFOUND' ? 'does not exist' : `cannot be looked up (${code})`;
  return finding('host-unknown', {
    subject: `crawler ${id} ${seed}`,
    sentence: `The name ${name} ${why}: crawler ${id} reads nothing there`,
    command: `fossick crawler set ${id} 'seeds=[…]' (or mend the name server)`,
  });
}
