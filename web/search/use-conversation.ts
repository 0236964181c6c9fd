import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { FossickError } from '../../packages/client/src/index.ts';
import type { Opinion, SummaryOf, WritingClient, WrittenText } from '../client/writing-client.ts';

export type Exchange = {
  /** What was asked; undefined for a summary of results. */
  readonly question: string | undefined;
  readonly markdown: string;
  readonly state: 'writing' | 'done' | 'stopped' | 'failed';
  /** Undefined until the first piece comes. */
  readonly written?: WrittenText;
  readonly error?: FossickError;
  readonly opinion?: Opinion;
};

export type Conversation = {
  readonly exchanges: readonly Exchange[];
  readonly isWriting: boolean;
  /** What follows the last exchange that was answered belongs to its conversation. */
  readonly ask: (question: string) => void;
  readonly summarize: (results: SummaryOf) => void;
  readonly stop: () => void;
  readonly rate: (exchange: Exchange, opinion: Opinion) => void;
  readonly logClick: (exchange: Exchange, url: string) => void;
};

/** A conversation lives as long as its component: leaving ends what is being written. */
export function useConversation(client: WritingClient): Conversation {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const writing = useRef<AbortController>(undefined);
  const conversationId = useRef<string>(undefined);
  useEffect(() => () => writing.current?.abort(), []);

  const change = useCallback((index: number, update: (exchange: Exchange) => Exchange) => {
    setExchanges((all) => all.map((exchange, place) => (place === index ? update(exchange) : exchange)));
  }, []);
  const write = async (question: string | undefined, begin: (signal: AbortSignal) => Promise<WrittenText>) => {
    writing.current?.abort();
    const abort = new AbortController();
    writing.current = abort;
    const index = exchanges.length;
    setExchanges((all) => [...all, { question, markdown: '', state: 'writing' }]);
    try {
      const written = await begin(abort.signal);
      conversationId.current = written.conversationId || undefined;
      change(index, (exchange) => ({ ...exchange, written }));
      for await (const piece of written.pieces) {
        change(index, (exchange) => ({ ...exchange, markdown: exchange.markdown + piece }));
      }
      change(index, (exchange) => ({ ...exchange, state: 'done' }));
    } catch (cause) {
      if (abort.signal.aborted) change(index, (exchange) => ({ ...exchange, state: 'stopped' }));
      else change(index, (exchange) => ({ ...exchange, state: 'failed', error: toFossickError(cause) }));
    }
  };
  return {
    exchanges,
    isWriting: exchanges.at(-1)?.state === 'writing',
    ask: (question) => {
      const id = conversationId.current;
      const body = id === undefined ? { question } : { question, conversationId: id };
      void write(question, (signal) => client.ask(body, signal));
    },
    summarize: (results) => void write(undefined, (signal) => client.summarize(results, signal)),
    stop: () => writing.current?.abort(),
    rate: (exchange, opinion) => {
      if (exchange.written === undefined) return;
      client.rate(exchange.written, opinion);
      change(exchanges.indexOf(exchange), (rated) => ({ ...rated, opinion }));
    },
    logClick: ({ written }, url) => written && client.logClick(written, url),
  };
}

function toFossickError(cause: unknown): FossickError {
  return cause instanceof FossickError
    ? cause
    : new FossickError('The answer could not be read', { status: 0, errorCode: 'answer.foreign' });
}
