import { expect, test } from 'vitest';
import { runVocabularyThread } from '../../../../src/search-index/embedded/merge/run-merge.ts';
import { unaborted } from '../../../helpers/model-calls.ts';

test('a task that waits for one of the two threads ends with its signal', async () => {
  const settled: string[] = [];
  const stop = new AbortController();
  const input = { directory: '/nowhere', segments: [], languages: [] };
  const run = (name: string, signal: AbortSignal) =>
    runVocabularyThread(input, signal).then(
      () => settled.push(`${name} done`),
      () => settled.push(`${name} stopped`),
    );

  const all = [run('first', unaborted()), run('second', unaborted()), run('third', stop.signal)];
  stop.abort();
  await Promise.all(all);

  expect(settled[0]).toBe('third stopped');
  expect(settled.slice(1).sort()).toEqual(['first done', 'second done']);
});
