import { unlessAborted } from '../../core/concurrency.ts';
import type { LanguageModel, ModelEvent, ModelMessage, ModelRequest, TokenUsage } from '../language-model.ts';
import { callAborted, modelUnavailable } from '../model-fault.ts';
import { modelErrorOf } from './model-errors.ts';
import type { ClientLanguageModel, ModelProvider } from './model-provider.ts';

type ChatStream = Awaited<ReturnType<ClientLanguageModel['doStream']>>['stream'];
type ChatPart = ChatStream extends ReadableStream<infer Part> ? Part : never;
type FinishPart = Extract<ChatPart, { type: 'finish' }>;
type Finish = Extract<ModelEvent, { type: 'end' }>['finish'];

export type ChatOptions = {
  readonly name: string;
  readonly contextTokens: number;
  /** Of a text, for providers that count none. */
  readonly estimateTokens: (text: string) => number;
};

/** A language model of a provider, streamed. */
export function createLanguageModel(
  provider: Pick<ModelProvider, 'languageModel'>,
  options: ChatOptions,
): LanguageModel {
  const model = provider.languageModel(options.name);
  return {
    id: options.name,
    contextTokens: options.contextTokens,
    stream: (request, signal) => streamEvents({ model, estimateTokens: options.estimateTokens }, request, signal),
  };
}

type StreamDeps = { readonly model: ClientLanguageModel } & Pick<ChatOptions, 'estimateTokens'>;

async function* streamEvents(deps: StreamDeps, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  // Leaving the client's stream early does not close its socket: this does.
  const closing = new AbortController();
  const upstream = AbortSignal.any([signal, closing.signal]);
  try {
    signal.throwIfAborted();
    const { stream } = await unlessAborted(openStream(deps, request, upstream), upstream);
    yield* eventsOf(stream, { ...deps, request, signal: upstream });
  } catch (error) {
    throw signal.aborted ? callAborted() : modelErrorOf(error);
  } finally {
    closing.abort();
  }
}

async function openStream({ model }: StreamDeps, request: ModelRequest, abortSignal: AbortSignal) {
  const { messages, maxOutputTokens, temperature } = request;
  return model.doStream({ prompt: messages.map(promptMessage), maxOutputTokens, temperature, abortSignal });
}

function promptMessage({ role, content }: ModelMessage) {
  return role === 'system' ? { role, content } : { role, content: [{ type: 'text' as const, text: content }] };
}

type Reading = Pick<ChatOptions, 'estimateTokens'> & { readonly request: ModelRequest; readonly signal: AbortSignal };

/** Text and the end; parts of reasoning, tool calls and the rest are passed over. The first error wins. */
async function* eventsOf(stream: ChatStream, reading: Reading): AsyncGenerator<ModelEvent> {
  const reader = stream.getReader();
  let text = '';
  let finish: FinishPart | undefined;
  for (;;) {
    // Before the read: a read that nobody awaits would be an unhandled rejection.
    reading.signal.throwIfAborted();
    const { done, value: part } = await unlessAborted(reader.read(), reading.signal);
    if (done) break;
    if (part.type === 'error') throw modelErrorOf(part.error);
    if (part.type === 'finish') finish = part;
    if (part.type !== 'text-delta' || part.delta === '') continue;
    text += part.delta;
    yield { type: 'text', text: part.delta };
  }
  if (finish === undefined || isUnfinished(finish)) throw modelUnavailable('no-end');
  if (finish.finishReason.unified === 'error') throw modelUnavailable('error-frame');
  const ended = finishOf(finish);
  if (text.trim() === '' && ended !== 'filtered') throw modelUnavailable('empty');
  yield { type: 'end', finish: ended, usage: usageOf(finish, { ...reading, text }) };
}

/** Providers end every stream with such a part, also one that was cut: with no word of the server for it then. */
function isUnfinished({ finishReason: { unified, raw } }: FinishPart): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

function finishOf({ finishReason: { unified } }: FinishPart): Finish {
  if (unified === 'content-filter') return 'filtered';
  return unified === 'stop' || unified === 'length' ? unified : 'other';
}

function usageOf({ usage }: FinishPart, { estimateTokens, request, text }: Reading & { text: string }): TokenUsage {
  const [input, output] = [usage.inputTokens.total, usage.outputTokens.total];
  if (input !== undefined && output !== undefined) return { input, output, isEstimated: false };
  const prompt = request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return { input: input ?? prompt, output: output ?? estimateTokens(text), isEstimated: true };
}
