import {
  type Answer,
  type AnswerClient,
  createAnswerClient,
  type EngineConnection,
  FossickError,
  type Summary,
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
export type WrittenText = WrittenIds & {
  readonly pieces: TextStream['pieces'];
  /** Sentences of the pages, as the model that should have written fails. */
  readonly isFallback: boolean;
};

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
    ask: (...asked) => streamedOrWhole(streamedAnswer(client, ...asked), () => wholeAnswer(client, ...asked)),
    summarize: (...asked) => streamedOrWhole(streamedSummary(client, ...asked), () => wholeSummary(client, ...asked)),
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

/** Of a stream that has not begun; a whole text is quotes then, unless the operator wants none. Contract: 4.2, 4.3, 5. */
const MODEL_FAILED = 502;

/** The stream, or where no model writes it what the pages say. */
async function streamedOrWhole(stream: Promise<WrittenText>, whole: () => Promise<WrittenText>): Promise<WrittenText> {
  try {
    return await stream;
  } catch (cause) {
    if (cause instanceof FossickError && cause.status === MODEL_FAILED) return whole();
    throw cause;
  }
}

type Asking = [client: AnswerClient, question: Question, signal: AbortSignal];

async function streamedAnswer(...[client, question, signal]: Asking): Promise<WrittenText> {
  const stream = await client.streamAnswer(question, { signal });
  const { exchangeId: id, conversationId, isFallback, pieces } = stream;
  return { kind: 'answer', id, conversationId, isFallback, pieces };
}

async function wholeAnswer(...[client, question, signal]: Asking): Promise<WrittenText> {
  const answer = await client.ask({ ...question, includeCitations: true }, { signal });
  const { exchangeId: id, conversationId, isFallback } = answer;
  return { kind: 'answer', id, conversationId, isFallback, pieces: inOnePiece(withLinks(answer)) };
}

type Summing = [client: AnswerClient, results: SummaryOf, signal: AbortSignal];

async function streamedSummary(...[client, results, signal]: Summing): Promise<WrittenText> {
  const stream = await client.streamSummary({ ...results, includeCitations: true }, { signal });
  const { summaryId: id, summaryRequestId: conversationId, isFallback, pieces } = stream;
  return { kind: 'summary', id, conversationId, isFallback, pieces };
}

async function wholeSummary(...[client, results, signal]: Summing): Promise<WrittenText> {
  const summary = await client.summarize(results, { signal });
  const { summaryId: id, summaryRequestId: conversationId, isFallback } = summary;
  return { kind: 'summary', id, conversationId, isFallback, pieces: inOnePiece(withSources(summary)) };
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

/** Not the `[1]` of `list[1]`. */
const MARKER = /(?<=^|[\s\]])\[(\d+)\]/g;
const ENCODED: Readonly<Record<string, string>> = { ' ': '%20', '(': '%28', ')': '%29' };

/** The text as a stream has it: each `[n]` with the address of its citation. Contract: 4.3. */
function withLinks({ answer, citations }: Answer): string {
  const urls = new Map(citations.map(({ reference, url }) => [String(reference), url]));
  return answer.replace(MARKER, (marker, reference: string) => {
    const url = urls.get(reference);
    return url === undefined ? marker : citationLink(reference, url);
  });
}

/** The text with its sources below it: a whole summary does not say which of them says what. Contract: 5.2. */
function withSources({ summary, summarySourceUrls }: Summary): string {
  const links = summarySourceUrls.map((url, place) => citationLink(String(place + 1), url));
  return [summary, links.join(' ')].join('\n\n');
}

function citationLink(reference: string, url: string): string {
  return `[${reference}](${url.replace(/[ ()]/g, (char) => ENCODED[char] ?? char)})`;
}
