import { expect, test } from 'vitest';
import { createModelComposer, type ModelEnd } from '../../../src/ai/answer-generators.ts';
import { guardAnswer } from '../../../src/ai/citation-guard.ts';
import type { Composition } from '../../../src/ai/composer.ts';
import { modelFaultOf, modelUnavailable } from '../../../src/llm/model-fault.ts';
import { compositionOf, sourcesOf } from '../../helpers/compositions.ts';
import { unaborted } from '../../helpers/model-calls.ts';
import { createScriptedModel, modelEnd, type ScriptedModel, type ScriptStep } from '../../helpers/scripted-model.ts';

async function compose(model: ScriptedModel, composition: Partial<Composition> = {}) {
  const ends: ModelEnd[] = [];
  let nonces = 0;
  const composer = createModelComposer({
    model,
    temperature: 0.1,
    instructions: 'Be exact.',
    marksData: false,
    newNonce: () => `nonce${++nonces}`,
    onEnd: (end) => void ends.push(end),
  });
  const deltas: string[] = [];
  let fault: string | undefined;
  try {
    for await (const delta of composer(compositionOf(composition), unaborted())) deltas.push(delta);
  } catch (error) {
    fault = modelFaultOf(error)?.reason;
  }
  return { text: deltas.join(''), fault, ends };
}

const written = (...steps: ScriptStep[]) => compose(createScriptedModel(steps));

test('what the model writes passes through, and how it ended is told', async () => {
  expect(await written('It is cleaned', ' every week. [1]', modelEnd())).toEqual({
    text: 'It is cleaned every week. [1]',
    fault: undefined,
    ends: [{ finish: 'stop', usage: { input: 10, output: 5, isEstimated: false } }],
  });
});

test.each(['length', 'filtered'] as const)('an answer that ended by %s takes back its last segment', async (finish) => {
  const { text, ends } = await written('It runs. [1] It is cl', modelEnd(finish));
  expect(text).toBe('It runs. [1] It is cl NO_ANSWER');
  expect(ends.map((end) => end.finish)).toEqual([finish]);
});

test.each(['length', 'filtered'] as const)(
  'of an answer that ended by %s the guard lets whole segments through',
  async (finish) => {
    const model = createScriptedModel(['The pump runs at 40 bar. [1] It is cleaned every', modelEnd(finish)]);
    const composition = compositionOf();
    const deps = {
      model,
      temperature: 0,
      instructions: '',
      marksData: false,
      newNonce: () => 'n',
      onEnd: () => undefined,
    };
    const deltas = createModelComposer(deps)(composition, unaborted());
    const segments: string[] = [];
    for await (const segment of guardAnswer(deltas, { ...composition, numbering: 'first-use' }))
      segments.push(segment.text);
    expect(segments).toEqual(['The pump runs at 40 bar.']);
  },
);

test('an answer that was filtered from its beginning is empty', async () => {
  expect((await written(modelEnd('filtered'))).text).toBe('');
});

test('a fault after some text is passed on, and nothing is asked again', async () => {
  const model = createScriptedModel(['It runs.', modelUnavailable('reset')]);
  expect(await compose(model)).toMatchObject({ text: 'It runs.', fault: 'reset', ends: [] });
  expect(model.requests).toHaveLength(1);
});

test('the request has purpose, temperature, length, instructions, and a new nonce per call', async () => {
  const model = createScriptedModel(['Text.', modelEnd()]);
  await compose(model, { purpose: 'summary' });
  expect(model.requests[0]).toMatchObject({ purpose: 'summary', temperature: 0.1, maxOutputTokens: 350 });
  expect(model.requests[0]?.messages[1]).toEqual({ role: 'system', content: 'Be exact.' });
  expect(model.requests[0]?.messages.at(-1)?.content).toContain('<S-nonce1 ');
});

test('a prompt that is too long is sent once more with the better half of the passages', async () => {
  const tooLong = modelUnavailable('context-too-long', { status: 400 });
  const sources = sourcesOf({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' });
  const corrected = createScriptedModel([tooLong], ['One. [1]', modelEnd()]);
  expect((await compose(corrected, { sources })).text).toBe('One. [1]');
  const numbers = corrected.requests.map(({ messages }) =>
    messages
      .at(-1)
      ?.content.match(/(?<= n=")\d/g)
      ?.join(''),
  );
  expect(numbers).toEqual(['1234', '12']);
  expect(corrected.requests[1]?.messages.at(-1)?.content).toContain('<S-nonce2 ');

  const hopeless = createScriptedModel([tooLong]);
  expect((await compose(hopeless, { sources })).fault).toBe('context-too-long');
  expect(hopeless.requests).toHaveLength(2);
  const single = createScriptedModel([tooLong]);
  expect((await compose(single)).fault).toBe('context-too-long');
  expect(single.requests).toHaveLength(1);
});
