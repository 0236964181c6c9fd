import { expect, test } from 'vitest';
import { type DryRunQuestion, findContentGaps } from '../../../src/ai/content-gaps.ts';
import type { Engine } from '../../../src/core/records.ts';
import type { GapQuestion, GapSignal } from '../../../src/storage/system/content-gaps.ts';
import { PLANTED_GAPS as PLANTED } from '../../helpers/planted-gaps.ts';

const ENGINE = { id: 6, language: 'en' } as Engine;

let at = 0;
function asked(question: string, changes: Partial<GapQuestion> = {}): GapQuestion {
  at += 1;
  const visitor = `visitor ${at}`;
  return { signal: 'refused', question, language: 'en', reason: 'below-gate', at, visitor, ...changes };
}

const never: DryRunQuestion = async () => ({ nearest: [], citedChangedAt: undefined });

type Wanted = { readonly limit?: number; readonly minVisitors?: number };

function find(questions: readonly GapQuestion[], dryRunQuestion = never, { limit = 50, minVisitors = 1 }: Wanted = {}) {
  const systemStore = { listGapQuestions: async () => questions.toSorted((a, b) => b.at - a.at) };
  const signal = new AbortController().signal;
  return findContentGaps(
    { systemStore, dryRunQuestion },
    { engine: ENGINE, from: 0, to: 1, minVisitors, limit, signal },
  );
}

test('wordings of the same question are one gap: 18 of 20 planted ones or more, and 2 false ones or less', async () => {
  const gaps = await find(PLANTED.flatMap(({ wordings }) => wordings.map((wording) => asked(wording))));

  const found = PLANTED.filter(({ wordings }) =>
    gaps.some(({ question, wordings: others, questions }) => {
      const all: readonly string[] = [question, ...others];
      return questions === wordings.length && wordings.every((wording) => all.includes(wording));
    }),
  );
  expect(found.length).toBeGreaterThanOrEqual(18);
  expect(gaps.length - found.length).toBeLessThanOrEqual(2);
});

test('what most visitors miss comes first, with its most frequent wording', async () => {
  const gaps = await find([
    ...[1, 2, 3].map(() => asked('bike stands', { visitor: 'the same one' })),
    asked('opening hours today', { reason: 'no-sentence' }),
    asked('today’s opening hours', { reason: 'below-gate' }),
    asked('opening hours today', { reason: 'below-gate', signal: 'rated-negative' }),
  ]);

  expect(gaps.map(({ question, wordings, questions, visitors }) => [question, wordings, questions, visitors])).toEqual([
    ['opening hours today', ['today’s opening hours'], 3, 3],
    ['bike stands', [], 3, 1],
  ]);
  expect(gaps[0]).toMatchObject({
    signals: { refused: 2, 'rated-negative': 1 },
    reasons: ['below-gate', 'no-sentence'],
    lastAt: expect.any(Number),
  });
});

test.each<[string, number, number, number]>([
  ['two answers that nobody followed', 2, 2, 0],
  ['three of one visitor', 3, 1, 0],
  ['three of two visitors', 3, 2, 1],
])('%s', async (_, count, visitors, gaps) => {
  const questions = Array.from({ length: count }, (_entry, place) =>
    asked('where to park', { signal: 'without-click', visitor: `v${place % visitors}` }),
  );
  expect(await find(questions)).toHaveLength(gaps);
});

test.each<[string, GapSignal, number | undefined, boolean]>([
  ['was refused and is answered by a page that changed since', 'refused', 5_001, true],
  ['found nothing and is answered by a page that changed since', 'without-results', 5_001, true],
  ['was rated negative and is answered by a page that changed since', 'rated-negative', 5_001, true],
  ['is answered by pages of before', 'refused', 5_000, false],
  ['is not answered', 'refused', undefined, false],
])('a gap that %s (%s) is closed or not', async (_, signal, citedChangedAt, isClosed) => {
  const tried: unknown[] = [];
  const nearest = [{ url: 'https://example.com/dogs', title: 'Dogs' }];
  const questions = [4_000, 5_000].map((askedAt) => asked('can I bring a dog', { signal, language: '', at: askedAt }));
  const [gap] = await find(questions, async ({ question, language }) => {
    tried.push([question, language]);
    return { citedChangedAt, nearest };
  });

  expect(gap).toMatchObject({ isClosed, nearest });
  expect(tried).toEqual([['can I bring a dog', 'en']]);
});

test('gaps of fewer visitors than wanted are left out', async () => {
  const questions = [
    asked('bike stands', { visitor: 'a' }),
    asked('drone', { visitor: 'a' }),
    asked('bike stand', { visitor: 'b' }),
  ];

  expect((await find(questions, never, { minVisitors: 2 })).map(({ question }) => question)).toEqual(['bike stand']);
});

test('no more gaps are asked again than are wanted', async () => {
  let tried = 0;
  await find(
    PLANTED.map(({ wordings }) => asked(wordings[0])),
    async () => {
      tried += 1;
      return { nearest: [], citedChangedAt: undefined };
    },
    { limit: 3 },
  );
  expect(tried).toBe(3);
});
