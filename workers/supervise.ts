import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { SupervisedChild, SupervisorMessage } from '../src/compose/role.ts';
import type { MetricFamily } from '../src/observability/exposition.ts';
import type { Log } from '../src/observability/logger.ts';
import { type SilenceWatch, watchSilence } from './silence.ts';

export type ChildMessage =
  /** Sent once a second from before the modules of the role are loaded. */
  | { readonly type: 'heartbeat' }
  /** What the child counts, every few seconds. */
  | { readonly type: 'metrics'; readonly families: readonly MetricFamily[] }
  | { readonly type: 'ready'; readonly note?: string }
  /** The configuration is wrong, and a restart would not help: the message is for the operator. */
  | { readonly type: 'fatal'; readonly message: string }
  /** Why the child is about to end. */
  | { readonly type: 'failed'; readonly message: string };

export type ChildSpec = {
  /** `crawl-1`; with the supervisor's pid it is the holder of its leases, which a restarted child has again at once. */
  readonly name: string;
  readonly file: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longest pause before it is started again when it had come up; 5 s unless given. */
  readonly longestPauseMs?: number;
};

export type RunningProcess = { readonly name: string; readonly pid: number };

export type Supervisor = {
  /**
   * Resolves when the child is ready for the first time, after as many attempts as that takes; rejects only when its
   * configuration is wrong.
   */
  start(spec: ChildSpec): Promise<string | undefined>;
  /** Asks the named children to end, waits, kills what is left; they are not started again. */
  stop(names: readonly string[], withinMs: number): Promise<void>;
  /** How often children have ended unasked, and why they did so the last time. */
  health(): readonly SupervisedChild[];
  /** Sends a message to a child; one that does not run hears nothing. */
  tell(name: string, message: SupervisorMessage): void;
};

const FIRST_BACKOFF_MS = 200;
/** A child that comes up and dies, and one that does not even come up, take little from the others. */
const MAX_BACKOFF_MS = { wasReady: 5_000, cameNotUp: 30_000 } as const;
/** A child that ran this long has proved itself: the next back-off starts from the beginning. */
const HEALTHY_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/**
 * Small spaces for young objects: 659 instead of 730 MB over all idle processes with 4 MB each, and 8 MB take 3 to 8 %
 * less CPU in a process that crawls. And the old ones are collected when half as much again is held, not four times:
 * 250 instead of 370 MB in a process that crawls, for 3 % more CPU. Young objects are collected by one thread: so few of
 * them are shared out at a higher price than they take, 5 % in a process that crawls. No object is allocated among the
 * old ones: what is made for a request dies with it (decision 168). All children have the same flags, because the cache
 * of compiled code belongs to them.
 */
export const HEAP_FLAGS = [
  '--max-semi-space-size=8',
  '--min-semi-space-size=4',
  '--heap-growing-percent=50',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
] as const;
/**
 * glibc keeps what threads free in an area of each thread, and gives nothing back: two areas for all of them make 226
 * of 253 MB in a process that crawls. No other C library knows the name.
 */
export const HEAP_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;

type Child = {
  readonly spec: ChildSpec;
  process: ChildProcess | undefined;
  silence: SilenceWatch | undefined;
  startedAt: number;
  backoffMs: number;
  stopping: boolean;
  isReady: boolean;
  wasEverReady: boolean;
  restarts: number;
  /** Why this process ends, as it or the supervisor has said. */
  cause: string | undefined;
  lastCause: string | undefined;
  readonly ready: PromiseWithResolvers<string | undefined>;
};

/**
 * Starts, watches and restarts children, each for itself: none that ends, hangs or does not come up touches another.
 * `changed` is told whenever the set of running processes or their health changes. Nothing is started again once
 * `stopped` is aborted: a signal to the whole group, as a terminal sends it, reaches children first.
 */
