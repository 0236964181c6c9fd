import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { LanguageModel } from '../../src/llm/language-model.ts';
import { MODEL_FAULTS, modelFaultOf } from '../../src/llm/model-fault.ts';
import { eventually } from '../helpers/eventually.ts';
import { PROVIDER_TEXT } from '../helpers/fake-model-server.ts';
import { MODEL_KEY, PROMPT, readCall, unaborted } from '../helpers/model-calls.ts';

/** What a model of the suite does. */
export type ModelBehaviour = 'answers' | 'stops-early' | 'thinks-and-calls-tools' | 'fails' | 'stalls';

export type OpenModel = (behaviour: ModelBehaviour) => Promise<
  AsyncDisposable & {
    readonly model: LanguageModel;
    readonly requests: () => number;
    /** Upstream requests under way. */
    readonly open: () => number;
  }
>;

/** One test per sentence of the port `LanguageModel`. */
export function describeLanguageModel(open: OpenModel): void {
  test('an answer is texts in order and one end, the last event', async () => {
    await using opened = await open('answers');
    const { events, text, error } = await readCall(opened.model.stream(PROMPT, unaborted()));
    expect(error).toBeUndefined();
    expect(text).toBe('The pump runs at 40 bar. [1] It is cleaned every week. [1]');
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'end', finish: 'stop' });
  });

  test('an answer that stops without saying that it ended is an error', async () => {
    await using opened = await open('stops-early');
    const { events, error } = await readCall(opened.model.stream(PROMPT, unaborted()));
    expect(events.some(({ type }) => type === 'end')).toBe(false);
    expect(modelFaultOf(error)?.reason).toBe('no-end');
  });

  test('reasoning and tool calls are no text', async () => {
    await using opened = await open('thinks-and-calls-tools');
    const { text } = await readCall(opened.model.stream(PROMPT, unaborted()));
    expect(text).not.toContain(PROVIDER_TEXT);
    expect(text).not.toContain('think');
  });

  test('an abort closes the upstream request at once and throws an AbortError', async () => {
    await using opened = await open('stalls');
    const controller = new AbortController();
    const reading = readCall(opened.model.stream(PROMPT, controller.signal));
    await eventually(() => opened.open() === 1);
    controller.abort();
    await eventually(() => opened.open() === 0, 1_000);
    expect((await reading).error).toMatchObject({ name: 'AbortError' });
  });

  test('leaving the iteration closes the upstream request', async () => {
    await using opened = await open('stalls');
    for await (const event of opened.model.stream(PROMPT, unaborted())) if (event.type === 'text') break;
    await eventually(() => opened.open() === 0, 1_000);
  });

  test('a call that is aborted before it begins asks nobody', async () => {
    await using opened = await open('answers');
    const { error } = await readCall(opened.model.stream(PROMPT, AbortSignal.abort()));
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(opened.open()).toBe(0);
  });

  test.each(['answers', 'fails'] as const)('one call that %s is one upstream request', async (behaviour) => {
    await using opened = await open(behaviour);
    await readCall(opened.model.stream(PROMPT, unaborted()));
    expect(opened.requests()).toBe(1);
  });

  test('an error says why in words of ours, without a text of the provider or a key', async () => {
    await using opened = await open('fails');
    const { error } = await readCall(opened.model.stream(PROMPT, unaborted()));
    expect(MODEL_FAULTS).toContain(modelFaultOf(error)?.reason);
    const shown = inspect(error, { depth: 10, showHidden: true });
    for (const secret of [PROVIDER_TEXT, MODEL_KEY, 'How fast']) expect(shown).not.toContain(secret);
  });
}
