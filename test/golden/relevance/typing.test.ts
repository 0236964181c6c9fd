import { expect, test } from 'vitest';
import { CORPORA } from '../../../scripts/evaluate/relevance/corpus.ts';
import { typeQueries } from '../../../scripts/evaluate/relevance/type-queries.ts';
import { typeCorpus } from '../../../scripts/evaluate/relevance/type-titles.ts';

test.each(CORPORA)('titles of %s that are typed letter by letter are shown early, and nothing shows nothing', async (name) => {
  const { summary } = await typeCorpus(name);
  expect(summary.empty).toBe(0);
  expect(summary.firstScreen).toBeGreaterThanOrEqual(0.95);
  expect(summary.wholeFirst).toBeGreaterThanOrEqual(0.98);
});

/** Shares of judged queries whose best document comes first, and among five: typed to the end, and with a begun word. */
const QUERIES = {
  postgresql: { whole: [0.88, 0.96], begun: [0.84, 0.95] },
  python: { whole: [0.94, 0.99], begun: [0.88, 0.97] },
  garden: { whole: [0.95, 0.98], begun: [0.85, 0.95] },
  municipality: { whole: [0.93, 0.95], begun: [0.82, 0.91] },
} as const;

test.each(CORPORA)('queries of %s have their page first or early when they are typed, and before', async (name) => {
  const typed = await typeQueries(name);
  for (const kind of ['whole', 'begun'] as const) {
    const [first, firstScreen] = QUERIES[name][kind];
    expect(typed[kind].first, kind).toBeGreaterThanOrEqual(first);
    expect(typed[kind].firstScreen, kind).toBeGreaterThanOrEqual(firstScreen);
  }
});
