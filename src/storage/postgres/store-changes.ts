import type { QueryResult } from 'pg';
import type { Log } from '../../observability/logger.ts';
import type { Connections } from './connections.ts';

/** How long a commit of another process may stay unseen, beside the time of one small query. */
const LOOK_EVERY_MS = 200;
/** After the last look at the earliest one goes along with another question. */
const RIDE_AFTER_MS = 100;
/** To connect and to answer a query of some rows that are in memory. */
const ANSWER_WITHIN_MS = 2_000;
/** One alone may be late by a thread that computes, or have met the end of one connection. */
const UNANSWERED_LOOKS = 2;

/** Tells when stores have changed: by own commits at once, by those of others a moment later. */
export type StoreChanges = Disposable & {
  /** Of a store from now on. `onOthers` runs before a change by others shows in the token. */
  watch(name: string, onOthers?: () => Promise<void>): WatchedStore;
  /** Of a store that was removed. */
  forget(name: string): void;
  /** Looks for changes of others now. */
  look(): Promise<void>;
  /** A look that goes along with what somebody asks the server for anyway; undefined: it is too early for one. */
  ride(): Ride | undefined;
};

export type Ride = {
  /** A statement. */
  readonly text: string;
  /** Its answer counts as that of a look. */
  answered(rows: readonly Row[]): void;
};
type Row = QueryResult['rows'][number];

type WatchedStore = {
  /** Grows with every commit that is known here; costs nothing. */
  token(): number;
  committed(changes: number): void;
};

type Watched = { token: number; changes: number; readonly onOthers: () => Promise<void> };

export type WatchOptions = {
  /** One that nothing else waits for: a look that gets no answer means that the server gives none. */
  readonly own: Connections;
  /** Those that are cut while the server says nothing. */
  readonly others: readonly Connections[];
  readonly log: Log;
};

/**
 * A query five times a second, of one row per store that is open here, and no channel of notices: those need a connection
 * of their own that no pooler may share, and their commits wait for each other over all databases of a server. While reads
 * are under way it goes along with one of them.
 *
 * It is the sign of life of the server, too: when two looks in a row get no answer, behind a dead switch or from a
 * machine that stands still, all other connections are cut, so that calls fail now and at once until a look is answered.
 */
export function watchStoreChanges({ own, others, log }: WatchOptions): StoreChanges {
  const { text: textOf, found, watch, forget } = watchedStores();
  const ask = askingWhetherItLives({ own, others, log });
  const failed = (err: unknown) => log.debug({ err }, 'changes of stores cannot be read');
  /** When the last look that was answered began, and the last that went along with something. */
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let rodeAtMs = Number.NEGATIVE_INFINITY;
  let isEnded = false;
  const seen = async (rows: readonly Row[], startedAtMs: number) => {
    await found(rows);
    lookedAtMs = Math.max(lookedAtMs, startedAtMs);
  };
  const look = async () => {
    const text = textOf();
    if (text === undefined) return;
    const startedAtMs = performance.now();
    const [answer] = await ask(text);
    await seen(answer?.rows ?? [], startedAtMs);
  };
  const lookWhenDue = async () => {
    if (performance.now() - lookedAtMs >= LOOK_EVERY_MS) await look().catch(failed);
    const restMs = LOOK_EVERY_MS - (performance.now() - lookedAtMs);
    if (!isEnded) timer = setTimeout(lookWhenDue, restMs > 0 ? restMs : LOOK_EVERY_MS).unref();
  };
  let timer = setTimeout(lookWhenDue, LOOK_EVERY_MS).unref();
  return {
    watch,
    forget,
    look,
    ride: () => {
      const startedAtMs = performance.now();
      const text = startedAtMs - Math.max(lookedAtMs, rodeAtMs) < RIDE_AFTER_MS ? undefined : textOf();
      if (text === undefined) return undefined;
      rodeAtMs = startedAtMs;
      return { text, answered: (rows) => void seen(rows, startedAtMs).catch(failed) };
    },
    [Symbol.dispose]: () => {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}

/** What is known of the stores that are open here. */
function watchedStores() {
  const stores = new Map<string, Watched>();
  return {
    text: () => {
      const names = [...stores.keys()].map((name) => `'${name}'`);
      return names.length === 0
        ? undefined
        : `SELECT name, changes FROM fossick.stores WHERE name IN (${names.join()})`;
    },
    found: async (rows: readonly Row[]) => {
      for (const { name, changes } of rows) {
        const store = stores.get(String(name));
        if (store === undefined || Number(changes) <= store.changes) continue;
        await store.onOthers();
        store.changes = Number(changes);
        store.token++;
      }
    },
    watch: (name: string, onOthers: () => Promise<void> = async () => undefined): WatchedStore => {
      const store: Watched = { token: 0, changes: 0, onOthers };
      stores.set(name, store);
      return {
        token: () => store.token,
        // One that follows on the last that is known leaves nothing to look for.
        committed: (changes) => {
          if (changes === store.changes + 1) store.changes = changes;
          store.token++;
        },
      };
    },
    forget: (name: string) => void stores.delete(name),
  };
}

/** Asks on the own connection; the others are cut while nothing comes from the server. */
function askingWhetherItLives({ own, others, log }: WatchOptions) {
  let unanswered = 0;
  const answered = () => {
    if (unanswered >= UNANSWERED_LOOKS) {
      log.warn('PostgreSQL answers again');
      for (const connections of others) connections.heal();
    }
    unanswered = 0;
  };
  const notAnswered = () => {
    unanswered++;
    // The next look has a connection of its own.
    own.cut();
    own.heal();
    if (unanswered !== UNANSWERED_LOOKS) return;
    log.error('PostgreSQL says nothing: reads and writes fail until it answers');
    for (const connections of others) connections.cut();
  };
  return async (text: string) => {
    const late = setTimeout(notAnswered, ANSWER_WITHIN_MS);
    try {
      const results = await own.use((session) => session.script(text));
      answered();
      return results;
    } finally {
      clearTimeout(late);
    }
  };
}
