import { useEffect, useState } from 'preact/hooks';
import type { SearchClient, SearchResponse } from '../../packages/client/src/index.ts';
import type { WritingClient } from '../client/writing-client.ts';
import { useLanguage } from '../parts/language.ts';
import { ExchangeItem, type LinkTo } from './exchange-item.tsx';
import { shortQuery } from './search-request.ts';
import { useConversation } from './use-conversation.ts';
import { useSourceTitles } from './use-source-titles.ts';

/** Hits that a summary may take. Contract: 5.1. */
const MAX_SOURCES = 5;
/** From this number of words on a query is read as a question; so is one with a question mark. */
const QUESTION_WORDS = 4;
/** Contract: 4.1. */
const MAX_QUESTION_CHARS = 4_000;

export type ConversationProps = {
  readonly client: WritingClient;
  readonly search: SearchClient['search'];
  readonly query: string;
  /** The query is to be answered, whatever it looks like. */
  readonly isAsked: boolean;
  readonly response: SearchResponse;
  /** Absent where no address asks. */
  readonly linkTo?: LinkTo;
};

/**
 * Answers above the results: a question is answered at once, other results are summarised when asked for. Follow-up
 * questions go on from either.
 */
export function ConversationCard({ client, search, query, isAsked, response, linkTo }: ConversationProps) {
  const { text } = useLanguage();
  const { exchanges, isWriting, ask, summarize, askAgain, stop, rate, logClick } = useConversation(client);
  const titleOf = useSourceTitles(search, response, exchanges);
  const sources = response.TypedDocuments.slice(0, MAX_SOURCES).map(({ Id }) => ({ id: Id }));
  // One card stands for one search: its parent gives it the query as key.
  useEffect(() => {
    if (exchanges.length === 0 && (isAsked || isQuestion(query))) ask(query);
  }, []);
  return (
    <section class="conversation" aria-labelledby="conversation">
      <h2 id="conversation" class={exchanges.length === 0 ? 'unseen' : undefined}>
        {text('answer.label')}
      </h2>
      {exchanges.length === 0 && (
        <p class="offer">
          <button
            type="button"
            class="quiet"
            disabled={sources.length === 0}
            onClick={() => summarize({ query, queryId: response.QueryId, sources })}
          >
            {text('answer.summarize')}
          </button>
        </p>
      )}
      <ol class="exchanges" aria-live="polite" aria-busy={isWriting}>
        {exchanges.map((exchange, place) => (
          <ExchangeItem
            exchange={exchange}
            isFirst={place === 0}
            isLast={place === exchanges.length - 1}
            titleOf={titleOf}
            linkTo={linkTo}
            onAskAgain={askAgain}
            onRate={(opinion) => rate(exchange, opinion)}
            onFollow={(url) => logClick(exchange, url)}
          />
        ))}
      </ol>
      {isWriting && (
        <button type="button" class="quiet" onClick={stop}>
          {text('answer.stop')}
        </button>
      )}
      {exchanges.length > 0 && !isWriting && <FollowUp onAsk={ask} />}
    </section>
  );
}

function FollowUp({ onAsk }: { readonly onAsk: (question: string) => void }) {
  const language = useLanguage();
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() === '') return;
    onAsk(text.trim());
    setText('');
  };
  return (
    <form class="follow-up" onSubmit={submit}>
      <label for="follow-up">{language.text('answer.followUp')}</label>
      <div>
        <input
          id="follow-up"
          type="text"
          dir="auto"
          value={text}
          maxLength={MAX_QUESTION_CHARS}
          autocomplete="off"
          enterkeyhint="send"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{language.text('answer.ask')}</button>
      </div>
    </form>
  );
}

/** So is a text that is too long to be searched whole. */
function isQuestion(query: string): boolean {
  return /[?？؟]\s*$/.test(query) || query.split(/\s+/).length >= QUESTION_WORDS || shortQuery(query) !== query;
}
