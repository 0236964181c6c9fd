import { once } from 'node:events';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../src/llm/language-model.ts';
import { modelUnavailable } from '../../src/llm/model-fault.ts';

/** A text, an event, an error that is thrown, or `wait`: until the abort. */
export type ScriptStep = string | ModelEvent | Error | 'wait';

export type ScriptedModel = LanguageModel & {
  /** Requests so far, in order. */
  readonly requests: readonly ModelRequest[];
  /** Calls that are under way. */
  readonly open: () => number;
};

export const modelEnd = (finish: 'stop' | 'length' | 'filtered' | 'other' = 'stop'): ModelEvent => ({
  type: 'end',
  finish,
  usage: { input: 10, output: 5, isEstimated: false },
});

/** A model that keeps the promises of the port and follows a script per call; the last script serves all further calls. */
export function createScriptedModel(...scripts: readonly (readonly ScriptStep[])[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  let open = 0;

  async function* follow(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const script = scripts[Math.min(requests.length, scripts.length - 1)] ?? [];
    requests.push(request);
    open++;
    try {
      for (const step of script) yield await eventOf(step, signal);
      if (!script.some((step) => typeof step === 'object' && 'type' in step && step.type === 'end')) {
        throw modelUnavailable('no-end');
      }
    } finally {
      open--;
    }
  }

  return { id: 'scripted', contextTokens: 8_192, stream: follow, requests, open: () => open };
}

async function eventOf(step: ScriptStep, signal: AbortSignal): Promise<ModelEvent> {
  if (step === 'wait' && !signal.aborted) await once(signal, 'abort');
  if (signal.aborted) throw new DOMException('The call of the model was aborted', 'AbortError');
  if (step instanceof Error) throw step;
  return typeof step === 'string' ? { type: 'text', text: step } : step;
}
