import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type PacedSearches = {
  readonly address: string;
  readonly path: string;
  readonly authorization?: string;
  /** JSON of the searches, one after the other and again from the first; undefined = `path` is read. */
  readonly bodies?: readonly string[];
  readonly perSecond: number;
};

/** `status` 0 = the connection ended before an answer. */
export type SentSearch = { readonly status: number; readonly tookMs: number };

/** Sends requests from a thread of its own, which no work of the test holds up, while `work` goes on. */
export async function whileSearching(
  paced: PacedSearches,
  work: () => Promise<unknown>,
): Promise<readonly SentSearch[]> {
  const client = new Worker(new URL('./paced-searches-thread.ts', import.meta.url), { workerData: paced });
  await once(client, 'online');
  await work();
  client.postMessage('stop');
  const [sent] = (await once(client, 'message')) as [readonly SentSearch[]];
  await client.terminate();
  return sent;
}

/** The time that this share of the requests took at most, in milliseconds. */
export function quantileMs(sent: readonly SentSearch[], share: number): number {
  const sorted = sent.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** How often each status came, in words. */
export function statusesOf(sent: readonly SentSearch[]): string {
  const counts = Object.entries(Object.groupBy(sent, ({ status }) => status));
  return counts.map(([status, answers = []]) => `${answers.length} × ${status}`).join(', ');
}
