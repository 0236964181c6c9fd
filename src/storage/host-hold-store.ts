import type { Reason } from '../core/crawl-words.ts';

/**
 * Why nothing, or nothing of one URL template of URLs, starts on a host until a time. A host is shared by all engines and
 * customers, so its holds are, too. A hold whose time has passed stays until the host has answered well: the next
 * answer tells whether it is confirmed.
 */
export type HostHold = {
  readonly origin: string;
  /** URL pattern of the URL template; `''`: the whole host. */
  readonly urlTemplate: string;
  readonly reason: Reason;
  /** The first bad answer. */
  readonly since: number;
  readonly until: number;
  /** Until when the host asked to be left alone, where that is later; undefined: it did not say, or it is kept. */
  readonly askedUntil: number | undefined;
  /** Holds in a row. */
  readonly times: number;
  /** An answer after an earlier end of the hold was as bad. */
  readonly confirmed: boolean;
  /** URLs that have answered badly since another one of the URL template answered well, and since one of the host did. */
  readonly urlTemplateSuspects: number;
  readonly hostSuspects: number;
  /** URLs that answered badly and not well since, newest last, at most 20. */
  readonly urls: readonly string[];
  /** Whose visit caused the hold, and the version of its settings then. */
  readonly crawlerId: number;
  readonly configVersion: number;
};

export type StoredHold = HostHold & {
  /** Grows with every change of any hold. */
  readonly generation: number;
};

export type HoldKey = Pick<HostHold, 'origin' | 'urlTemplate'>;

/**
 * Part of the port `SystemStore`: holds of hosts. Promises:
 * 1. `changeHolds` takes the place of holds of the same origin and URL template, each under a new generation, and drops
 *    others, together;
 * 2. `listHolds` and `holdsOf` show every hold that any process has committed, also those whose time has passed;
 * 3. `endHolds` drops all holds of an origin and resolves with them;
 * 4. `dropHolds` drops what ended before a time, at most `limit`.
 */
export interface HostHoldStore {
  changeHolds(change: { readonly put: readonly HostHold[]; readonly drop: readonly HoldKey[] }): Promise<void>;
  /** At most 10,000, those that last longest first. */
  listHolds(): readonly StoredHold[];
  holdsOf(origin: string): readonly StoredHold[];
  endHolds(origin: string): Promise<readonly StoredHold[]>;
  dropHolds(before: number, limit: number): Promise<number>;
}
