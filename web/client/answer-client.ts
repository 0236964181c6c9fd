import { ApiError, readApiError } from './api-error.ts';
import type { PageSettings } from './page-settings.ts';

/** A question; with the id of a conversation or of a summary (contract 5.4) it follows what was said there. */
export type Question = { readonly question: string; readonly conversationId?: string };

/** At most five hits of a search. Contract: 5.1. */
export type SummaryOf = {
  readonly query: string;
  readonly queryId: string;
  readonly sources: readonly { readonly id: string }[];
};

/** A text that is being written, as Markdown with citations `[n](https://…)`. Contract: 4.3, 5.2. */
export type WrittenText = {
  readonly kind: 'answer' | 'summary';
  /** Of the exchange or summary: what feedback names. */
  readonly id: string;
  /** What a follow-up question names. */
  readonly conversationId: string;
  readonly pieces: AsyncIterable<string>;
};

export type Opinion = { readonly rating: 'positive' | 'negative' };

export type AnswerClient = {
  /** Both reject with an `ApiError`, or with the signal's reason. */
  ask(question: Question, signal: AbortSignal): Promise<WrittenText>;
  summarize(results: SummaryOf, signal: AbortSignal): Promise<WrittenText>;
  /** Neither is repeated when it is lost. */
  rate(of: WrittenText, opinion: Opinion): void;
  logClick(of: WrittenText, url: string): void;
};

const NOT_REACHED = 'The answer service did not answer';

/** Answers of one engine of this host. Contract: 4, 5. */
export function createAnswerClient(settings: PageSettings): AnswerClient {
  const folder = `/api/v4/${settings.customerId}/${settings.engineId}/search`;
  const headers = { 'content-type': 'application/json', authorization: `SiteKey ${settings.siteKey}` };
  const stream = async (name: string, body: unknown, signal: AbortSignal) => {
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const response = await fetch(`${folder}/${name}`, request).catch((cause: unknown) => {
      throw signal.aborted ? cause : new ApiError(NOT_REACHED, { status: 0 });
    });
    if (!response.ok) throw await readApiError(response);
    return response;
  };
  const tell = (name: string, body: unknown) => {
    // `keepalive`: a click leaves the page while the event is on its way.
    fetch(`${folder}/${name}`, { method: 'POST', headers, body: JSON.stringify(body), keepalive: true }).catch(
      () => undefined,
    );
  };
  return {
    ask: async (question, signal) => {
      const response = await stream('answer/stream', question, signal);
      return {
        kind: 'answer',
        id: response.headers.get('service-exchange-id') ?? '',
        conversationId: response.headers.get('service-conversation-id') ?? '',
        pieces: readPieces(response, signal),
      };
    },
    summarize: async (results, signal) => {
      const response = await stream('summarize/stream', { ...results, includeCitations: true }, signal);
      return {
        kind: 'summary',
        id: response.headers.get('service-summary-id') ?? '',
        conversationId: response.headers.get('service-summary-request-id') ?? '',
        pieces: readPieces(response, signal),
      };
    },
    rate: (text, opinion) =>
      tell(`${text.kind === 'answer' ? 'answer' : 'summarize'}/feedback`, { ...ids(text), ...opinion }),
    logClick: (text, url) => {
      if (text.kind === 'answer') tell('answer/click', { ...ids(text), url });
    },
  };
}

function ids({ kind, id, conversationId }: WrittenText) {
  return kind === 'answer' ? { conversationId, exchangeId: id } : { summaryId: id };
}

async function* readPieces(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw signal.aborted ? cause : new ApiError(NOT_REACHED, { status: 0 });
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
