import type { Severity } from '../core/alert-target.ts';
import { AppError } from '../core/errors.ts';
import { yieldInBackground } from '../core/yield.ts';
import { pause } from '../observability/background.ts';

/** One look at one part of the installation. It costs little, and what it reads has bounds. */
export type Check = {
  /** `disk`, `crawlers`: named when the look fails. */
  readonly name: string;
  readonly look: () => Promise<readonly Finding[]>;
  /** How long a look may take before that is a finding itself; 2 s when absent. */
  readonly withinMs?: number;
};

export type Health = {
  /**
   * What all checks find: at most 4 s old, without waiting for a look longer than 2 s. A check that fails, or does not
   * come to an end, is a finding beside those that it had before.
   */
  findings(): Promise<readonly Finding[]>;
};

const FRESH_FOR_MS = 4_000;
const WAIT_MS = 2_000;

type Result = { readonly findings: readonly Finding[]; readonly failure: unknown };

/** Is all well, and what mends it? Looks are shared by all who ask, and none is begun while the one before goes on. */
export function createHealth(options: {
  readonly checks: readonly Check[];
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** Longest wait for a look, 2 s when absent. */
  readonly waitMs?: number;
}): Health {
  const observed = options.checks.map((check) => observe(check, options.monotonicMs));
  return {
    findings: async () => {
      const waiting = new AbortController();
      const timeout = pause(options.waitMs ?? WAIT_MS, waiting.signal);
      try {
        return (await Promise.all(observed.map((current) => current(timeout)))).flat();
      } finally {
        waiting.abort();
      }
    },
  };
}

/** The findings of one check, looked at anew when they are old; waits for that until `timeout`. */
function observe(check: Check, monotonicMs: () => number): (timeout: Promise<void>) => Promise<readonly Finding[]> {
  let last: Result = { findings: [], failure: undefined };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let running: { readonly sinceMs: number; readonly ended: Promise<void> } | undefined;

  const begin = () => {
    const sinceMs = monotonicMs();
    const ended = Promise.try(check.look)
      .then(
        (findings) => {
          last = { findings, failure: undefined };
        },
        (failure: unknown) => {
          last = { findings: last.findings, failure };
        },
      )
      .finally(() => {
        lookedAtMs = monotonicMs();
        running = undefined;
      });
    return { sinceMs, ended };
  };
  const overdue = () => running !== undefined && monotonicMs() - running.sinceMs >= (check.withinMs ?? WAIT_MS);

  return async (timeout) => {
    if (running === undefined && monotonicMs() - lookedAtMs >= FRESH_FOR_MS) running = begin();
    if (running !== undefined && !overdue()) await Promise.race([running.ended, timeout]);
    const { findings, failure } = last;
    if (overdue()) return [...findings, notLookedAt(check, 'it does not answer')];
    // Servers that do not answer are one finding (`checkDatabase`, `checkIndexServers`), not one of each check.
    if (failure === undefined || isServerAway(failure)) return findings;
    return [...findings, notLookedAt(check, messageOf(failure))];
  };
}

function isServerAway(failure: unknown): boolean {
  return (
    failure instanceof AppError && (failure.code === 'storage.unavailable' || failure.code === 'index.unavailable')
  );
}

