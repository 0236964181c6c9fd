import type { Wake, WakeHint } from '../core/wake.ts';
import { runInBackground } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { Queues } from './queues.ts';

/** Hints become jobs. While Redis is away they are lost, and the sweep finds the work. */
export function createWake(deps: { readonly queues: Queues; readonly log: Log }): Wake {
  return (hint) => runInBackground(deps.log, 'wake', () => send(deps, hint));
}

async function send({ queues, log }: { readonly queues: Queues; readonly log: Log }, hint: WakeHint): Promise<void> {
  try {
    await addJob(queues, hint);
  } catch (err) {
    // A dropped hint is part of its contract, no failure.
    log.debug({ err, hint: hint.kind }, 'wake hint dropped');
  }
}

function addJob(queues: Queues, hint: WakeHint): Promise<void> {
  const { engineId, crawlerId } = hint;
  switch (hint.kind) {
    case 'queued-urls':
      return queues.hurrySlice(hint);
    case 'start-run':
      return queues.addUpkeep({ ...hint, kind: 'start-run' });
    case 'crawler-changed':
      return queues.addUpkeep({ kind: 'sweep-crawler', engineId, crawlerId });
  }
}
