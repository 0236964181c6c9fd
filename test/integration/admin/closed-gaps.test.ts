import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDocument } from '../../../src/core/document.ts';
import { startAdminApi } from '../../helpers/admin-api.ts';
import { openGarden } from '../../helpers/garden-engine.ts';
import { PLANTED_GAPS } from '../../helpers/planted-gaps.ts';

/** Questions that the site answers, and whose answers visitors follow. */
const ANSWERED = ['Who has been running the garden since 2017?', 'I lost my annual pass, what now?'];
const MARCH = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;

let api: Awaited<ReturnType<typeof startAdminApi>>;
let garden: Awaited<ReturnType<typeof openGarden>>;

type Asked = { readonly question: string; readonly visitor: string; readonly couldAnswer: boolean };

async function ask({ question, visitor, couldAnswer }: Asked): Promise<void> {
  const id = `${question} of ${visitor}`;
  const { systemStore } = api.deps;
  await systemStore.addExchange({
    id,
    conversation: { customerId: 3, engineId: 6, id: `talk ${id}` },
    at: MARCH + HOUR,
    kind: 'answer',
    question,
    rewritten: undefined,
    answer: '',
    language: 'en',
    sources: [],
    couldAnswer,
    reason: couldAnswer ? undefined : 'below-gate',
    composer: 'extractive',
    isIncomplete: false,
    isDegraded: false,
    millis: 9,
    tokens: { input: 0, output: 0, isEstimated: false },
    visitor: { sessionId: visitor },
  });
  if (!couldAnswer) return;
  const clicked = { engineId: 6, conversationId: 'c', exchangeId: id, url: 'https://garden.example/' };
  await systemStore.addAnswerClick({ ...clicked, at: MARCH + HOUR, matched: true, extra: {} });
}

beforeAll(async () => {
  api = await startAdminApi();
  garden = await openGarden(api);
  for (const { wordings } of PLANTED_GAPS) {
    for (const [place, question] of wordings.entries())
      await ask({ question, visitor: `v${place}`, couldAnswer: false });
  }
  for (const question of ANSWERED) {
    for (const visitor of ['v1', 'v2', 'v3']) await ask({ question, visitor, couldAnswer: true });
  }
});
afterAll(() => api[Symbol.asyncDispose]());

const gaps = async () =>
  (await api.get('/engines/6/statistics/gaps?from=2026-03&to=2026-03&limit=100&visitors=2')).body.items as readonly {
    readonly question: string;
    readonly wordings: readonly string[];
    readonly closed: boolean;
  }[];

test('18 of 20 planted gaps or more are found, and 2 false ones or less', async () => {
  const found = await gaps();
  const isPlanted = (question: string) =>
    PLANTED_GAPS.some(({ wordings }) => wordings.some((each) => each === question));
  const planted = PLANTED_GAPS.filter(({ wordings }) =>
    found.some(({ question, wordings: others }) => wordings.every((each) => [question, ...others].includes(each))),
  );

  expect(planted.length).toBeGreaterThanOrEqual(18);
  expect(found.filter(({ question }) => !isPlanted(question))).toEqual([]);
  expect(found.length - planted.length).toBeLessThanOrEqual(2);
});

test('gaps stay open while other pages change, and all are closed once pages answer them', async () => {
  await garden.put(
    [page('news', 'Meeting of the board', 'The board met and talked about the roof.')],
    MARCH + 2 * HOUR,
  );
  expect((await gaps()).filter(({ closed }) => closed)).toEqual([]);

  const answers = PLANTED_GAPS.map(({ wordings, answer }, place) => page(`answer-${place}`, wordings[0], answer));
  await garden.put(answers, MARCH + 3 * HOUR);

  expect((await gaps()).filter(({ closed }) => !closed)).toEqual([]);
});

function page(id: string, title: string, content: string): NewDocument {
  const url = `https://garden.example/${id}.html`;
  return {
    id,
    kind: 'PageContent',
    origin: 'crawled',
    language: 'en',
    fields: new Map([
      ['Url', [url]],
      ['Title', [title]],
      ['Content', [content]],
    ]),
  };
}
