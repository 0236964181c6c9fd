import { z } from 'zod';
import { STAGES } from '../core/crawl-words.ts';

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
