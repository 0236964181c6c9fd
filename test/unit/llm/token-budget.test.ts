import { expect, test } from 'vitest';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';
import { createTokenBudget } from '../../../src/llm/token-budget.ts';
import { estimateByLength, PROMPT, readCall, unaborted } from '../../helpers/model-calls.ts';
import { createScriptedModel, modelEnd } from '../../helpers/scripted-model.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const NOON = Date.UTC(2026, 0, 5, 12);

function budgetOf(tokensPerDay: number) {
  const clock = { at: NOON, now: () => clock.at };
  const budget = createTokenBudget({ clock, log: silentLog, estimateTokens: estimateByLength }, tokensPerDay);
  return { clock, budget };
}

test('an engine that spent its tokens calls no model until midnight UTC; others do', async () => {
  const { clock, budget } = budgetOf(20);
  const scripted = createScriptedModel(['text', modelEnd()]);
  const [mine, other] = [budget.limit(scripted, 6), budget.limit(scripted, 7)];
  const faultOf = async (model: typeof mine) =>
    modelFaultOf((await readCall(model.stream(PROMPT, unaborted()))).error)?.reason;

  expect([await faultOf(mine), await faultOf(mine), await faultOf(mine)]).toEqual([
    undefined,
    undefined,
    'budget-spent',
  ]);
  expect(await faultOf(other)).toBeUndefined();
  expect(scripted.requests).toHaveLength(3);
  clock.at += 12 * 3_600_000;
  expect(await faultOf(mine)).toBeUndefined();
});

test('without a limit tokens are counted and never spent', async () => {
  const { budget } = budgetOf(0);
  const model = budget.limit(createScriptedModel(['text', modelEnd()]), 6);
  for (let i = 0; i < 3; i++) await readCall(model.stream(PROMPT, unaborted()));
  expect(budget.spentBy(6)).toBe(45);
});

test('an answer that was left is counted by estimate, one that never came is not', async () => {
  const { budget } = budgetOf(0);
  const model = budget.limit(createScriptedModel(['four'.repeat(10), modelEnd()], [new Error('defect')]), 6);
  for await (const event of model.stream(PROMPT, unaborted())) if (event.type === 'text') break;
  const prompt = PROMPT.messages.reduce((sum, { content }) => sum + estimateByLength(content), 0);
  expect(budget.spentBy(6)).toBe(prompt + 10);
  await readCall(model.stream(PROMPT, unaborted()));
  expect(budget.spentBy(6)).toBe(prompt + 10);
});
