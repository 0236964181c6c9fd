import { setImmediate as anyTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { findGrounding } from '../../../src/ai/find-grounding.ts';
import { createSemaphore } from '../../../src/core/concurrency.ts';
import { DEFAULT_SOURCE_FIELDS } from '../../../src/search/cut-passages.ts';
import { openPassageEngine } from '../../helpers/passage-engine.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const PUMPS = Array.from({ length: 12 }, (_, i) => `pump${String.fromCharCode(97 + i)}`);
const PAGES = PUMPS.map((pump, i) =>
  storedDocument({
    rid: i + 1,
    fields: { Title: `Manual of ${pump}`, Content: `The filter of ${pump} is replaced every ${i + 2} weeks.` },
  }),
);

type Seen = (what: 'terms' | 'rows' | 'found', pump: string) => void;
type Asking = { readonly atOnce: number; readonly seen: Seen };

/**
 * Asks about every pump at once; `seen` hears when its words are looked up, when its rows are read, and when its
 * evidence is there. Searches that run at the same time end at the same moment.
 */
async function askAll({ atOnce, seen }: Asking) {
  const { engine, deps, rows } = await openPassageEngine(PAGES);
  const retrievalSemaphore = createSemaphore(atOnce);
  let [searching, ended] = [0, Promise.withResolvers<void>()];
  const search: typeof deps.searchIndex.search = async (...asked) => {
    const hits = await deps.searchIndex.search(...asked);
    const together = ended;
    if (++searching === atOnce) {
      together.resolve();
      [searching, ended] = [0, Promise.withResolvers<void>()];
    }
    await together.promise;
    return hits;
  };
  const ask = async (pump: string) => {
    const documentFrequencies: typeof deps.searchIndex.documentFrequencies = (...words) => {
      seen('terms', pump);
      return deps.searchIndex.documentFrequencies(...words);
    };
    const searchIndex = { ...deps.searchIndex, search, documentFrequencies };
    const readDocuments = async (_engineId: number, rids: readonly number[]) => {
      seen('rows', pump);
      return rids.map((rid) => rows.get(rid));
    };
    const asked = { ...deps, searchIndex, readDocuments, retrievalSemaphore, newNonce: () => '' };
    const evidence = await findGrounding(asked, {
      engine,
      question: `How often is the filter of ${pump} replaced?`,
      language: 'en',
      answerLanguage: undefined,
      filter: { kind: 'all' },
      boosts: [],
      sourceFields: DEFAULT_SOURCE_FIELDS,
      history: [],
      rewriter: undefined,
      signal: new AbortController().signal,
    });
    seen('found', pump);
    return evidence.ranking.passages[0]?.passage.title;
  };
  return Promise.all(PUMPS.map(ask));
}

describe('evidence of many questions asked at once', () => {
  test('is looked for for a few at a time, in the order in which they came', async () => {
    const found: string[] = [];
    let [underWay, most] = [0, 0];

    const titles = await askAll({
      atOnce: 3,
      seen: (what, pump) => {
        if (what === 'terms') underWay++;
        most = Math.max(most, underWay);
        if (what !== 'found') return;
        underWay--;
        found.push(pump);
      },
    });

    expect(titles).toEqual(PUMPS.map((pump) => `Manual of ${pump}`));
    expect(found).toEqual(PUMPS);
    expect(most).toBeLessThanOrEqual(3);
  });

  test('has its steps in turns of the event loop of their own, also where searches end together', async () => {
    let steps = 0;
    let isOver = false;
    const seen: Seen = (what) => {
      if (what !== 'found') steps++;
    };
    const all = askAll({ atOnce: PUMPS.length, seen }).then(() => {
      isOver = true;
    });
    const perTurn: number[] = [];
    while (!isOver) {
      const before = steps;
      await anyTurn();
      perTurn.push(steps - before);
    }
    await all;

    expect(steps).toBe(2 * PUMPS.length);
    expect(Math.max(...perTurn)).toBe(1);
  });
});
