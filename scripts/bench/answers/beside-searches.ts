import type { RunningProduct } from '../../../test/helpers/processes.ts';
import { serverCpuMs } from '../process-costs.ts';
import { percentile } from './percentile.ts';
import { ask, search } from './requests.ts';

/** Asked of one kind before the other has its turn: what else the machine does hits both alike. */
const TURN = 10;

export type AskedBesideSearches = {
  /** Asked of both kinds before anything is measured: what is compiled and kept on the way is in place. */
  readonly warming: readonly string[];
  readonly measured: readonly string[];
};

type Cost = { readonly cpuMs: number; readonly times: readonly number[] };

/**
 * What a question costs as an answer of passages alone, and as a search of its words, in turns and one after the other:
 * processor time of all threads of the api and of its processes, and its ratio, the figure of the bar.
 */
export async function measureBesideSearches(product: RunningProduct, asked: AskedBesideSearches): Promise<void> {
  const pid = product.pids().get('api') ?? 0;
  const kinds = { answer: ask, search } as const;
  for (const send of Object.values(kinds)) for (const question of asked.warming) await send(product, question);
  const costs = { answer: [] as Cost[], search: [] as Cost[] };
  for (let from = 0; from < asked.measured.length; from += TURN) {
    const turn = asked.measured.slice(from, from + TURN);
    // What is asked second finds the documents of the first in memory: each kind is so in half of the turns.
    const order = (from / TURN) % 2 === 0 ? (['answer', 'search'] as const) : (['search', 'answer'] as const);
    for (const kind of order) {
      const before = serverCpuMs(pid);
      const times: number[] = [];
      for (const question of turn) times.push((await kinds[kind](product, question)).wholeMs);
      costs[kind].push({ cpuMs: serverCpuMs(pid) - before, times });
    }
  }
  const count = asked.measured.length;
  const sums = { answer: sumOf(costs.answer), search: sumOf(costs.search) };
  console.log(`answers beside searches of their words, ${count} of each in turns:`);
  for (const kind of ['answer', 'search'] as const) {
    const times = costs[kind].flatMap((turn) => turn.times);
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
    console.log(
      `  ${kind}                         ${(sums[kind] / count).toFixed(1)} ms CPU, p50 ${p50} ms, p95 ${p95} ms`,
    );
  }
  console.log(`  CPU of an answer to a search   ${(sums.answer / sums.search).toFixed(2)} x`);
}

function sumOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, cost) => sum + cost.cpuMs, 0);
}
