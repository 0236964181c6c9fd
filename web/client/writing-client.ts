import {
  createAnswerClient,
  type EngineConnection,
  type SummaryRequest,
  type TextStream,
} from '../../packages/client/src/index.ts';

/** A question; with the id of a conversation or of a summary (contract 5.4) it follows what was said there. */
export type Question = {
  readonly question: string;
  readonly conversationId?: string;
  readonly answerLength?: 'concise' | 'comprehensive';
};

/** At most five hits of a search. Contract: 5.1. */
export type SummaryOf = Pick<SummaryRequest, 'query' | 'queryId' | 'sources'>;

/** A text that is being written, as Markdown with citations `[n](https://…)`. Contract: 4.3, 5.2. */
export type WrittenText = WrittenIds & { readonly pieces: TextStream['pieces'] };

/** What feedback and follow-up questions name. */
export type WrittenIds = {
  readonly kind: 'answer' | 'summary';
  /** Of the exchange or summary: what feedback names. */
  readonly id: string;
  /** What a follow-up question names. */
  readonly conversationId: string;
};

export type Opinion = { readonly rating: 'positive' | 'negative' };

/** Answers and summaries are both texts of one conversation. */
export type WritingClient = {
  /** Both reject with a `FossickError`, or with the signal's reason. */
  ask(question: Question, signal: AbortSignal): Promise<WrittenText>;
  summarize(results: SummaryOf, signal: AbortSignal): Promise<WrittenText>;
  /** Neither is repeated when it is lost. */
  rate(of: WrittenIds, opinion: Opinion): void;
  logClick(of: WrittenIds, url: string): void;
};

export function createWritingClient(engine: EngineConnection): WritingClient {
  const client = createAnswerClient(engine);
  return {
    ask: async (question, signal) => {
      const { exchangeId: id, conversationId, pieces } = await client.streamAnswer(question, { signal });
      return { kind: 'answer', id, conversationId, pieces };
    },
    summarize: async (results, signal) => {
      const stream = await client.streamSummary({ ...results, includeCitations: true }, { signal });
      return { kind: 'summary', id: stream.summaryId, conversationId: stream.summaryRequestId, pieces: stream.pieces };
    },
    rate: ({ kind, id, conversationId }, opinion) => {
      const sent =
        kind === 'answer'
          ? client.rateAnswer({ conversationId, exchangeId: id, ...opinion })
          : client.rateSummary({ summaryId: id, ...opinion });
      sent.catch(() => undefined);
    },
    logClick: ({ kind, id, conversationId }, url) => {
      if (kind === 'answer') client.logAnswerClick({ conversationId, exchangeId: id, url }).catch(() => undefined);
    },
  };
}
