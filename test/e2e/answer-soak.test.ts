import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { heldBy, soak, startAnswering } from '../helpers/answer-soak.ts';
import { eventually } from '../helpers/eventually.ts';
import { startFakeModelServer } from '../helpers/fake-model-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** `SOAK_MINUTES=5` for the long form, which tells its figures every half minute. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0);
const IS_LONG = MINUTES > 0;
const AT_ONCE = IS_LONG ? 100 : 20;
const STREAMS = 80;
/** Streams until everything is loaded and compiled that stays. */
const WARM_UP = 20;
const CALLS_PER_CHANGE = IS_LONG ? 800 : 40;
const TELL_EVERY_MS = 30_000;
/** Sockets of the model are kept for the next call for five seconds, and breakers open for fifteen. */
const QUIET_WITHIN_MS = 60_000;
/** A round of the product's own may have been under way, instead of waited for, when the first were counted. */
const OWN_TIMERS = 1;
/** Of a heap that is collected when it pleases. */
const HEAP_RATIO = 1.5;
const HEAP_SLACK_BYTES = 32 * 2 ** 20;

test(
  `streams of answers, ${AT_ONCE} at once, leave nothing behind when readers leave and the model fails`,
  async () => {
    await using folder = await temporaryFolder();
    await using model = await startFakeModelServer();
    const name = `changing:${CALLS_PER_CHANGE}`;
    const { product, questions } = await startAnswering(folder.path, { url: model.baseUrl, name });
    await using _product = product;
    const warm = await soak({ product, questions, atOnce: AT_ONCE, isOver: (begun) => begun >= WARM_UP });
    await eventually(() => model.sockets() === 0, QUIET_WITHIN_MS);
    const before = await heldBy(product);

    const endAt = Date.now() + MINUTES * 60_000;
    const isOver = IS_LONG ? () => Date.now() >= endAt : (begun: number) => begun >= STREAMS;
    const telling = IS_LONG ? setInterval(() => void heldBy(product).then(tell), TELL_EVERY_MS) : undefined;
    const tally = await soak({ product, questions, atOnce: AT_ONCE, isOver });
    clearInterval(telling);

    await eventually(() => model.sockets() === 0, QUIET_WITHIN_MS);
    const after = await eventually(async () => {
      const held = await heldBy(product);
      return held.sockets <= before.sockets && held.timers <= before.timers + OWN_TIMERS ? held : undefined;
    }, QUIET_WITHIN_MS);
    expect(after.heapBytes).toBeLessThan(before.heapBytes * HEAP_RATIO + HEAP_SLACK_BYTES);
    expect(Object.keys(tally.statuses).filter((status) => status !== '200')).toEqual([]);
    const asked = { begun: warm.begun + tally.begun, whole: warm.whole + tally.whole };
    const stored = storedIn(join(folder.path, 'data', 'system.db'));
    expect(stored.exchanges).toBeGreaterThanOrEqual(asked.whole);
    expect(stored.exchanges).toBeLessThanOrEqual(asked.begun);
    expect(stored.held).toBe(0);
    if (IS_LONG) tell({ ...tally, before, after, stored, calls: model.calls.length });
  },
  (MINUTES + 8) * 60_000,
);

/** Exchanges, and conversations that somebody still holds. */
function storedIn(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const count = (sql: string) => Number(db.prepare(sql).get()?.['count']);
    return {
      exchanges: count('SELECT count(*) AS count FROM exchanges'),
      held: count('SELECT count(*) AS count FROM conversations WHERE holder IS NOT NULL'),
    };
  } finally {
    db.close();
  }
}

function tell(figures: unknown): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
