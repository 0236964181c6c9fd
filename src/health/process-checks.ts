import type { Clock } from '../core/clock.ts';
import { type Check, finding } from './health.ts';

/** A role is handed over within this time, also after a restart of everything: no alarm before it is over. */
const GRACE_MS = 15_000;

/** What stands still while nobody has the role. */
const WITHOUT: Readonly<Record<string, string>> = {
  indexer: 'what is pushed and crawled is not found',
  scheduler: 'no run starts, and work that got lost is not found again',
};

export type RoleDeps = {
  /** Every role that one process has at a time; `holder` undefined: no living process has it. A holder beats on. */
  readonly roles: () => Promise<
    readonly { readonly role: string; readonly holder: string | undefined; readonly beats: number }[]
  >;
  /** False while the disk is full: nobody can keep a role then, and the finding of the disk tells why. */
  readonly canStore: () => Promise<boolean>;
  /** Whether somebody starts these processes again. */
  readonly isSupervised: () => boolean;
  /** Milliseconds that only grow, and what they were when this process started. */
  readonly monotonicMs: () => number;
  readonly startedAtMs: number;
};

/** The process of a supervisor that has the roles. */
const SUPERVISED_MEND = 'kill -9 the process "upkeep" of fossick ps (it is started again)';

/** A role is missing when no living holder has beaten for longer than a handover takes, as seen from here. */
export function checkRoles({ roles, canStore, isSupervised, monotonicMs, startedAtMs }: RoleDeps): Check {
  const heard = new Map<string, { readonly beat: string; readonly atMs: number }>();
  return {
    name: 'roles',
    look: async () => {
      const nowMs = monotonicMs();
      const [all, isKept] = await Promise.all([roles(), canStore()]);
      for (const { role, holder, beats } of all) {
        const beat = `${holder}/${beats}`;
        const isHeard = holder !== undefined && heard.get(role)?.beat !== beat;
        if (isHeard || !isKept) heard.set(role, { beat, atMs: nowMs });
      }
      const missing = all.filter(({ role }) => nowMs - (heard.get(role)?.atMs ?? startedAtMs) >= GRACE_MS);
      return missing.map(({ role, holder }) => {
        const who =
          holder === undefined ? `No process has the role ${role}` : `${holder} has the role ${role} and stands still`;
        return finding('role-missing', {
          subject: role,
          sentence: `${who}: ${WITHOUT[role] ?? 'its work is not done'}`,
          command: isSupervised() ? SUPERVISED_MEND : `node workers/${role}.ts (or npm start for all roles)`,
        });
      });
    },
  };
}

export type BrowserDeps = {
  readonly hasBrowser: () => Promise<boolean>;
  /** Whether any crawler is active. */
  readonly isCrawling: () => Promise<boolean>;
};

export function checkBrowser({ hasBrowser, isCrawling }: BrowserDeps): Check {
  return {
    name: 'browser',
    look: async () => {
      if ((await hasBrowser()) || !(await isCrawling())) return [];
      return [
        finding('browser-missing', {
          subject: 'Chromium',
          sentence: 'There is no Chromium: pages made by scripts are stored without their text',
          command: 'npm run setup (or set CHROMIUM_PATH)',
        }),
      ];
    },
  };
}

export type ProxyDeps = {
  /** The private address that forwards requests of visitors and is not listed as a proxy. */
  readonly unlistedProxy: () => string | undefined;
};

export function checkProxy({ unlistedProxy }: ProxyDeps): Check {
  return {
    name: 'proxy',
    look: async () => {
      const address = unlistedProxy();
      if (address === undefined) return [];
      return [
        finding('proxy-unlisted', {
          subject: address,
          sentence: `Requests are forwarded by ${address}, which TRUST_PROXY does not list: all visitors behind it share one rate limit`,
          command: `TRUST_PROXY=${address} npm start (when that is your own proxy)`,
        }),
      ];
    },
  };
}
export type RedisDeps = {
  /** Rejects while Redis is away. */
  readonly redisRoundTripMs: () => Promise<number>;
  /** The Redis that the product starts by itself. */
  readonly isPrivate: boolean;
  /** Why it ended the last time, where the product starts it. */
  readonly lastCause: () => string | undefined;
};

/** From this on crawling is slower by far: each visit asks Redis for its turn on the host. */
const SLOW_MS = 50;

export function checkRedis({ redisRoundTripMs, isPrivate, lastCause }: RedisDeps): Check {
  const mend = isPrivate
    ? 'kill -9 the process "redis" of fossick ps (it is started again)'
    : 'redis-cli -u "$REDIS_URL" ping (and start that server)';
  return {
    name: 'redis',
    look: async () => {
      const roundTripMs = await redisRoundTripMs().catch(() => undefined);
      if (roundTripMs === undefined) {
        const cause = lastCause();
        const why = cause === undefined ? '' : ` (its last end: ${cause})`;
        const sentence = `Redis does not answer${why}: crawling waits and no rate limit holds; searches and pushes go on`;
        return [finding('redis-down', { subject: 'redis', sentence, command: mend })];
      }
      if (roundTripMs < SLOW_MS) return [];
      const sentence = `Redis takes ${Math.round(roundTripMs)} ms for an answer: crawling is slow`;
      return [finding('redis-slow', { subject: 'redis', sentence, command: mend })];
    },
  };
}

export type RedisFolderDeps = {
  /** The folder that Redis could not read and that lies beside the one in use; undefined when there is none. */
  readonly folderSetAside: () => Promise<string | undefined>;
};

