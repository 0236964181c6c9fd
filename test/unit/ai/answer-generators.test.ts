import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import type { AnswerSegment } from '../../../src/ai/answer-event.ts';
import { answerGeneratorsOf } from '../../../src/ai/answer-generators.ts';
import type { GenerationEnd } from '../../../src/ai/deliver-answer.ts';
import { modelFaultOf, modelUnavailable } from '../../../src/llm/model-fault.ts';
import { sourcesOf } from '../../helpers/compositions.ts';
import { unaborted } from '../../helpers/model-calls.ts';
import { rankingOf } from '../../helpers/rankings.ts';
import { createScriptedModel, modelEnd, type ScriptedModel } from '../../helpers/scripted-model.ts';

const PAGE = { text: 'The pump runs at 40 bar. It is cleaned every week.', title: 'Pump' };

/** What a model's generator gives, the faults that it went on without, and the reasons of what was dropped. */
async function generate(model: ScriptedModel) {
  const survived: unknown[] = [];
  const dropped: string[] = [];
  const { model: generator } = answerGeneratorsOf(
    { languageModels: undefined, newNonce: () => 'nonce' },
    {
      settings: ENGINE_DEFAULTS,
      model,
      composition: {
        purpose: 'answer',
        question: 'How often is the pump cleaned?',
        language: 'en',
        length: 'concise',
        customPrompt: undefined,
        history: [],
      },
      grounding: {
        ranking: rankingOf([{ passage: PAGE }]),
        answerability: { probability: 1, threshold: 0.5, refusal: undefined },
      },
      sourcesWithin: () => sourcesOf(PAGE),
      hasKey: false,
      report: {
        addDropped: (byCheck) => dropped.push(...Object.keys(byCheck)),
        survived: (error) => survived.push(error),
      },
      signal: unaborted(),
    },
  );
  const segments: AnswerSegment[] = [];
  const writing = generator!();
  let next = await writing.next();
  for (; !next.done; next = await writing.next()) segments.push(next.value);
  const end: GenerationEnd = next.value;
  return { text: segments.map(({ text }) => text).join(''), end, survived, dropped };
}

const TRUE = 'The pump runs at 40 bar. [1]';
const LIE = 'The pump runs at 90 bar. [1]';

test('a model whose opening is rejected is asked once more, and told what was rejected', async () => {
  const model = createScriptedModel([`${LIE} It is cleaned every week. [1]`, modelEnd()], [TRUE, modelEnd()]);

  const { text, end, dropped } = await generate(model);

  expect(text).toBe('The pump runs at 40 bar.');
  expect(end.refusal).toBeUndefined();
  expect(dropped).toContain('numbers');
  expect(model.requests).toHaveLength(2);
  expect(model.requests[0]!.messages.at(-1)!.content).not.toContain('REJECTED');
  expect(model.requests[1]!.messages.at(-1)!.content).toContain('- The pump runs at 90 bar.');
  expect(model.open()).toBe(0);
});

test('a model whose opening is rejected twice gives no answer', async () => {
  const model = createScriptedModel([`${LIE} The pump is cleaned every week. [1]`, modelEnd()]);

  const { text, end } = await generate(model);

  expect(text).toBe('');
  expect(end.refusal).toBe('no-valid-citation');
  expect(model.requests).toHaveLength(2);
});

test('a later sentence that is rejected takes with it what points back to it, and nothing is asked again', async () => {
  const model = createScriptedModel([`${TRUE} ${LIE} It is cleaned every week. [1]`, modelEnd()]);

  const { text, dropped } = await generate(model);

  expect(text).toBe('The pump runs at 40 bar.');
  expect(dropped).toEqual(['numbers', 'antecedent']);
  expect(model.requests).toHaveLength(1);
});

test('a model that fails when it is asked again gives no answer, and the fault is told', async () => {
  const model = createScriptedModel([LIE, modelEnd()], [modelUnavailable('refused')]);

  const { end, survived } = await generate(model);

  expect(end.refusal).toBe('no-valid-citation');
  expect(survived.map((error) => modelFaultOf(error)?.reason)).toEqual(['refused']);
});

test('a defect when it is asked again is passed on', async () => {
  const model = createScriptedModel([LIE, modelEnd()], [new TypeError('bug')]);

  await expect(generate(model)).rejects.toThrow('bug');
});

test('a model that breaks off behind a second opening breaks off', async () => {
  const model = createScriptedModel([LIE, modelEnd()], [`${TRUE} And`, modelUnavailable('reset')]);

  await expect(generate(model)).rejects.toMatchObject({ code: 'llm.unavailable' });
});
