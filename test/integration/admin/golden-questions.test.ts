import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readQuestions } from '../../../scripts/evaluate/answers/sets.ts';
import { askDueGoldenQuestions, type GoldenDeps } from '../../../src/ai/golden-questions.ts';
import type { LanguageModel } from '../../../src/llm/language-model.ts';
import { modelUnavailable } from '../../../src/llm/model-fault.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { runCli } from '../../helpers/cli.ts';
import { GARDEN_CRAWLER, openGarden } from '../../helpers/garden-engine.ts';
import { createScriptedModel, modelEnd } from '../../helpers/scripted-model.ts';

const { signal } = new AbortController();
/** All but the first are answered right. */
const WATCHED = ['t1', 't2', 't4', 't8', 't18', 't19'];
const PATH = '/engines/6/golden-questions';

async function startGarden() {
  const api = await startAdminApi();
  const garden = await openGarden(api);
  const { log, lines } = captureLog();
  const golden: GoldenDeps = { ...api.deps.golden, log };
  /** What the job does each minute. */
  const cycle = (changes: Partial<Omit<GoldenDeps, 'systemStore'>> = {}) =>
    askDueGoldenQuestions(
      { ...golden, ...changes, systemStore: api.deps.systemStore, holder: 'api', isProcessAlive: async () => true },
      signal,
    );
  const add = async (question: string, mustCite: readonly string[], mustContain: readonly string[]) =>
    (await api.post(PATH, { question, mustCite, mustContain })).body.id as number;
  const states = async () => (await api.get('/engines/6/statistics/golden')).body.items;
  return { api, garden, lines, cycle, add, states, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

describe('the golden questions of a site', () => {
  let site: Awaited<ReturnType<typeof startGarden>>;
  beforeAll(async () => {
    site = await startGarden();
    const { answerable } = readQuestions('garden', 'tuning');
    for (const { question, gold, nuggets } of answerable.filter(({ id }) => WATCHED.includes(id))) {
      await site.add(question, [gold.map(site.garden.urlOf).join(' | ')], [nuggets.join(' | ')]);
    }
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const countOf = async (state: string) =>
    (await site.states()).filter((each: { state: string }) => each.state === state).length;

  test('are asked as soon as the engine has documents', async () => {
    expect(await countOf('not-asked')).toBe(6);
    await site.cycle();
    expect(await countOf('not-asked')).toBe(0);
    expect(await countOf('right')).toBe(5);
  });

  test('raise no alarm in 20 cycles in which other pages change', async () => {
    const right = await countOf('right');
    for (let cycle = 1; cycle <= 20; cycle++) {
      const page = { id: `note-${cycle}`, url: `https://garden.test/note-${cycle}` };
      await site.garden.put([
        {
          ...{ id: page.id, kind: 'PageContent', origin: 'crawled', language: 'en' },
          fields: new Map([
            ['Url', [page.url]],
            ['Title', [`Minutes of meeting ${cycle}`]],
            ['Content', [`The board met for the ${cycle}th time and discussed the roof of the boat house.`]],
          ]),
        },
      ]);
      await site.cycle();
    }
    expect(site.lines).toEqual([]);
    expect(await countOf('right')).toBe(right);
  });

  test('tell of a planted regression in the next cycle, with the document that changed', async () => {
    await site.garden.replace('visit/cafe', 'forty', 'fifty');
    await site.garden.replace('about/people', 'Ines Marquardt', 'Ole Lund');
    await site.garden.remove('shop/pruning-saw');
    await site.cycle();

    const regressed = (await site.states()).filter((each: { state: string }) => each.state === 'regressed');
    expect(
      regressed.map(({ question, changed }: { question: string; changed: { document: string }[] }) => [
        question,
        changed[0]?.document,
      ]),
    ).toEqual([
      ['How many people fit upstairs in the café if I want to rent it?', 'visit/cafe'],
      ['Who has been running the garden since 2017?', 'about/people'],
      ['Can the blade of the folding saw be sharpened?', 'shop/pruning-saw'],
    ]);
    expect(regressed[0]).toMatchObject({
      missingTexts: ['seats forty | forty'],
      missingPages: [],
      composer: 'extractive',
    });
    expect(regressed[2].changed).toEqual([expect.objectContaining({ crawler: GARDEN_CRAWLER, seq: null, at: null })]);
    const warned = site.lines.map(({ level, message }) => [level, message]);
    expect(warned).toEqual(Array(3).fill(['warn', 'golden question is no longer answered right']));
  });

  test('are told of once, and are right again when the page says it again', async () => {
    const before = site.lines.length;
    await site.garden.replace('visit/cafe', 'fifty', 'forty');
    await site.cycle();

    expect(site.lines).toHaveLength(before);
    expect(await countOf('regressed')).toBe(2);
  });
});

test('are asked again when documents changed or a question was added, and not while a run is at work', async () => {
  await using site = await startGarden();
  const asked = async () => (await site.states()).map(({ askedAt }: { askedAt: string | null }) => askedAt !== null);
  const { body: crawler } = await site.api.post('/crawlers', { id: 18, engine: 6, name: 'Site' });
  await site.api.post(`/crawlers/${crawler.id}/activate`);
  const [run] = await site.garden.store.listRuns(18, 1);
  await site.garden.store.startRun(run!.id, 1);
  await site.add('Who has been running the garden since 2017?', [], ['Ines Marquardt']);

  await site.cycle();
  expect(await asked()).toEqual([false]);
  await site.garden.store.stopRun(18, 2);
  await site.cycle();
  expect(await asked()).toEqual([true]);

  let looks = 0;
  const counting = { languages: async () => [looks++, [] as string[]][1] as string[] };
  const searchIndex = { ...site.api.deps.searchIndex, ...counting };
  await site.cycle({ searchIndex });
  expect(looks).toBe(0);
  await site.add('What does a slice of cake cost in the orangery?', [], ['4.20']);
  await site.cycle();
  expect(await asked()).toEqual([true, true]);
});

test('are asked by one of two processes that find them due', async () => {
  await using site = await startGarden();
  const id = await site.add('Who has been running the garden since 2017?', [], ['Ines Marquardt']);
  const { golden, systemStore } = site.api.deps;
  let other: Promise<void> | undefined;
  const of = async (engineId: number) => {
    // The other one comes between the look and the lease of this one.
    other ??= site.cycle();
    await other;
    return golden.engineStores.of(engineId);
  };

  await site.cycle({ engineStores: { of } });

  expect(await systemStore.listGoldenResults(id, 'extractive')).toHaveLength(1);
});

describe('with a model', () => {
  const QUESTION = 'Who has been running the garden since 2017?';
  const ATTRIBUTE_BITS = 'Ines Marquardt has run the garden since 2017. [1]';
  const modelsOf = (model: LanguageModel) => ({
    languageModels: { forEngine: () => ({ answer: model, rewrite: model }), temperature: 0, marksData: false },
  });
  const byModel = (states: readonly { composer: string }[]) => states.filter(({ composer }) => composer === 'model');

  test('it is asked when it would read something else, and its tokens count', async () => {
    await using site = await startGarden();
    await site.add(QUESTION, [site.garden.urlOf('about/people')], []);
    const model = createScriptedModel([ATTRIBUTE_BITS, modelEnd()]);

    await site.cycle(modelsOf(model));
    await site.garden.replace('shop/pruning-saw', 'blade', 'tooth');
    await site.cycle(modelsOf(model));
    expect(model.requests).toHaveLength(1);
    expect(byModel(await site.states())).toHaveLength(1);

    await site.garden.replace('about/people', 'Marquardt', 'Lund');
    await site.cycle(modelsOf(model));
    // What it says is rejected now, so that it is asked once more.
    expect(model.requests).toHaveLength(3);
    const day = Math.floor(Date.now() / 86_400_000);
    expect(await site.api.deps.systemStore.findAnswerDay(6, day)).toMatchObject({ inputTokens: 30, outputTokens: 15 });
  });

  test.each(['budget-spent', 'http-status'] as const)('that fails (%s) no alarm is raised', async (reason) => {
    await using site = await startGarden();
    await site.add(QUESTION, [site.garden.urlOf('about/people')], []);
    await site.cycle(modelsOf(createScriptedModel([modelUnavailable(reason)])));

    expect(
      (await site.states()).map(({ composer, state }: { composer: string; state: string }) => [composer, state]),
    ).toEqual([['extractive', 'right']]);
    expect(site.lines).toEqual([]);
  });
});

describe('over the admin API', () => {
  let api: Awaited<ReturnType<typeof startAdminApi>>;
  beforeAll(async () => {
    api = await startAdminApi();
    await openGarden(api);
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test('a question is added, listed, asked and removed', async () => {
    const made = await api.post(PATH, {
      question: ' Who has been running the garden since 2017? ',
      mustContain: ['Ines Marquardt'],
    });
    expect(made.status).toBe(201);
    const { id } = made.body;
    const shown = {
      id,
      question: 'Who has been running the garden since 2017?',
      mustCite: [],
      mustContain: ['Ines Marquardt'],
    };
    expect(made.body).toEqual({ ...shown, createdAt: expect.any(String) });
    expect((await api.get(PATH)).body).toEqual({ items: [made.body], next: null });

    const asked = await api.post(`${PATH}/ask`);
    expect(asked.body.items).toEqual([
      {
        ...{ id, question: shown.question, composer: 'extractive', state: 'right', refusal: null },
        ...{ missingPages: [], missingTexts: [], changed: [], cited: expect.arrayContaining([expect.any(String)]) },
        ...{ since: expect.any(String), askedAt: expect.any(String), lastRightAt: expect.any(String) },
      },
    ]);
    expect((await api.get('/engines/6/statistics/golden')).body).toEqual(asked.body);
    const file = await fetch(`${api.origin}/admin/v1/engines/6/statistics/golden?format=csv`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect((await file.text()).split('\r\n')).toEqual([
      expect.stringMatching(/^question,composer,state,/),
      expect.stringContaining(',extractive,right,'),
      '',
    ]);
    expect((await api.delete(`${PATH}/${id}`)).status).toBe(204);
    expect((await api.delete(`${PATH}/${id}`)).status).toBe(404);
    expect((await api.get(PATH)).body.items).toEqual([]);
  });

  test.each([
    [{}, 'question'],
    [{ question: 'x' }, 'mustCite'],
    [{ question: ' ', mustCite: ['u'] }, 'question'],
    [{ question: 'x', mustCite: [''] }, 'mustCite[0]'],
    [{ question: 'x'.repeat(1_001), mustCite: ['u'] }, 'question'],
    [{ question: 'x', mustCite: ['u'], language: 'en' }, 'language'],
  ])('%j is refused', async (body, path) => {
    const { status, body: answer } = await api.post(PATH, body);
    expect([status, answer.errors[0].path]).toEqual([400, path]);
  });

  test('100 of them are enough', async () => {
    await api.post('/engines', { id: 7, customer: 3, name: 'Full' });
    const answers: number[] = [];
    for (let count = 0; count <= 100; count++) {
      answers.push((await api.post('/engines/7/golden-questions', { question: 'x', mustCite: ['u'] })).status);
    }
    expect(answers.filter((status) => status === 201)).toHaveLength(100);
    expect(answers.at(-1)).toBe(409);
  });

  test('an engine that does not exist has none', async () => {
    for (const path of ['/engines/99/golden-questions', '/engines/99/statistics/golden']) {
      expect((await api.get(path)).status).toBe(404);
    }
    expect((await api.post('/engines/99/golden-questions/ask')).status).toBe(404);
  });

  test('the commands do the same', async () => {
    const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
    expect((await run('golden', 'add', '6', 'Who cooks?')).code).toBe(2);
    const added = await run('golden', 'add', '6', 'Who cooks?', '--contains', 'Ada', '--contains', 'Bo', '--json');
    const { id, mustContain } = JSON.parse(added.out);
    expect(mustContain).toEqual(['Ada', 'Bo']);
    expect((await run('golden', 'list', '6')).out).toContain('Who cooks?');
    expect((await run('stats', 'golden', '6')).out).toContain('not-asked');
    const asked = await run('golden', 'ask', '6');
    expect(asked.out).toMatch(/Who cooks\?\s+extractive\s+wrong/);
    expect((await run('golden', 'remove', '6', String(id))).code).toBe(0);
    expect((await run('golden', 'list', '6')).out).toMatch(/^no golden questions/);
  });
});
