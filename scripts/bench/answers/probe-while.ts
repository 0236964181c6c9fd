import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type ProbePlan = {
  readonly address: string;
  /** Probes at least. */
  readonly least: number;
};

/**
 * Times of a request that only passes the event loop, as long as the work goes on. From a thread: what this one does for
 * its streams is no delay of the product.
 */
export async function probeWhile(plan: ProbePlan, work: Promise<unknown>): Promise<readonly number[]> {
  const thread = new Worker(new URL('./probe-thread.ts', import.meta.url), { workerData: plan });
  const end = () => thread.postMessage('end');
  void work.then(end, end);
  const [times] = (await once(thread, 'message')) as [readonly number[]];
  return times;
}