export function createSupervisor(options: {
  readonly log: Log;
  readonly changed: (running: readonly RunningProcess[], health: readonly SupervisedChild[]) => void;
  readonly stopped: AbortSignal;
  /** Told what children count. */
  readonly counted?: (name: string, families: readonly MetricFamily[]) => void;
}): Supervisor {
  const { log, stopped } = options;
  const children = new Map<string, Child>();
  const health = () => [...children.values()].map(healthOf);
  const changed = () => options.changed(runningOf(children), health());

  const launch = (child: Child): void => {
    const { name, file, env } = child.spec;
    const started = fork(file, {
      env: { ...HEAP_ENVIRONMENT, ...process.env, ...env, FOSSICK_INSTANCE: `${name}.${process.pid}` },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, ...HEAP_FLAGS],
    });
    const silence = started.pid === undefined ? undefined : watchSilence(started.pid);
    Object.assign(child, { process: started, silence, startedAt: performance.now(), isReady: false, cause: undefined });
    started.on('message', (message: ChildMessage) => {
      const wasReady = child.isReady;
      hear(child, message);
      if (message.type === 'metrics') options.counted?.(name, message.families);
      if (child.isReady !== wasReady) changed();
    });
    let hasEnded = false;
    const end = (code: number | null, signal: string | null) => {
      if (hasEnded) return;
      hasEnded = true;
      Object.assign(child, { process: undefined, silence: undefined });
      if (!child.stopping && !stopped.aborted) void relaunch(child, { code, signal });
      changed();
    };
    // The machine has no memory or no process to spare: it may have one later.
    started.once('error', (error) => {
      child.cause ??= error.message;
      if (started.pid === undefined) end(null, null);
    });
    started.once('exit', end);
    changed();
  };
  const relaunch = async (child: Child, ended: Ended): Promise<void> => {
    const againInMs = noteEnd(child, ended);
    const { name } = child.spec;
    log.warn({ child: name, ...ended, cause: child.lastCause, againInMs }, 'child process ended, starting it again');
    await delay(againInMs);
    if (!child.stopping && !stopped.aborted) launch(child);
  };
  const watch = setInterval(() => {
    for (const child of children.values()) killWhenHung(child, log);
  }, LOOK_EVERY_MS);
  watch.unref();

  return {
    start: (spec) => {
      const child = newChild(spec);
      children.set(spec.name, child);
      launch(child);
      return child.ready.promise;
    },
    stop: async (names, withinMs) => {
      await Promise.all(names.map((name) => end(children.get(name), withinMs)));
    },
    health,
    tell: (name, message) => {
      const child = children.get(name)?.process;
      // A full channel or a child that ends: the next message comes in a few seconds.
      if (child?.connected === true) child.send(message, () => undefined);
    },
  };
}

type Ended = { readonly code: number | null; readonly signal: string | null };

function newChild(spec: ChildSpec): Child {
  return {
    spec,
    process: undefined,
    silence: undefined,
    startedAt: 0,
    backoffMs: FIRST_BACKOFF_MS,
    stopping: false,
    isReady: false,
    wasEverReady: false,
    restarts: 0,
    cause: undefined,
    lastCause: undefined,
    ready: Promise.withResolvers(),
  };
}

/** Milliseconds until the next start. */
function noteEnd(child: Child, { code, signal }: Ended): number {
  if (child.isReady && performance.now() - child.startedAt > HEALTHY_AFTER_MS) child.backoffMs = FIRST_BACKOFF_MS;
  const { longestPauseMs = MAX_BACKOFF_MS.wasReady } = child.spec;
  const longest = child.isReady ? longestPauseMs : MAX_BACKOFF_MS.cameNotUp;
  // Starts that failed before it came up at last are no reason to wait now.
  const againInMs = Math.min(longest, child.backoffMs);
  child.backoffMs = Math.min(longest, againInMs * 2);
  child.restarts++;
  child.lastCause = child.cause ?? (signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`);
  child.isReady = false;
  return againInMs;
}

function healthOf({ spec, isReady, restarts, lastCause }: Child): SupervisedChild {
  return { name: spec.name, isReady, restarts, lastCause };
}

function runningOf(children: ReadonlyMap<string, Child>): readonly RunningProcess[] {
  return [...children.values()].flatMap(({ spec, process: started }) =>
    started?.pid === undefined ? [] : [{ name: spec.name, pid: started.pid }],
  );
}

function hear(child: Child, message: ChildMessage): void {
  child.silence?.heard();
  if (message.type === 'ready') {
    child.isReady = true;
    child.wasEverReady = true;
    child.ready.resolve(message.note);
  }
  if (message.type === 'failed' || message.type === 'fatal') child.cause = message.message;
  // Later the cause may pass (a port that is still taken): the child ends and is started again.
  if (message.type === 'fatal' && !child.wasEverReady) {
    child.stopping = true;
    child.ready.reject(new Error(message.message));
  }
}

function killWhenHung(child: Child, log: Log): void {
  const cause = child.process === undefined ? undefined : child.silence?.look();
  if (cause === undefined) return;
  log.error({ child: child.spec.name, cause }, 'child process hangs, killing it');
  child.cause = cause;
  child.process?.kill('SIGKILL');
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
