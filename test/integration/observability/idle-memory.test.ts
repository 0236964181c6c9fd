import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';

const MB = 1024 ** 2;

test('a thread that rests gives back what it has left behind', { timeout: 90_000 }, async () => {
  const thread = new Worker(new URL('../../helpers/littering-thread.ts', import.meta.url));
  const heldMb = async () => (await thread.getHeapStatistics()).total_heap_size / MB;
  try {
    await eventually(async () => (await heldMb()) > 40, 30_000);
    await eventually(async () => (await heldMb()) < 15, 60_000);
    expect(await heldMb()).toBeLessThan(15);
  } finally {
    await thread.terminate();
  }
});