export function checkRedisFolder({ folderSetAside }: RedisFolderDeps): Check {
  return {
    name: 'folder of redis',
    look: async () => {
      const folder = await folderSetAside();
      if (folder === undefined) return [];
      return [
        finding('redis-folder', {
          subject: 'redis',
          sentence: `Redis could not read its folder, which was set aside as ${folder}: the queues were made again from the stores, nothing is lost`,
          command: `rm -r ${folder} (when nobody wants to know what damaged it)`,
        }),
      ];
    },
  };
}

export type ModelDeps = {
  readonly failingModels: () => readonly { readonly kind: 'language' | 'embedding'; readonly name: string }[];
};

export function checkModels({ failingModels }: ModelDeps): Check {
  return {
    name: 'models',
    look: async () =>
      failingModels().map(({ kind, name }) =>
        kind === 'language'
          ? finding('model-down', {
              subject: name,
              sentence: `The language model ${name} fails: answers are quotes of pages, or fail where no fallback is set`,
              command: 'fossick model test (LLM_BASE_URL, LLM_MODEL, LLM_ALLOWED_HOSTS, key; does its server run?)',
            })
          : finding('embedding-down', {
              subject: name,
              sentence: `The embedding model ${name} fails: only pages in the words of a question are found for answers`,
              command: 'fossick model test (EMBEDDING_BASE_URL, EMBEDDING_MODEL, key, or EMBEDDING_MODEL_FOLDER)',
            }),
      ),
  };
}

export type ChildDeps = {
  /** Processes that the supervisor runs; none where roles run alone. */
  readonly children: () => readonly {
    readonly name: string;
    readonly restarts: number;
    readonly lastCause: string | undefined;
  }[];
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/** Within the window; from then on an operator should know why. */
const MANY_TIMES = 3;
const WINDOW_MS = 10 * 60_000;

/** By how much a count has grown within the last ten minutes, as seen from here, by its name. */
function recentGrowth(monotonicMs: () => number): (name: string, count: number) => number {
  const sightings = new Map<string, readonly { readonly count: number; readonly atMs: number }[]>();
  return (name, count) => {
    const now = monotonicMs();
    const before = (sightings.get(name) ?? []).filter(({ atMs }) => now - atMs < WINDOW_MS);
    const kept = before.at(-1)?.count === count ? before : [...before, { count, atMs: now }];
    sightings.set(name, kept);
    return count - (kept[0]?.count ?? count);
  };
}

export function checkChildren({ children, monotonicMs }: ChildDeps): Check {
  const growthOf = recentGrowth(monotonicMs);
  return {
    name: 'children',
    look: async () =>
      children().flatMap(({ name, restarts, lastCause }) => {
        const recent = growthOf(name, restarts);
        if (recent < MANY_TIMES) return [];
        const why = lastCause === undefined ? '' : `, the last time because ${lastCause}`;
        const sentence = `The process ${name} was started again ${recent} times within ten minutes${why}`;
        return [
          finding('process-restarts', { subject: name, sentence, command: 'fossick ps (and read its log lines)' }),
        ];
      }),
  };
}

export type SearchThreadDeps = {
  /** Threads that went on after the deadline of a search and were replaced, and the engine of the last one. */
  readonly replacedThreads: () => { readonly count: number; readonly engineId: number | undefined };
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

export function checkSearchThreads({ replacedThreads, monotonicMs }: SearchThreadDeps): Check {
  const growthOf = recentGrowth(monotonicMs);
  return {
    name: 'search threads',
    look: async () => {
      const { count, engineId } = replacedThreads();
      const recent = growthOf('replaced', count);
      if (recent < MANY_TIMES) return [];
      return [
        finding('search-stuck', {
          subject: `engine ${engineId}`,
          sentence: `Search threads were replaced ${recent} times within ten minutes because they went on after the deadline, the last time for engine ${engineId}: its searches fail, those of others wait`,
          command: 'fossick configuration (a lower MAX_SEARCH_COST refuses such searches; please report them)',
        }),
      ];
    },
  };
}

export type ClockDeps = {
  /** Newest first; `byMs` below 0: the clock was set back. */
  readonly clockJumps: () => Promise<readonly { readonly seenAt: number; readonly byMs: number }[]>;
  readonly clock: Clock;
};

/** Smaller ones are everyday work of time servers. */
const LARGE_JUMP_MS = 300_000;
/** An operator should have seen it by then. */
const JUMP_IS_NEWS_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function checkClock({ clockJumps, clock }: ClockDeps): Check {
  return {
    name: 'clock',
    look: async () => {
      const now = clock.now();
      const jump = (await clockJumps()).find(
        ({ seenAt, byMs }) => Math.abs(byMs) >= LARGE_JUMP_MS && seenAt <= now && now - seenAt < JUMP_IS_NEWS_MS,
      );
      if (jump === undefined) return [];
      const minutes = Math.round(Math.abs(jump.byMs) / MINUTE_MS);
      return [
        finding('clock-jumped', {
          subject: 'clock',
          sentence: `The clock was set ${jump.byMs < 0 ? 'back' : 'forward'} by ${minutes} minutes: schedules were computed anew, and times in statistics and logs are off`,
          command: 'timedatectl status (does a time server keep the clock?)',
        }),
      ];
    },
  };
}

export type AlertTargetDeps = {
  /** Active targets whose messages nobody takes. */
  readonly failing: () => Promise<readonly { readonly id: number; readonly name: string; readonly problem: string }[]>;
};

/** Who counts on being told has to know that the messages do not arrive; the other targets are told. */
export function checkAlertTargets({ failing }: AlertTargetDeps): Check {
  return {
    name: 'alert targets',
    look: async () =>
      (await failing()).map(({ id, name, problem }) =>
        finding('alert-target-failing', {
          subject: `alert target ${id}`,
          sentence: `The alert target ${name} takes no messages: ${problem}`,
          command: `fossick alert test ${id} (then fossick alert set ${id})`,
        }),
      ),
  };
}
