import { expect, test } from 'vitest';
import { repeat } from '../../../src/observability/background.ts';
import { captureLog } from '../../helpers/captured-log.ts';

test('of failures in a row each that says something new is logged, and that they are over', async () => {
  const { log, lines } = captureLog();
  const stop = new AbortController();
  const [away, full] = ['Redis is away', 'the disk is full'];
  const rounds = [undefined, away, away, full, away, undefined, undefined, full];

  await repeat({ log, name: 'test', pauseMs: 0, signal: stop.signal }, async () => {
    const failure = rounds.shift();
    if (rounds.length === 0) stop.abort();
    if (failure !== undefined) throw new Error(failure);
  });

  expect(lines).toMatchObject([
    { message: 'repeated work failed', fields: { err: new Error(away) } },
    { message: 'repeated work failed', fields: { err: new Error(full) } },
    { message: 'repeated work goes on' },
    { message: 'repeated work failed', fields: { err: new Error(full) } },
  ]);
});
