import { describe } from 'vitest';
import { modelUnavailable } from '../../src/llm/model-fault.ts';
import { startFakeMessagesServer } from '../helpers/fake-messages-server.ts';
import { startFakeModelServer } from '../helpers/fake-model-server.ts';
import { openFakeModel, PROMPT_ANSWER } from '../helpers/model-calls.ts';
import { MESSAGES_PACKAGE, modelOf, openFakePackage } from '../helpers/package-models.ts';
import { createScriptedModel, modelEnd, type ScriptStep } from '../helpers/scripted-model.ts';
import { describeLanguageModel, type ModelBehaviour } from './language-model-suite.ts';

const MODES: Readonly<Record<ModelBehaviour, string>> = {
  answers: 'ok',
  'stops-early': 'no-end',
  'thinks-and-calls-tools': 'reasoning',
  fails: 'http:500',
  stalls: 'stall-after:2',
};

const MODES_OF_MESSAGES: Readonly<Record<ModelBehaviour, string>> = {
  ...MODES,
  'thinks-and-calls-tools': 'thinking',
};

const SCRIPTS: Readonly<Record<ModelBehaviour, readonly ScriptStep[]>> = {
  answers: [PROMPT_ANSWER, modelEnd()],
  'stops-early': ['The pump'],
  'thinks-and-calls-tools': [PROMPT_ANSWER, modelEnd()],
  fails: [modelUnavailable('http-status', { status: 500 })],
  stalls: ['The pump', 'wait'],
};

describe('endpoint of chat completions', () =>
  describeLanguageModel(async (behaviour) => {
    const server = await startFakeModelServer();
    const opened = openFakeModel(server);
    return {
      model: opened.model(MODES[behaviour]),
      requests: () => server.calls.length,
      open: () => server.calls.filter(({ closedAt }) => closedAt === undefined).length,
      async [Symbol.asyncDispose]() {
        opened[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }));

describe('package of another wire format', () =>
  describeLanguageModel(async (behaviour) => {
    const server = await startFakeMessagesServer();
    const provider = await openFakePackage(server, MESSAGES_PACKAGE);
    return {
      model: modelOf(provider, MODES_OF_MESSAGES[behaviour]),
      requests: () => server.calls.length,
      open: () => server.calls.filter(({ closedAt }) => closedAt === undefined).length,
      async [Symbol.asyncDispose]() {
        provider[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }));

describe('scripted double', () =>
  describeLanguageModel(async (behaviour) => {
    const model = createScriptedModel(SCRIPTS[behaviour]);
    return {
      model,
      requests: () => model.requests.length,
      open: model.open,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }));
