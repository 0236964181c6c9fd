import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../src/observability/logger.ts';

/** A child sends this once a second; one that is silent for 30 s is killed and started again. */
export type ChildMessage =
  | { readonly type: 'heartbeat' }
  | { readonly type: 'ready'; readonly note?: string }
  /** The role cannot run and a restart would not help: the message is for the operator. */
  | { readonly type: 'fatal'; readonly message: string };

export type ChildSpec = {
  /** `crawl-1`; with the supervisor's pid it is the holder of its leases, which a restarted child has again at once. */
  readonly name: string;
  readonly file: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type RunningProcess = { readonly name: string; readonly pid: number };

export type Supervisor = {
  /** Resolves when the child is ready for the first time; rejects when it ends before that. */
  start(spec: ChildSpec): Promise<string | undefined>;
  /** Asks the named children to end, waits, kills what is left; they are not started again. */
  stop(names: readonly string[], withinMs: number): Promise<void>;
};

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;
/** A child that ran this long has proved itself: the next back-off starts from the beginning. */
const HEALTHY_AFTER_MS = 10_000;
const SILENT_FOR_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
/**
 * Small spaces for young objects: 659 instead of 730 MB over all idle processes with 4 MB each, and 8 MB take 3 to 8 %
 * less CPU in a process that crawls. And the old ones are collected when half as much again is held, not four times:
 * 250 instead of 370 MB in a process that crawls, for 3 % more CPU. Young objects are collected by one thread: so few of
 * them are shared out at a higher price than they take, 5 % in a process that crawls. All children have the same flags, because the cache
 * of compiled code belongs to them.
 */
export const HEAP_FLAGS = [
  '--max-semi-space-size=8',
  '--min-semi-space-size=4',
  '--heap-growing-percent=50',
  '--no-parallel-scavenge',
] as const;
/**
 * glibc keeps what threads free in an area of each thread, and gives nothing back: two areas for all of them make 226
 * of 253 MB in a process that crawls. No other C library knows the name.
 */
export const HEAP_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;

type Child = {
  readonly spec: ChildSpec;
  process: ChildProcess | undefined;
  startedAt: number;
  heardAt: number;
  backoffMs: number;
  stopping: boolean;
  wasReady: boolean;
  readonly ready: PromiseWithResolvers<string | undefined>;
};

/**
 * Starts, watches and restarts children; `changed` is told whenever the set of running processes changes. Nothing is
 * started again once `stopped` is aborted: a signal to the whole group, as a terminal sends it, reaches children first.
 */
export function createSupervisor(options: {
  readonly log: Log;
  readonly changed: (running: readonly RunningProcess[]) => void;
  readonly stopped: AbortSignal;
}): Supervisor {
  const { log, stopped } = options;
  const children = new Map<string, Child>();
  const changed = () => options.changed(runningOf(children));

  const launch = (child: Child): void => {
    const { name, file, env } = child.spec;
    const started = fork(file, {
      env: { ...HEAP_ENVIRONMENT, ...process.env, ...env, FOSSICK_INSTANCE: `${name}.${process.pid}` },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, ...HEAP_FLAGS],
    });
    Object.assign(child, { process: started, startedAt: Date.now(), heardAt: Date.now() });
    started.on('message', (message: ChildMessage) => hear(child, message));
    started.once('exit', (code, signal) => {
      child.process = undefined;
      changed();
      if (child.stopping) return;
      if (!child.wasReady) {
        child.stopping = true;
        child.ready.reject(new Error(`${name} ended while it started: its log says why`));
        return;
      }
      if (stopped.aborted) return;
      log.warn({ child: name, code, signal }, 'child process ended, starting it again');
      void relaunch(child);
    });
    changed();
  };
  const relaunch = async (child: Child): Promise<void> => {
    if (Date.now() - child.startedAt > HEALTHY_AFTER_MS) child.backoffMs = FIRST_BACKOFF_MS;
    await delay(child.backoffMs);
    child.backoffMs = Math.min(MAX_BACKOFF_MS, child.backoffMs * 2);
    if (!child.stopping && !stopped.aborted) launch(child);
  };
  const watch = setInterval(() => {
    for (const child of children.values()) killWhenSilent(child, log);
  }, LOOK_EVERY_MS);
  watch.unref();

  return {
    start: (spec) => {
      const ready = Promise.withResolvers<string | undefined>();
      const child: Child = {
        spec,
        process: undefined,
        startedAt: 0,
        heardAt: 0,
        backoffMs: FIRST_BACKOFF_MS,
        stopping: false,
        wasReady: false,
        ready,
      };
      children.set(spec.name, child);
      launch(child);
      return ready.promise;
    },
    stop: async (names, withinMs) => {
      await Promise.all(names.map((name) => end(children.get(name), withinMs)));
    },
  };
}

function runningOf(children: ReadonlyMap<string, Child>): readonly RunningProcess[] {
  return [...children.values()].flatMap(({ spec, process: started }) =>
    started?.pid === undefined ? [] : [{ name: spec.name, pid: started.pid }],
  );
}

function hear(child: Child, message: ChildMessage): void {
  child.heardAt = Date.now();
  if (message.type === 'ready') {
    child.wasReady = true;
    child.ready.resolve(message.note);
  }
  // Later the cause may pass (a port that is still taken): the child ends and is started again.
  if (message.type === 'fatal' && !child.wasReady) {
    child.stopping = true;
    child.ready.reject(new Error(message.message));
  }
}

function killWhenSilent(child: Child, log: Log): void {
  if (child.process === undefined || Date.now() - child.heardAt < SILENT_FOR_MS) return;
  log.error({ child: child.spec.name }, 'child process is silent, killing it');
  child.process.kill('SIGKILL');
}

async function end(child: Child | undefined, withinMs: number): Promise<void> {
  if (child === undefined) return;
  child.stopping = true;
  const { process: running } = child;
  if (running === undefined) return;
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGTERM');
  const timeout = AbortSignal.timeout(withinMs);
  timeout.addEventListener('abort', () => running.kill('SIGKILL'));
  await ended;
}