function notLookedAt({ name }: Check, why: string): Finding {
  return finding('check-failed', {
    subject: name,
    sentence: `The check of "${name}" failed (${why}): what it watches may be broken`,
    command: 'fossick doctor',
  });
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Every kind of finding; its name is a label of metrics and a member of alerts, so it is never renamed. */
export const FINDINGS = {
  'role-missing': { severity: 'error', about: 'Nobody does the work of a role' },
  'process-restarts': { severity: 'error', about: 'A process ends and is started again and again' },
  'configuration-wrong': { severity: 'error', about: 'A variable or the provision file has a fault (doctor)' },
  'node-old': { severity: 'error', about: 'Node is older than the program needs (doctor)' },
  'data-folder': { severity: 'error', about: 'The data folder cannot be written (doctor)' },
  'port-taken': { severity: 'error', about: 'Another program listens on a port of the product (doctor)' },
  'redis-missing': { severity: 'error', about: 'There is no Redis to start (doctor)' },
  'database-down': { severity: 'error', about: 'PostgreSQL (DATABASE_URL) takes no reads, or no writes' },
  'index-down': { severity: 'error', about: 'OpenSearch (OPENSEARCH_URL) does not answer searches' },
  'secrets-key': { severity: 'error', about: 'The key of secrets is not that of the other machines (doctor)' },
  'redis-unshared': { severity: 'error', about: 'Machines of one database do not share one Redis (doctor)' },
  'check-failed': { severity: 'error', about: 'A part of the installation could not be looked at' },
  'disk-low': { severity: 'warning', about: 'Less than 5 % of the disk is free' },
  'disk-full': { severity: 'error', about: 'The disk has no room: writes are refused' },
  'backup-late': {
    severity: 'warning',
    about: 'There is no backup of the last period of the schedule, or of the last day',
  },
  'clock-jumped': { severity: 'warning', about: 'The clock of the machine was set by more than five minutes' },
  'backup-failed': { severity: 'warning', about: 'The last backup could not be written' },
  'index-repair': { severity: 'error', about: 'The index of an engine is being made from its store' },
  'store-unusable': { severity: 'error', about: 'The store of an engine is damaged, or of a newer program' },
  'documents-damaged': { severity: 'warning', about: 'Rows of documents are not what was written' },
  'proxy-unlisted': { severity: 'warning', about: 'A proxy in front of the product is not listed in TRUST_PROXY' },
  'redis-down': { severity: 'error', about: 'Redis does not answer: crawling waits' },
  'redis-slow': { severity: 'warning', about: 'Redis answers late: crawling is slow' },
  'redis-folder': {
    severity: 'warning',
    about: 'Redis could not read its folder: it was set aside, an empty one is used',
  },
  'search-stuck': { severity: 'warning', about: 'Searches went on after their deadline again and again' },
  'index-behind': { severity: 'error', about: 'What was accepted is not found by searches for over 30 s' },
  'host-unknown': { severity: 'warning', about: 'The name of a host that is crawled does not exist' },
  'name-private': {
    severity: 'warning',
    about: 'A name that is crawled leads into a private network: it stays closed',
  },
  'host-down': { severity: 'warning', about: 'A host that is crawled does not answer as a web server should' },
  'host-held': { severity: 'warning', about: 'A host asked to be left alone for a while' },
  'host-stalled': { severity: 'warning', about: 'Pages of a host are due and nothing starts on it' },
  'host-strange': { severity: 'warning', about: 'Pages of a host do not look like themselves: they stay as they are' },
  'seed-out-of-scope': { severity: 'warning', about: 'A seed is left out by rules of its own crawler' },
  'crawler-settings': { severity: 'error', about: 'Settings of a crawler cannot be read' },
  'login-failed': { severity: 'error', about: 'A crawler does not get in: its runs are paused' },
  'removals-held': { severity: 'warning', about: 'Documents wait for an operator before they leave' },
  'site-closed': {
    severity: 'warning',
    about: 'Nearly all pages of a site answer as if they were gone: its documents stay',
  },
  'page-limit': { severity: 'warning', about: 'A run left pages out because of `limits.pages`' },
  'run-failed': { severity: 'error', about: 'The newest run of a crawler failed' },
  'titles-shared': { severity: 'warning', about: 'Many pages of an engine have the same title' },
  'tools-broken': {
    severity: 'warning',
    about: 'Pins, quicklinks or banners of an engine lead to pages that are gone',
  },
  'model-down': { severity: 'warning', about: 'The language model fails: answers are quotes of pages' },
  'embedding-down': { severity: 'warning', about: 'The embedding model fails: words alone find what answers' },
  'alert-target-failing': { severity: 'error', about: 'Nobody takes the messages for an alert target' },
  'browser-missing': { severity: 'warning', about: 'A crawler works and there is no Chromium' },
} as const satisfies Record<string, { readonly severity: Severity; readonly about: string }>;

export type FindingName = keyof typeof FINDINGS;
export const FINDING_NAMES = Object.keys(FINDINGS) as readonly FindingName[];

/** Something that an operator should know and can mend. Name and subject together tell one finding from all others. */
export type Finding = {
  readonly name: FindingName;
  readonly severity: Severity;
  /** What it is about: `indexer`, `engine 6`, `crawler 17 https://a.example`. */
  readonly subject: string;
  /** One sentence: what is wrong and what follows from it. */
  readonly sentence: string;
  /** The command that mends it, or the one that shows more. */
  readonly command: string;
};

export function finding(name: FindingName, told: Omit<Finding, 'name' | 'severity'>): Finding {
  return { name, severity: FINDINGS[name].severity, ...told };
}

/** Tells a finding from all others. */
export function keyOf({ name, subject }: Pick<Finding, 'name' | 'subject'>): string {
  return `${name} ${subject}`;
}

/** How far searches of an engine are behind its store. */
export type IndexLag = {
  readonly engineId: number;
  readonly seq: number;
  readonly visibleSeq: number;
  /** How long the oldest change that is not visible has been there; 0 when all are visible. */
  readonly seconds: number;
};

export type IndexLagDeps = {
  readonly engines: () => Promise<readonly { readonly id: number; readonly name: string }[]>;
  readonly lastSeq: (engineId: number) => Promise<number>;
  /** Opens the index of an engine at its first call and answers 0 then. */
  readonly visibleSeq: (engineId: number) => number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

export type IndexLags = {
  /** Looks at every engine; one turn of the event loop each. */
  look(): Promise<readonly IndexLag[]>;
  /** As of the last look. */
  readonly last: () => readonly IndexLag[];
};

/** A change is looked for from the first look that saw it. */
type SeqObservation = { readonly seq: number; readonly atMs: number };
type Tracked = { sightings: SeqObservation[]; visibleSeq: number };

/** Engines whose index is asked for the first time in one look: each is opened for it. */
const OPENED_PER_LOOK = 20;
const MOST_SIGHTINGS = 100;

/** Follows what is stored and what is visible; an engine without a change since it was last level costs one read. */
export function createIndexLags(deps: IndexLagDeps): IndexLags {
  const tracked = new Map<number, Tracked>();
  let last: readonly IndexLag[] = [];

  const lagOf = async (engineId: number, mayOpen: () => boolean): Promise<IndexLag> => {
    const seq = await deps.lastSeq(engineId);
    const known = tracked.get(engineId);
    const state = known ?? { sightings: [], visibleSeq: 0 };
    tracked.set(engineId, state);
    const atMs = deps.monotonicMs();
    const newest = state.sightings.at(-1)?.seq ?? state.visibleSeq;
    if (seq > newest && state.sightings.length < MOST_SIGHTINGS) state.sightings.push({ seq, atMs });
    if (seq !== state.visibleSeq && (state.visibleSeq > 0 || mayOpen())) state.visibleSeq = deps.visibleSeq(engineId);
    state.sightings = state.sightings.filter((observation) => observation.seq > state.visibleSeq);
    const [oldest] = state.sightings;
    const seconds = oldest === undefined ? 0 : (atMs - oldest.atMs) / 1_000;
    return { engineId, seq, visibleSeq: state.visibleSeq, seconds };
  };
  return {
    last: () => last,
    look: async () => {
      const lags: IndexLag[] = [];
      let opened = 0;
      const mayOpen = () => opened++ < OPENED_PER_LOOK;
      const engines = await deps.engines();
      for (const { id } of engines) {
        await yieldInBackground();
        lags.push(await lagOf(id, mayOpen));
      }
      const present = new Set(engines.map(({ id }) => id));
      for (const id of tracked.keys()) if (!present.has(id)) tracked.delete(id);
      last = lags;
      return lags;
    },
  };
}

const BEHIND_SECONDS = 30;
const WITHIN_MS = 60_000;

/** What was acknowledged is to be found: the most important promise has a finding of its own. */
export function checkIndexLag(lags: IndexLags): Check {
  return {
    name: 'index lag',
    withinMs: WITHIN_MS,
    look: async () => (await lags.look()).filter(({ seconds }) => seconds >= BEHIND_SECONDS).map(behind),
  };
}

function behind({ engineId, seq, visibleSeq, seconds }: IndexLag): Finding {
  return finding('index-behind', {
    subject: `engine ${engineId}`,
    sentence: `Searches of engine ${engineId} are ${Math.round(seconds)} s behind: what was stored after change ${visibleSeq} of ${seq} is not found`,
    command: `fossick ps (does upkeep run?), then fossick engine rebuild ${engineId}`,
  });
}
