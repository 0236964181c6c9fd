import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { returnMemoryWhenIdle } from '../src/observability/idle-memory.ts';
import { logFolder } from '../src/observability/log-files.ts';
import { createLogger } from '../src/observability/logger.ts';
import { banner } from './banner.ts';
import { openDataFolder } from './data-folder.ts';
import { type PrivateRedis, startPrivateRedis } from './private-redis.ts';
import { processList } from './process-list.ts';
import { configOrExit, keepFilesPrivate, startMessage, untilStopped } from './run.ts';
import { startPrepare } from './run-prepare.ts';
import { createSupervisor } from './supervise.ts';
import { keepTellingApi } from './tell-api.ts';

const HELP = `usage: npm start [-- <site>]

Runs the whole product on this machine: API, indexer, scheduler, crawl workers and a private Redis.
  <site>   an address such as https://www.example.com/ that is crawled instead of the sample site

Configuration: docs/configuration.md. What runs: npx fossick ps
`;

/** How long a start waits for what search and pushes can do without. */
const REDIS_WITHIN_MS = 10_000;
const ROLES_WITHIN_MS = 10_000;
/** With a start of 1.5 to 3 s search and pushes are back within 5 s, however often they are killed. */
const API_PAUSE_MS = 1_000;
const API_STOP_MS = 15_000;
const CRAWL_STOP_MS = 15_000;
const UPKEEP_STOP_MS = 10_000;

const stopped = untilStopped();
const ending = new AbortController();
void stopped.then(() => ending.abort());
const site = siteOf(process.argv.slice(2));
keepFilesPrivate();
const { config } = await configOrExit();
const log = createLogger({ level: config.LOG_LEVEL, name: 'supervisor', folder: logFolder(config.DATA_DIR) });
try {
  await runUntilStopped();
} catch (error) {
  // Whoever breaks off a start knows why parts of it have failed.
  if (ending.signal.aborted) process.exit(0);
  const message = startMessage(error) ?? (error instanceof Error ? error.message : String(error));
  for (const line of message.split('\n')) process.stderr.write(`fossick: ${line}\n`);
  process.exit(1);
}
process.exit(0);

/** Starts everything in order, shows the way in, and ends it in reverse order when a signal comes. */
async function runUntilStopped(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(openDataFolder(config.DATA_DIR, log));
  const dataDir = folder.path;
  // Compiled code is kept between starts: the banner comes after 2.9 instead of 4.1 s.
  const compileCache = process.env['NODE_COMPILE_CACHE'] ?? join(dataDir, 'compile-cache');
  const environment = { DATA_DIR: dataDir, NODE_COMPILE_CACHE: compileCache, LOG_LEVEL: logLevel() };
  const runPrepare = startPrepare(environment);
  await runPrepare({ step: 'prepare' });

  const list = stack.use(processList(dataDir));
  const redis = config.REDIS_URL === undefined ? await startRedis() : undefined;
  const redisUrl = config.REDIS_URL ?? redis?.url;
  const supervisor = createSupervisor({
    log,
    changed: (running) => list.set('children', running),
    stopped: ending.signal,
    counted: (name, families) => supervisor.tell('api', { type: 'metrics', process: name, families }),
  });
  const crawlers = Array.from({ length: config.CRAWL_PROCESSES }, (_, index) => `crawl-${index + 1}`);
  stack.defer(async () => {
    await Promise.all([supervisor.stop(['api'], API_STOP_MS), supervisor.stop(crawlers, CRAWL_STOP_MS)]);
    await supervisor.stop(['upkeep'], UPKEEP_STOP_MS);
  });
  const specOf = (name: string, file: string) => ({
    name,
    file: new URL(file, import.meta.url),
    env: { ...environment, REDIS_URL: redisUrl },
  });

  // Beside each other: what is pushed as soon as the api is ready finds an indexer.
  const api = supervisor.start({ ...specOf('api', './api.ts'), longestPauseMs: API_PAUSE_MS });
  const upkeep = supervisor.start(specOf('upkeep', './upkeep.ts'));
  const address = (await unlessStopped(Promise.race([api, upkeep.then(() => api)]))) ?? '';
  stack.use(keepTellingApi({ supervisor, redis, address, log }));
  const beginning = await runPrepare({ step: 'open', address, site });
  const roles = Promise.all([upkeep, ...crawlers.map((name) => supervisor.start(specOf(name, './crawl.ts')))]);
  await unlessStopped(Promise.race([roles, delay(ROLES_WITHIN_MS)]));
  returnMemoryWhenIdle();
  const starting = supervisor.health().filter(({ isReady }) => !isReady);
  const warnings = [
    ...(folder.problem === undefined ? [] : [folder.problem]),
    ...starting.map(
      ({ name, lastCause }) => `${name} is still starting${lastCause === undefined ? '' : `: ${lastCause}`}`,
    ),
  ];
  process.stdout.write(
    banner({
      address: config.PUBLIC_URL ?? address,
      beginning: beginning?.start,
      firstLink: beginning?.firstLink,
      dataDir,
      environment: foundAt(address),
      isTerminal: process.stdout.isTTY,
      warnings,
    }),
  );
  // A role whose configuration is wrong ends the product also when it says so late.
  await Promise.race([stopped, roles.then(() => stopped)]);

  async function startRedis(): Promise<PrivateRedis> {
    const changed = (pid: number | undefined) => list.set('redis', pid === undefined ? [] : [{ name: 'redis', pid }]);
    const started = stack.use(await startPrivateRedis({ dataDir, log, changed, stopped: ending.signal }));
    await unlessStopped(Promise.race([started.settled, delay(REDIS_WITHIN_MS)]));
    return started;
  }
}

/** @throws Error as soon as a signal to stop comes */
function unlessStopped<T>(work: Promise<T>): Promise<T> {
  const broken = stopped.then((): never => {
    throw new Error('stopped while it started');
  });
  return Promise.race([work, broken]);
}

/** The environment, with the port that was taken where any would do. */
function foundAt(address: string): NodeJS.ProcessEnv {
  return config.PORT === 0 ? { ...process.env, PORT: new URL(address).port } : process.env;
}

/** At a terminal the life cycle of roles would only bury the banner; a level that the operator chose stays. */
function logLevel(): string {
  const isChosen = process.env['LOG_LEVEL'] !== undefined || config.LOG_LEVEL !== 'info';
  return process.stdout.isTTY && !isChosen ? 'warn' : config.LOG_LEVEL;
}

/** The site of the command line; ends the process for help and for anything that is no address. */
function siteOf(words: readonly string[]): string | undefined {
  const [word, ...more] = words;
  if (word === undefined) return undefined;
  if (word === '--help' || word === '-h') {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const url = URL.parse(word);
  if (more.length === 0 && url !== null && /^https?:$/.test(url.protocol)) return url.href;
  process.stderr.write(`fossick: ${more.length === 0 ? siteFault(word) : 'give one site only'}\n\n${HELP}`);
  process.exit(2);
}

function siteFault(word: string): string {
  if (word.startsWith('-')) return `there is no option ${word}`;
  const meant = URL.parse(`https://${word}`);
  const example = meant?.hostname.includes('.') ? meant.href : 'one such as https://www.example.com/';
  return `${word} is no address: write ${example}`;
}
