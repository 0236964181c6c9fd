import type { Clock } from '../core/clock.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { DigestFacts } from './alert-message.ts';

type Range = { readonly engineId: number; readonly from: number; readonly to: number; readonly device: undefined };

export type DigestDeps = {
  readonly accounts: Pick<AccountStore, 'listEngines'>;
  readonly readStatistics: (
    range: Range,
  ) => Promise<{ readonly total: { readonly searches: number; readonly withoutResults: number } }>;
  /** The most frequent searches without results. */
  readonly readMissed: (
    range: Range & { readonly limit: number },
  ) => Promise<readonly { readonly text: string; readonly withoutResults: number }[]>;
  /** The last good run of each active crawler. */
  readonly readCrawls: () => Promise<DigestFacts['crawls']>;
  readonly clock: Clock;
};

const DAY_MS = 86_400_000;
const MOST_MISSED = 10;
const MOST_CRAWLERS = 100;

/** What a digest tells besides findings: searches of the last whole day (UTC), and the last good run of each crawler. */
export async function readDigest(deps: DigestDeps): Promise<Omit<DigestFacts, 'findings'>> {
  const to = Math.floor(deps.clock.now() / DAY_MS) * DAY_MS - 1;
  const from = to - DAY_MS + 1;
  let [searches, withoutResults] = [0, 0];
  const missed: DigestFacts['missed'][number][] = [];
  for (const { id: engineId, name: engine } of await deps.accounts.listEngines()) {
    const range = { engineId, from, to, device: undefined };
    const { total } = await deps.readStatistics(range);
    searches += total.searches;
    withoutResults += total.withoutResults;
    if (total.withoutResults === 0) continue;
    const queries = await deps.readMissed({ ...range, limit: MOST_MISSED });
    missed.push(...queries.map((query) => ({ engine, query: query.text, count: query.withoutResults })));
  }
  missed.sort((a, b) => b.count - a.count);
  return {
    day: new Date(from).toISOString().slice(0, 10),
    searches,
    withoutResults,
    missed: missed.slice(0, MOST_MISSED),
    crawls: (await deps.readCrawls()).slice(0, MOST_CRAWLERS),
  };
}
