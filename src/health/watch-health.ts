import type { Clock } from '../core/clock.ts';
import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { type Finding, type Health, keyOf } from './health.ts';

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
  /** Told after each look what holds; must not wait for anybody. */
  readonly looked: (open: readonly OpenFinding[]) => void;
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
    deps.looked(changes.open);
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
