import { QUEUE_NAMES, type QueueName } from './job-types.ts';
import type { Queues } from './queues.ts';

export type QueueState = {
  readonly name: QueueName;
  readonly paused: boolean;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
};

/** What an operator sees and does with queues. Rejects while Redis is away. */
export type QueueControl = {
  list(): Promise<readonly QueueState[]>;
  pause(name: QueueName): Promise<void>;
  resume(name: QueueName): Promise<void>;
  /** Forgets failed jobs; resolves with how many. Work is not lost: it is in the store. */
  clearFailed(name: QueueName): Promise<number>;
};

const CLEAR_STEP = 1_000;

export function createQueueControl(queues: Queues): QueueControl {
  return {
    list: () => Promise.all(QUEUE_NAMES.map((name) => stateOf(queues, name))),
    pause: (name) => queues.byName[name].pause(),
    resume: (name) => queues.byName[name].resume(),
    clearFailed: async (name) => (await queues.byName[name].clean(0, CLEAR_STEP, 'failed')).length,
  };
}

async function stateOf({ byName }: Queues, name: QueueName): Promise<QueueState> {
  const queue = byName[name];
  const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
  return {
    name,
    paused: await queue.isPaused(),
    waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
    active: counts['active'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    failed: counts['failed'] ?? 0,
  };
}
