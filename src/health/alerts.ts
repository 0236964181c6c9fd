import type { Clock } from '../core/clock.ts';
import { pause, repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { type Finding, type Health, keyOf } from './health.ts';

export type AlertDeps = {
  /** Sends one message. Rejects unless it was taken (2xx); has its own deadline. */
  readonly post: (message: AlertMessage, signal: AbortSignal) => Promise<void>;
  /** Whether this is the process of the installation that sends alerts. */
  readonly isSpeaker: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  /** How to tell this installation from others: its public address. */
  readonly installation: string;
  /** Pauses between attempts; their number is that of further attempts. */
  readonly retryAfterMs?: readonly number[];
  /** How long begins and ends are gathered for one message. */
  readonly gatherMs?: number;
};

/** The body of a webhook call. `text` is what chat services show of it. */
export type AlertMessage = {
  /** The same for every attempt. */
  readonly id: string;
  readonly at: string;
  readonly installation: string;
  readonly text: string;
  readonly begun: readonly AlertedFinding[];
  readonly ended: readonly AlertedFinding[];
  /** Findings that hold now, also those told before. */
  readonly open: number;
  /** Begins and ends that are in no message: there were too many at once, or nobody took them. */
  readonly leftOut: number;
};

type AlertedFinding = Omit<OpenFinding, 'since'> & { readonly since: string };

export type Alerts = AsyncDisposable & {
  /** What a look at the health has changed. Never waits. */
  tell(changes: FindingChanges): void;
};

type Change = { readonly kind: 'begun' | 'ended'; readonly finding: OpenFinding };

/** What begins together is told together. */
const GATHER_MS = 1_000;
const PER_MESSAGE = 100;
const MOST_WAITING = 1_000;
const RETRY_AFTER_MS = [1_000, 5_000, 30_000] as const;

/**
 * Sends begins and ends of findings, at most 100 in a message and one message at a time, each tried four times. One that
 * nobody takes is dropped and logged: the next one says how many were left out. Told anew after a restart: at least once.
 */
export function createAlerts(deps: AlertDeps): Alerts {
  const stop = new AbortController();
  const waiting: Change[] = [];
  let leftOut = 0;
  let open = 0;
  let wasSpeaker = false;
  let sending: Promise<void> | undefined;

  const next = async (): Promise<void> => {
    await pause(deps.gatherMs ?? GATHER_MS, stop.signal);
    const changes = waiting.splice(0, PER_MESSAGE);
    if (stop.signal.aborted || changes.length === 0) return;
    const isTaken = await send(deps, messageOf(deps, { changes, open, leftOut }), stop.signal);
    leftOut = isTaken ? 0 : leftOut + changes.length;
  };
  const sendAll = async () => {
    while (waiting.length > 0 && !stop.signal.aborted) await next();
  };
  return {
    tell: (changes) => {
      if (!deps.isSpeaker()) {
        wasSpeaker = false;
        return;
      }
      const begun = wasSpeaker ? changes.begun : changes.open;
      wasSpeaker = true;
      open = changes.open.length;
      waiting.push(...begun.map((finding) => ({ kind: 'begun', finding }) as const));
      waiting.push(...changes.ended.map((finding) => ({ kind: 'ended', finding }) as const));
      leftOut += waiting.splice(0, Math.max(0, waiting.length - MOST_WAITING)).length;
      if (waiting.length === 0) return;
      sending ??= sendAll().finally(() => {
        sending = undefined;
      });
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await sending;
    },
  };
}

/** False when nobody took it. */
async function send(deps: AlertDeps, message: AlertMessage, signal: AbortSignal): Promise<boolean> {
  const pauses = deps.retryAfterMs ?? RETRY_AFTER_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      await deps.post(message, signal);
      return true;
    } catch (err) {
      if (signal.aborted) return false;
      const pauseMs = pauses[attempt];
      if (pauseMs === undefined) {
        deps.log.error({ err, findings: message.begun.length + message.ended.length }, 'nobody takes alerts');
        return false;
      }
      await pause(pauseMs, signal);
    }
  }
}

type SentAlert = { readonly changes: readonly Change[]; readonly open: number; readonly leftOut: number };

function messageOf({ newId, clock, installation }: AlertDeps, { changes, open, leftOut }: SentAlert): AlertMessage {
  const of = (kind: Change['kind']) => changes.filter((change) => change.kind === kind).map(({ finding }) => finding);
  const [begun, ended] = [of('begun'), of('ended')];
  const text = [
    `Fossick at ${installation}`,
    ...begun.map(({ severity, sentence, command }) => `${severity.toUpperCase()}: ${sentence}. To mend it: ${command}`),
    ...ended.map(({ sentence }) => `OVER: ${sentence}`),
  ].join('\n');
  const at = timeOf(clock.now());
  return { id: newId(), at, installation, text, begun: begun.map(shown), ended: ended.map(shown), open, leftOut };
}

function shown(finding: OpenFinding): AlertedFinding {
  return { ...finding, since: timeOf(finding.since) };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** A finding with the time since which it is known. */
export type OpenFinding = Finding & { readonly since: number };

export type FindingChanges = {
  readonly begun: readonly OpenFinding[];
  readonly ended: readonly OpenFinding[];
  /** All that hold now, those that have begun included. */
  readonly open: readonly OpenFinding[];
};

export type WatchHealthDeps = {
  readonly health: Health;
  readonly clock: Clock;
  readonly log: Log;
  /** Told after each look; must not wait for anybody. */
  readonly looked: (changes: FindingChanges) => void;
};

const LOOK_EVERY_MS = 5_000;
/** Looks in a row that no longer show a finding before it has ended: what comes and goes is told once. */
const ABSENT_LOOKS = 2;

/** Tells the log, and `looked`, of each finding when it begins and when it ends, until the signal ends it. */
export async function watchHealth(deps: WatchHealthDeps, signal: AbortSignal): Promise<void> {
  const changesOf = createFindingHistory();
  await repeat({ log: deps.log, name: 'watch health', pauseMs: LOOK_EVERY_MS, signal }, async () => {
    const changes = changesOf(await deps.health.findings(), deps.clock.now());
    tell(deps.log, changes, deps.clock.now());
    deps.looked(changes);
  });
}

type Known = { readonly finding: OpenFinding; absent: number };

/** Told what is found again and again, answers what has begun and what has ended. */
export function createFindingHistory(): (found: readonly Finding[], now: number) => FindingChanges {
  const known = new Map<string, Known>();
  return (found, now) => {
    const present = new Map(found.map((each) => [keyOf(each), each]));
    const ended: OpenFinding[] = [];
    for (const [key, entry] of known) {
      entry.absent = present.has(key) ? 0 : entry.absent + 1;
      if (entry.absent < ABSENT_LOOKS) continue;
      known.delete(key);
      ended.push(entry.finding);
    }
    const begun = [...present].filter(([key]) => !known.has(key)).map(([, each]) => ({ ...each, since: now }));
    for (const each of begun) known.set(keyOf(each), { finding: each, absent: 0 });
    return { begun, ended, open: [...known.values()].map(({ finding }) => finding) };
  };
}

function tell(log: Log, { begun, ended }: FindingChanges, now: number): void {
  for (const { severity, name, subject, sentence, command } of begun) {
    const fields = { finding: name, subject, sentence, command };
    if (severity === 'error') log.error(fields, 'finding begins');
    else log.warn(fields, 'finding begins');
  }
  for (const { name, subject, since } of ended) {
    log.info({ finding: name, subject, seconds: Math.round((now - since) / 1_000) }, 'finding ends');
  }
}
