import { hostname } from 'node:os';
import type { RoleContext, RunningRole, SupervisorMessage } from '../src/compose/role.ts';
import type { Config } from '../src/config/config.ts';
import { loadEnvironmentFile } from '../src/config/environment.ts';
import { faultLines, type LoadedConfig, readConfig } from '../src/config/read-config.ts';
import { returnMemoryWhenIdle } from '../src/observability/idle-memory.ts';
import { logFolder } from '../src/observability/log-files.ts';
import { createLogger, type Log } from '../src/observability/logger.ts';
import type { Metrics } from '../src/observability/metrics.ts';
import { startHealthServer } from './health-server.ts';
import type { ChildMessage } from './supervise.ts';

const HEARTBEAT_MS = 1_000;
/** Longest life of a role without its supervisor: what it has begun has ended by then, or waits for something lost. */
const ALONE_FOR_MS = 5_000;
const METRICS_MS = 5_000;
const FULL = ['storage.full', 'ENOSPC', 'EDQUOT', 'EFBIG'];
const NO_WRITES = [...FULL, 'EACCES', 'EROFS'];
/** A name server that is away answers with the second. */
const UNRESOLVED = ['ENOTFOUND', 'EAI_AGAIN'];

export type StartRole = (context: RoleContext) => Promise<RunningRole>;

/**
 * The life of a role process: read the configuration, load and start the role, answer the supervisor, wait for a
 * signal, stop in reverse order. A second signal ends it at once. The modules of the role are loaded last, because that
 * takes most of the time of a start: the supervisor hears of the process, and the process of a signal, before.
 */
export async function runRole(role: string, load: () => Promise<StartRole>): Promise<void> {
  keepFilesPrivate();
  const instance = process.env['FOSSICK_INSTANCE'];
  const isAlone = instance === undefined;
  const name = instance ?? lonelyName(role, { host: hostname(), pid: process.pid });
  const { config } = await configOrExit();
  const log = createLogger({ level: config.LOG_LEVEL, name, folder: logFolder(config.DATA_DIR) });
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'uncaught exception');
    tell({ type: 'failed', message: err.message });
    process.exit(1);
  });
  const stopped = untilStopped();
  // Before the role has started there is nothing to finish.
  let hasStarted = false;
  void stopped.then(() => hasStarted || process.exit(0));
  const heartbeat = setInterval(() => tell({ type: 'heartbeat' }), HEARTBEAT_MS);
  // Not above: the supervisor, which shares this file, counts nothing.
  const metrics = (await import('../src/observability/metrics.ts')).createMetrics();
  const running = await startRole().catch((error: unknown) => failStart(error, listeningOf(error, config), log));
  // It answers from the moment the role works until it begins to stop, which is what ready means for these roles.
  const health = isAlone && config.HEALTH_PORT > 0 ? await startHealth(config, log, metrics) : undefined;
  const { hear } = running;
  if (hear !== undefined) process.on('message', (message: SupervisorMessage) => hear(message));
  // Who hears of the others shows its own figures beside theirs.
  const telling = isAlone || hear !== undefined ? undefined : setInterval(() => void tellMetrics(metrics), METRICS_MS);
  tell({ type: 'ready', ...(running.note !== undefined && { note: running.note }) });
  log.info({ role }, 'role started');
  returnMemoryWhenIdle();
  await stopped;
  clearInterval(heartbeat);
  clearInterval(telling);
  await health?.[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
  log.info({ role }, 'role stopped');
  process.exit(0);

  async function startRole(): Promise<RunningRole> {
    const start = await load();
    hasStarted = true;
    return await start({ config, log, name, metrics });
  }
}

/**
 * The name of a role that no supervisor has started: of all processes on a data folder nobody else has it, also where
 * each runs in a container of its own and has the same pid as the others.
 */
export function lonelyName(role: string, { host, pid }: { readonly host: string; readonly pid: number }): string {
  return `${role}.${host}.${pid}`;
}

