import { expect, test } from 'vitest';
import { findContentGaps, type TryQuestion } from '../../../src/ai/content-gaps.ts';
import type { Engine } from '../../../src/core/records.ts';
import type { GapQuestion, GapSignal } from '../../../src/storage/content-gap-store.ts';

const ENGINE = { id: 6, language: 'en' } as Engine;

let at = 0;
function asked(question: string, changes: Partial<GapQuestion> = {}): GapQuestion {
  at += 1;
  const visitor = `visitor ${at}`;
  return { signal: 'refused', question, language: 'en', reason: 'below-gate', at, visitor, ...changes };
}

const never: TryQuestion = async () => ({ couldAnswer: false, nearest: [] });

function find(questions: readonly GapQuestion[], tryQuestion = never, limit = 50) {
  const systemStore = { listGapQuestions: async () => questions.toSorted((a, b) => b.at - a.at) };
  const signal = new AbortController().signal;
  return findContentGaps({ systemStore, tryQuestion }, { engine: ENGINE, from: 0, to: 1, limit, signal });
}

/** What twenty sites do not say, each in the words of several visitors. */
const PLANTED = [
  ['Can I bring my dog?', 'Am I allowed to bring a dog', 'bring dog'],
  ['Is there parking for coaches?', 'parking coaches', 'Where is coach parking?'],
  ['Do you sell gift vouchers?', 'gift vouchers', 'Where can I buy a gift voucher?'],
  ['How do I cancel my membership?', 'cancel membership', 'membership cancel how'],
  ['Are the toilets wheelchair accessible?', 'wheelchair accessible toilets', 'wheelchair toilets'],
  ['What is the refund policy?', 'refund policy', 'your refund policy?'],
  ['Can I pay by card?', 'pay card', 'paying by card possible?'],
  ['Is the café open on Mondays?', 'café open Mondays', 'open café Monday'],
  ['Do students get a discount?', 'student discount', 'discount for students?'],
  ['Who designed the glasshouse?', 'designed glasshouse', 'glasshouse designer designed'],
  ['How tall is the old oak?', 'tall old oak', 'How tall does the old oak stand?'],
  ['When do the tulips bloom?', 'tulips bloom', 'tulip bloom time?'],
  ['May we fly a drone?', 'fly drone', 'drone flying allowed?'],
  ['Can I hire a barrow?', 'hire barrow', 'barrow hire'],
  ['Is there a lost property office?', 'lost property office', 'lost property'],
  ['Do you compost food waste?', 'compost food waste', 'food waste compost?'],
  ['Are there lockers?', 'lockers', 'locker'],
  ['Does the bus stop here on Sunday?', 'bus stop Sunday', 'Sunday bus stop'],
  ['How much is a wedding?', 'wedding', 'weddings'],
  ['Can schools book a tour?', 'schools book tour', 'school tour book'],
] as const;

test('wordings of the same question are one gap: 18 of 20 planted ones or more, and 2 false ones or less', async () => {
  const gaps = await find(PLANTED.flatMap((wordings) => wordings.map((wording) => asked(wording))));

  const found = PLANTED.filter((wordings) =>
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

test.each<[GapSignal, boolean]>([
  ['refused', true],
  ['without-results', true],
  ['rated-negative', false],
])('a gap of %s questions that has an answer now is closed: %s', async (signal, isClosed) => {
  const tried: unknown[] = [];
  const nearest = [{ url: 'https://example.com/dogs', title: 'Dogs' }];
  const [gap] = await find([asked('can I bring a dog', { signal, language: '' })], async ({ question, language }) => {
    tried.push([question, language]);
    return { couldAnswer: true, nearest };
  });

  expect(gap).toMatchObject({ isClosed, nearest });
  expect(tried).toEqual([['can I bring a dog', 'en']]);
});

test('no more gaps are asked again than are wanted', async () => {
  let tried = 0;
  await find(
    PLANTED.map(([question]) => asked(question)),
    async () => {
      tried += 1;
      return { couldAnswer: false, nearest: [] };
    },
    3,
  );
  expect(tried).toBe(3);
});
