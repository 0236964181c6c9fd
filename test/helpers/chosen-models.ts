import type { LanguageModels } from '../../src/ai/answer-generators.ts';
import { openLanguageModels } from '../../src/compose/models/language-model.ts';
import { CONFIG } from '../../src/config/config.ts';
import type { LanguageModel, ModelRequest } from '../../src/llm/language-model.ts';
import type { Log } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { startFakeModelServer } from './fake-model-server.ts';
import { MODEL_KEY } from './model-calls.ts';

const MODE = /mode=(\S+?)(?=<)/;
/** What ends the modes that end by a timer only; for all others timers are as long as a busy machine may need. */
const SHORT_TIMERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hang: { AI_START_TIMEOUT_MS: '1500' },
  'hang-after-headers': { AI_START_TIMEOUT_MS: '1500' },
  'stall-after:12': { AI_STALL_TIMEOUT_MS: '300' },
};

export type ChosenModels = LanguageModels & {
  readonly server: Awaited<ReturnType<typeof startFakeModelServer>>;
  /** Makes a question one for a mode of the fake model server; `gone` = nobody listens. */
  choose(mode: string): { readonly customPrompt: string };
};

/** Models of the product on a fake server, the mode of each call chosen by the request: many at once on one product. */
export async function openChosenModels(
  stack: AsyncDisposableStack,
  { log, config = {} }: { readonly log: Log; readonly config?: Readonly<Record<string, string>> },
): Promise<ChosenModels> {
  const server = stack.use(await startFakeModelServer());
  const closed = await startFakeModelServer();
  await closed[Symbol.asyncDispose]();
  const byMode = new Map<string, Promise<LanguageModels>>();
  const open = async (mode: string): Promise<LanguageModels> => {
    const variables = {
      LLM_BASE_URL: mode === 'gone' ? closed.baseUrl : server.baseUrl,
      LLM_API_KEY: MODEL_KEY,
      LLM_MODEL: mode,
      ...SHORT_TIMERS[mode],
      ...config,
    };
    const metrics = createMetrics();
    const models = await openLanguageModels(stack, { config: CONFIG.parse(variables), log, metrics });
    if (models === undefined) throw new Error('no model is configured');
    return models;
  };
  const modelsOf = (mode: string) => {
    const models = byMode.get(mode) ?? open(mode);
    byMode.set(mode, models);
    return models;
  };
  const chosen = (engineId: number, kind: 'answer' | 'rewrite'): LanguageModel => ({
    id: 'chosen',
    contextTokens: 8_192,
    async *stream(request, signal) {
      yield* (await modelsOf(modeOf(request))).forEngine(engineId)[kind].stream(request, signal);
    },
  });
  return {
    server,
    choose: (mode) => ({ customPrompt: `mode=${mode}` }),
    forEngine: (engineId) => ({ answer: chosen(engineId, 'answer'), rewrite: chosen(engineId, 'rewrite') }),
    temperature: 0.1,
    marksData: false,
  };
}

function modeOf({ messages }: ModelRequest): string {
  return MODE.exec(messages.map(({ content }) => content).join('\n'))?.[1] ?? 'ok';
}
