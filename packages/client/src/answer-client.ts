import type {
  AnswerClick,
  AnswerFeedback,
  AnswerRequest,
  AnswerResponse,
  SummaryFeedback,
  SummaryRequest,
  SummaryResponse,
} from './generated-types.ts';
import { readText, type TextStream } from './text-stream.ts';
import {
  type Call,
  type CallOptions,
  createTransport,
  type EngineConnection,
  engineAuthorization,
} from './transport.ts';

type Fallback = {
  /** Quotes of the pages, in place of what a model that fails would have written. Contract: 4.2, 4.3. */
  readonly isFallback: boolean;
};

export type Answer = AnswerResponse['value'] & Fallback;
export type Summary = SummaryResponse['value'] & Fallback;

/** The text of an answer, with citations as links `[n](https://…)`; the ids are those of `Answer`. */
export type AnswerStream = TextStream & Pick<Answer, 'conversationId' | 'exchangeId' | 'isFallback'>;

/** The text of a summary; `summaryRequestId` is the `conversationId` of questions that go on from it. */
export type SummaryStream = TextStream & Pick<Summary, 'summaryId' | 'summaryRequestId' | 'isFallback'>;

/**
 * All reject with a `FossickError`, or with the reason of the signal. Questions are never sent twice: each is an
 * exchange of its conversation. `includeCitations` is without effect on `streamAnswer`, which always cites, and on
 * `summarize`, which never does.
 */
export type AnswerClient = {
  readonly ask: (request: AnswerRequest, options?: CallOptions) => Promise<Answer>;
  readonly streamAnswer: (request: AnswerRequest, options?: CallOptions) => Promise<AnswerStream>;
  readonly rateAnswer: (feedback: AnswerFeedback, options?: CallOptions) => Promise<void>;
  readonly logAnswerClick: (click: AnswerClick, options?: CallOptions) => Promise<void>;
  readonly summarize: (request: SummaryRequest, options?: CallOptions) => Promise<Summary>;
  readonly streamSummary: (request: SummaryRequest, options?: CallOptions) => Promise<SummaryStream>;
  readonly rateSummary: (feedback: SummaryFeedback, options?: CallOptions) => Promise<void>;
};

/** Asks one engine. Contract: 4, 5. */
export function createAnswerClient(engine: EngineConnection): AnswerClient {
  const { ask, askWithHeaders, open } = createTransport(engine, engineAuthorization(engine));
  const call = (name: string, body: unknown, options?: CallOptions): Call => ({
    method: 'POST',
    path: `/api/v4/${engine.customerId}/${engine.engineId}/search/${name}`,
    body,
    isRepeatable: false,
    ...options,
  });
  const tell = async (name: string, body: unknown, options?: CallOptions) => {
    await ask({ ...call(name, body, options), keepalive: true });
  };
  return {
    ask: async (request, options) => {
      const { body, headers } = await askWithHeaders<AnswerResponse>(call('answer', request, options));
      return { ...body.value, ...fallbackOf(headers) };
    },
    streamAnswer: async (request, options) => {
      const response = await open(call('answer/stream', request, options));
      const ids = {
        conversationId: response.headers.get('service-conversation-id') ?? '',
        exchangeId: response.headers.get('service-exchange-id') ?? '',
        ...fallbackOf(response.headers),
      };
      return Object.assign(readText(response, options?.signal), ids);
    },
    rateAnswer: (feedback, options) => tell('answer/feedback', feedback, options),
    logAnswerClick: (click, options) => tell('answer/click', click, options),
    summarize: async (request, options) => {
      const { body, headers } = await askWithHeaders<SummaryResponse>(call('summarize', request, options));
      return { ...body.value, ...fallbackOf(headers) };
    },
    streamSummary: async (request, options) => {
      const response = await open(call('summarize/stream', request, options));
      const ids = {
        summaryId: response.headers.get('service-summary-id') ?? '',
        summaryRequestId: response.headers.get('service-summary-request-id') ?? '',
        ...fallbackOf(response.headers),
      };
      return Object.assign(readText(response, options?.signal), ids);
    },
    rateSummary: (feedback, options) => tell('summarize/feedback', feedback, options),
  };
}

function fallbackOf(headers: Headers): Fallback {
  return { isFallback: headers.get('service-answer-fallback') === 'extractive' };
}
