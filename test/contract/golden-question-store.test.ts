import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import type { GoldenResult } from '../../src/storage/system/golden-questions.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';

let system: OpenSystem;
let store: SystemStore;
let nextEngine = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

const add = (engineId: number, question = 'When do you open?') =>
  store.addGoldenQuestion('operator', {
    engineId,
    question,
    mustCite: ['https://a.test/hours'],
    mustContain: ['9 am | 9:00'],
    createdAt: 1_000,
  });

const result = (questionId: number, changes: Partial<GoldenResult> = {}): GoldenResult => ({
  questionId,
  composer: 'extractive',
  at: 2_000,
  seq: 7,
  isRight: true,
  isRegressed: false,
  since: 2_000,
  refusal: undefined,
  missingPages: [],
  missingTexts: [],
  cited: [],
  basis: 'b',
  changed: [],
  ...changes,
});
const record = (engineId: number, ...results: readonly GoldenResult[]) => store.addGoldenResults({ engineId, results });

test('a question comes back as it was stored, under an id that is never given again', async () => {
  const engineId = nextEngine++;
  const first = await add(engineId);
  const second = await add(engineId, 'Where?');
  await store.removeGoldenQuestion({ actor: 'operator', engineId, id: second.id, at: 2_000 });
  const third = await add(engineId, 'Who?');

  expect(third.id).toBeGreaterThan(second.id);
  expect(await store.listGoldenQuestions(engineId)).toEqual([first, third]);
  expect(first).toMatchObject({ question: 'When do you open?', mustContain: ['9 am | 9:00'], createdAt: 1_000 });
});

test('adding and removing are in the audit log', async () => {
  const engineId = nextEngine++;
  const { id } = await add(engineId, 'Is it audited?');
  await store.removeGoldenQuestion({ actor: 'operator', engineId, id, at: 2_000 });

  const target = `engine:${engineId}/golden-question:${id}`;
  expect((await store.listAudit({ limit: 2 })).entries).toMatchObject([
    { action: 'remove-golden-question', target, before: { question: 'Is it audited?' }, at: 2_000 },
    { action: 'add-golden-question', target, after: { question: 'Is it audited?' }, at: 1_000 },
  ]);
});

test('a removed question takes its results with it, that of another engine stays', async () => {
  const engineId = nextEngine++;
  const { id } = await add(engineId);
  await record(engineId, result(id));

  expect(await store.removeGoldenQuestion({ actor: 'operator', engineId: 999, id, at: 1 })).toBe(false);
  expect(await store.goldenHistories(engineId)).toHaveLength(1);
  expect(await store.removeGoldenQuestion({ actor: 'operator', engineId, id, at: 1 })).toBe(true);
  expect(await store.goldenHistories(engineId)).toEqual([]);
  expect(await store.removeGoldenQuestion({ actor: 'operator', engineId, id, at: 1 })).toBe(false);
});

test('engines with questions are named with their last round, unless a question was added since', async () => {
  const engineId = nextEngine++;
  const stateOf = async () => (await store.goldenEngines()).find((each) => each.engineId === engineId);
  expect(await stateOf()).toBeUndefined();
  const { id: lastQuestionId } = await add(engineId);
  const round = { engineId, lastQuestionId, at: 3_000, seq: 7 };
  expect(await stateOf()).toEqual({ engineId, seq: undefined });
  await store.endGoldenRound(round);
  expect(await stateOf()).toEqual({ engineId, seq: 7 });
  await add(engineId, 'One more?');
  expect(await stateOf()).toEqual({ engineId, seq: undefined });
  await store.endGoldenRound(round);
  expect(await stateOf()).toEqual({ engineId, seq: undefined });
});

test('results are stored, but not those of questions that are gone', async () => {
  const engineId = nextEngine++;
  const { id } = await add(engineId);
  const changed = [{ crawlerId: 17, documentId: 'd', url: 'https://a.test/d', seq: undefined, at: undefined }];
  const wrong = result(id, { isRight: false, refusal: 'below-gate', missingTexts: ['9 am'], changed });
  await record(engineId, wrong, result(id + 1_000));

  expect(await store.goldenHistories(engineId)).toEqual([{ latest: wrong, lastRight: undefined }]);
});

test('the newest 20 results of a question and composer are kept, and the latest right one', async () => {
  const engineId = nextEngine++;
  const { id } = await add(engineId);
  const right = result(id, { at: 1 });
  const byModel = result(id, { composer: 'model' });
  const wrong = Array.from({ length: 30 }, (_, place) => result(id, { isRight: false, at: 100 + place }));
  await record(engineId, right, byModel, ...wrong);

  const kept = (await store.listGoldenResults(id, 'extractive')).map(({ at }) => at);
  expect(kept).toEqual([
    ...wrong
      .slice(-20)
      .map(({ at }) => at)
      .reverse(),
    1,
  ]);
  expect(await store.goldenHistories(engineId)).toEqual([
    { latest: wrong.at(-1), lastRight: right },
    { latest: byModel, lastRight: byModel },
  ]);
});

test('an engine that is removed leaves nothing behind', async () => {
  const [customerId = 0] = await store.changeRecords('test', [{ kind: 'put-customer', name: 'Three' }], 1);
  const engine = { kind: 'put-engine', customerId, name: 'Main', language: 'en' } as const;

  const made = { ...engine, settings: ENGINE_DEFAULTS, publicSettings: PUBLIC_DEFAULTS };
  const [engineId = 0] = await store.changeRecords('test', [{ ...made, id: 500 }], 1);
  const { id } = await add(engineId);
  await record(engineId, result(id));
  await store.changeRecords('test', [{ kind: 'remove-engine', id: engineId }], 1);

  expect(await store.listGoldenQuestions(engineId)).toEqual([]);
  expect(await store.goldenHistories(engineId)).toEqual([]);
});
