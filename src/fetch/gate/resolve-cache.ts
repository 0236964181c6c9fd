import { lookup } from 'node:dns/promises';
import type { Clock } from '../../core/clock.ts';
import type { PinnedAddress } from '../egress-gate.ts';

/** All A and AAAA records of a name. Rejects with an error whose `code` is the resolver's. */
export type Resolve = (hostname: string) => Promise<readonly PinnedAddress[]>;

/** The machine's own resolver, hosts file included. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** How long an answer may be reused (reliability: egress gate). */
const REUSE_MS = 60_000;
/** Hosts remembered at once; the oldest goes first. */
const MAX_HOSTS = 10_000;

type Answer = { readonly untilAt: number; readonly records: Promise<readonly PinnedAddress[]> };

/** Asks `resolve` at most once per host and 60 s; callers at the same time share the answer. Failures are not kept. */
export function cacheResolve(resolve: Resolve, clock: Clock): Resolve {
  const answers = new Map<string, Answer>();
  return (hostname) => {
    const known = answers.get(hostname);
    if (known !== undefined && clock.now() < known.untilAt) return known.records;
    const answer = { untilAt: clock.now() + REUSE_MS, records: resolve(hostname) };
    answers.delete(hostname);
    answers.set(hostname, answer);
    answer.records.catch(() => {
      if (answers.get(hostname) === answer) answers.delete(hostname);
    });
    const [oldest] = answers.keys();
    if (answers.size > MAX_HOSTS && oldest !== undefined) answers.delete(oldest);
    return answer.records;
  };
}
