import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { FossickError } from '../../packages/client/src/index.ts';
import type { Opinion, SummaryOf, WritingClient, WrittenIds, WrittenText } from '../client/writing-client.ts';
import { changeEntry, readEntry } from './history-entry.ts';

export type Exchange = {
  /** What was asked; undefined for a summary of results. */
  readonly question: string | undefined;
  readonly length: 'concise' | 'comprehensive';
  readonly markdown: string;
  readonly state: 'writing' | 'done' | 'stopped' | 'failed';
  /** Undefined until the first piece comes. */
  readonly written?: WrittenIds;
  /** Sentences of the pages, in place of what a model that fails would have written. */
  readonly isFallback?: boolean;
  readonly error?: Pick<FossickError, 'status' | 'retryAfterSeconds'>;
  readonly opinion?: Opinion;
};

export type Conversation = {
  readonly exchanges: readonly Exchange[];
  readonly isWriting: boolean;
  /** What follows the last exchange that was answered belongs to its conversation. */
  readonly ask: (question: string) => void;
  readonly summarize: (results: SummaryOf) => void;
  /** Asks the last question again, for an answer of this length. */
  readonly askAgain: (length: Exchange['length']) => void;
  readonly stop: () => void;
  readonly rate: (exchange: Exchange, opinion: Opinion) => void;
  readonly logClick: (exchange: Exchange, url: string) => void;
};

type Begin = (signal: AbortSignal) => Promise<WrittenText>;

/**
 * A conversation belongs to one entry of the browser's history: whoever comes back finds it as it was. Leaving ends
 * what is being written.
 */
export function useConversation(client: WritingClient): Conversation {
  const { exchanges, change, put } = useExchanges();
  const writing = useRef<AbortController>(undefined);
  useEffect(() => () => writing.current?.abort(), []);

  const write = async (index: number, exchange: Pick<Exchange, 'question' | 'length'>, begin: Begin) => {
    writing.current?.abort();
    const abort = new AbortController();
    writing.current = abort;
    put(index, { ...exchange, markdown: '', state: 'writing' });
    try {
      const { pieces, isFallback, ...written } = await begin(abort.signal);
      change(index, (begun) => ({ ...begun, written, isFallback }));
      for await (const piece of pieces) {
        change(index, (begun) => ({ ...begun, markdown: begun.markdown + piece }));
      }
      change(index, (begun) => ({ ...begun, state: 'done' }));
    } catch (cause) {
      if (abort.signal.aborted) change(index, (begun) => ({ ...begun, state: 'stopped' }));
      else change(index, (begun) => ({ ...begun, state: 'failed', error: errorOf(cause) }));
    }
  };
  const askAt = (index: number, question: string, length: Exchange['length']) => {
    const conversationId = exchanges.slice(0, index).findLast(({ written }) => written?.conversationId)
      ?.written?.conversationId;
    const body = { question, answerLength: length, ...(conversationId !== undefined && { conversationId }) };
    void write(index, { question, length }, (signal) => client.ask(body, signal));
  };
  return {
    exchanges,
    isWriting: exchanges.at(-1)?.state === 'writing',
    ask: (question) => askAt(exchanges.length, question, 'concise'),
    summarize: (results) => {
      const exchange = { question: undefined, length: 'concise' } as const;
      void write(0, exchange, (signal) => client.summarize(results, signal));
    },
    askAgain: (length) => {
      const question = exchanges.at(-1)?.question;
      if (question !== undefined) askAt(exchanges.length - 1, question, length);
    },
    stop: () => writing.current?.abort(),
    rate: (exchange, opinion) => {
      if (exchange.written === undefined) return;
      client.rate(exchange.written, opinion);
      change(exchanges.indexOf(exchange), (rated) => ({ ...rated, opinion }));
    },
    logClick: ({ written }, url) => written && client.logClick(written, url),
  };
}

/** The exchanges of the present entry of the history, kept there whenever none of them is being written. */
function useExchanges() {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>(() => readEntry().exchanges ?? []);
  useEffect(() => {
    if (exchanges.length > 0 && exchanges.every(({ state }) => state !== 'writing')) changeEntry({ exchanges });
  }, [exchanges]);
  const change = useCallback((index: number, update: (exchange: Exchange) => Exchange) => {
    setExchanges((all) => all.map((exchange, place) => (place === index ? update(exchange) : exchange)));
  }, []);
  const put = useCallback((index: number, exchange: Exchange) => {
    setExchanges((all) => [...all.slice(0, index), exchange]);
  }, []);
  return { exchanges, change, put };
}

/** As much as an entry of the history can hold. */
function errorOf(cause: unknown): NonNullable<Exchange['error']> {
  if (!(cause instanceof FossickError)) return { status: 0, retryAfterSeconds: undefined };
  return { status: cause.status, retryAfterSeconds: cause.retryAfterSeconds };
}