function startHealth(config: Config, log: Log, metrics: Metrics) {
  const listening: Listening = { host: config.HOST, port: config.HEALTH_PORT, portName: 'HEALTH_PORT' };
  return startHealthServer({ ...listening, metrics }).catch((error: unknown) => failStart(error, listening, log));
}

/** What this process and its children store is for their user alone, whatever the mode of the folder that it lies in. */
export function keepFilesPrivate(): void {
  process.umask(0o077);
}

/** Reads the configuration, or ends the process with one line per fault. */
export async function configOrExit(): Promise<LoadedConfig> {
  try {
    loadEnvironmentFile(process.cwd());
    return await readConfig({ environment: process.env, folder: process.cwd() });
  } catch (error) {
    for (const line of faultLines(error)) process.stderr.write(`fossick: ${line}\n`);
    process.exit(1);
  }
}

type Listening = { readonly host: string; readonly port: number; readonly portName: PortName };
type PortName = 'PORT' | 'ADMIN_PORT' | 'METRICS_PORT' | 'HEALTH_PORT';

/** Which of the ports of the api a failure to listen is about. */
function listeningOf(error: unknown, config: Config): Listening {
  const { port } = error as { readonly port?: number };
  const named = (['ADMIN_PORT', 'METRICS_PORT'] as const).find((name) => port !== undefined && config[name] === port);
  const portName = named ?? 'PORT';
  return { host: config.HOST, port: config[portName], portName };
}

function failStart(error: unknown, listening: Listening, log: Log): never {
  const message = listenMessage(error, listening) ?? startMessage(error);
  if (message === undefined) {
    log.error({ err: error }, 'role failed to start');
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  } else if (process.send === undefined) process.stderr.write(`fossick: ${message}\n`);
  else tell({ type: mayHeal(error) ? 'failed' : 'fatal', message });
  process.exit(1);
}

/** A disk may get room or be mounted for writing, a database may come back; that nobody may listen there stays. */
function mayHeal(error: unknown): boolean {
  if (codeOf(error) === 'storage.unavailable') return true;
  return NO_WRITES.includes(codeOf(error)) && (error as NodeJS.ErrnoException).syscall !== 'listen';
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** What the operator can do when nothing can listen there. */
function listenMessage(error: unknown, { host, port, portName }: Listening): string | undefined {
  const { code, hostname } = error as NodeJS.ErrnoException & { readonly hostname?: string };
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop the other program or set ${portName} to a free port`;
  if (code === 'EADDRNOTAVAIL' || (UNRESOLVED.includes(code ?? '') && hostname === host)) {
    return `HOST is ${host}, which is no address of this machine: set it to one, such as 127.0.0.1, or 0.0.0.0 for all`;
  }
  return undefined;
}

/** What the operator can do about a start that a restart would not heal; undefined for everything else. */
export function startMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (FULL.includes(code)) {
    return `nothing can be stored in DATA_DIR: make room, or mount it for writing (${error.message})`;
  }
  if (NO_WRITES.includes(code)) return `no permission: ${error.message}`;
  // By now a fault of the request is one of the configuration.
  if (['storage.version-mismatch', 'storage.unavailable', 'request.invalid'].includes(code)) return error.message;
  return undefined;
}

/**
 * Resolves at the first signal to stop; the same one again ends the process. A terminal sends SIGINT to every process
 * of its group, and the supervisor asks its children with SIGTERM then: these two are one wish.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const received = new Set<NodeJS.Signals>();
    const stop = (signal: NodeJS.Signals) => {
      if (received.has(signal)) process.exit(1);
      received.add(signal);
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    // The supervisor is gone: nobody would start this role again, and the next supervisor starts its own.
    const stopWithout = () => {
      setTimeout(() => process.exit(1), ALONE_FOR_MS).unref();
      resolve();
    };
    if (process.send === undefined) return;
    process.once('disconnect', stopWithout);
    // It may have died while the modules of this process were loaded: that event is over.
    if (!process.connected) stopWithout();
  });
}

/** For the process that shows the figures of all. */
async function tellMetrics(metrics: Metrics): Promise<void> {
  tell({ type: 'metrics', families: await metrics.read() });
}

function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}
