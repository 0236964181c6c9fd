import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { STAGES, type Stage } from '../core/crawl-words.ts';
import type { WantedSlice } from '../crawl/sweep-crawl.ts';
import type { Log } from '../observability/logger.ts';
import { KEY_PREFIX } from './connection.ts';

/** Bounded Redis (crawling 22). */
const KEEP_DONE = { count: 1_000, age: 600 } as const;
const KEEP_FAILED = { count: 5_000, age: 7 * 86_400 } as const;
const UPKEEP_ATTEMPTS = 5;
const UPKEEP_BACK_OFF_MS = 1_000;
/** Priorities of slices in all queues but `now`: customers with fewer live slices come first. */
const BASE_PRIORITY = 10;
const LAST_PRIORITY = 100;
const LISTED = 2_000;

export type Queues = AsyncDisposable & {
  /**
   * A slice of a lane; nothing happens while one with the same fence waits or works. Those of customers with fewer
   * `live` slices are worked first.
   */
  addSlice(slice: WantedSlice, live: number): Promise<void>;
  /** Slices that wait or work, but those of the queue `now`; at most 2,000 of a queue. */
  listSlices(): Promise<readonly { readonly id: string; readonly crawlerId: number }[]>;
  /** A slice for queued URLs now; during one that works, one more after it. */
  hurrySlice(crawler: { readonly engineId: number; readonly crawlerId: number }): Promise<void>;
  addUpkeep(payload: UpkeepPayload): Promise<void>;
  /** Slices of stage `render` at once over all processes; each has one page open. */
  limitRendering(slices: number): Promise<void>;
  /** Slices that wait for a process. */
  countWaiting(name: QueueName): Promise<number>;
  readonly byName: Readonly<Record<QueueName, Queue>>;
};

/** Producers of all queues. The connection stays its owner's. */
export function openQueues(deps: { readonly connection: Redis; readonly log: Log }): Queues {
  const { connection, log } = deps;
  const open = (name: QueueName): Queue => {
    const queue = new Queue(name, {
      connection,
      prefix: KEY_PREFIX,
      skipWaitingForReady: true,
      // No question when it is opened: BullMQ would answer every later call with the failure of that one.
      skipVersionCheck: true,
      defaultJobOptions: { removeOnComplete: KEEP_DONE, removeOnFail: KEEP_FAILED },
    });
    queue.on('error', (err) => log.debug({ err, queue: name }, 'queue connection lost'));
    return queue;
  };
  const byName: Record<QueueName, Queue> = {
    now: open('now'),
    crawl: open('crawl'),
    render: open('render'),
    files: open('files'),
    upkeep: open('upkeep'),
  };
  return {
    byName,
    listSlices: async () => {
      const queues = Object.values(STAGE_QUEUES).map((name) => byName[name]);
      const jobs = await Promise.all(queues.map((queue) => queue.getJobs(['prioritized', 'active'], 0, LISTED)));
      // A job that ends while it is listed is an empty place.
      return jobs.flat().flatMap((job) => {
        const slice = slicePayload.safeParse(job?.data);
        return slice.success ? [{ id: job?.id ?? '', crawlerId: slice.data.crawlerId }] : [];
      });
    },
    addSlice: async ({ fence, ...slice }, live) => {
      const { lane } = slice;
      const jobId = sliceIdOf({ ...slice, fence });
      const queue = byName[sliceQueueOf(slice)];
      const priority = Math.min(BASE_PRIORITY + live, LAST_PRIORITY);
      // Its id is free again as soon as it ends: the next look may ask for the same slice.
      const options = { jobId, removeOnComplete: true, removeOnFail: true, attempts: 1 };
      const payload: SlicePayload = slice;
      await queue.add('slice', payload, lane === 0 ? options : { ...options, priority });
    },
    hurrySlice: async ({ engineId, crawlerId }) => {
      const payload: SlicePayload = { engineId, crawlerId, stage: 'page', lane: 0 };
      const deduplication = { id: `now-${crawlerId}`, keepLastIfActive: true };
      await byName.now.add('slice', payload, { deduplication, removeOnComplete: true, removeOnFail: true });
    },
    addUpkeep: async (payload) => {
      const deduplication = { id: `${upkeepName(payload)}-${payload.crawlerId}`, keepLastIfActive: true };
      const backoff = { type: 'exponential', delay: UPKEEP_BACK_OFF_MS };
      await byName.upkeep.add(payload.kind, payload, { deduplication, attempts: UPKEEP_ATTEMPTS, backoff });
    },
    limitRendering: async (slices) => {
      await byName.render.setGlobalConcurrency(slices);
    },
    countWaiting: async (name) => {
      const { waiting = 0, prioritized = 0 } = await byName[name].getJobCounts('waiting', 'prioritized');
      return waiting + prioritized;
    },
    [Symbol.asyncDispose]: async () => {
      for (const name of QUEUE_NAMES) await byName[name].close();
    },
  };
}

const STAGE_QUEUES = { page: 'crawl', render: 'render', file: 'files' } as const satisfies Record<Stage, SliceQueue>;

function sliceQueueOf({ stage, lane }: SlicePayload): SliceQueue {
  return stage === 'page' && lane === 0 ? 'now' : STAGE_QUEUES[stage];
}

/** The job of a slice. */
export function sliceIdOf({ crawlerId, stage, lane, fence }: WantedSlice): string {
  return `slice-${crawlerId}-${stage}-${lane}-${fence}`;
}

function upkeepName(payload: UpkeepPayload): string {
  return payload.kind === 'start-run' ? `${payload.run}-run` : payload.kind;
}

/** Queues of the control plane; no job stands for a URL, and payloads are ids only. */
export const QUEUE_NAMES = ['now', 'crawl', 'render', 'files', 'upkeep'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
/** Queues of slices: queued URLs, pages over HTTP, pages in a browser, files in the parser pool. */
export type SliceQueue = Exclude<QueueName, 'upkeep'>;

const id = z.int().positive();

/** Queues of slices: time-boxed work on one lane of a crawler. */
export const slicePayload = z.strictObject({
  engineId: id,
  crawlerId: id,
  stage: z.enum(STAGES),
  lane: z.int().min(0),
});
export type SlicePayload = z.infer<typeof slicePayload>;

/** `upkeep`: what the scheduler does for one crawler. */
export const upkeepPayload = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('start-run'),
    engineId: id,
    crawlerId: id,
    run: z.enum(['full', 'incremental']),
    startedBy: z.string().max(200),
  }),
  /** Looks for due work of the crawler, its schedules included. */
  z.strictObject({ kind: z.literal('sweep-crawler'), engineId: id, crawlerId: id }),
]);
export type UpkeepPayload = z.infer<typeof upkeepPayload>;
