import type { Followed, SearchClient } from '../../packages/client/src/index.ts';
import type { WritingClient } from '../client/writing-client.ts';
import { useLanguage } from '../parts/language.ts';
import { ErrorNotice, Notice } from './error-notice.tsx';
import { LazyConversation, type LoadedConversation } from './lazy-conversation.tsx';
import { Results } from './results.tsx';
import { askAnew, parseState, printState, type SearchState } from './search-state.ts';
import type { Asked, Found, Wait } from './use-search.ts';

type Props = {
  readonly asked: Asked;
  readonly found: Found | undefined;
  readonly wait: Wait;
  readonly search: SearchClient['search'];
  readonly answers: WritingClient;
  readonly conversationLoaded: LoadedConversation;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onPick: (state: SearchState) => void;
  readonly onFollow: (followed: Followed) => void;
};

/** What a search gave, or what became of it. What was chosen shows at once, results follow the answer. */
export function FoundResults(props: Props) {
  const { asked, found, wait, search, answers, conversationLoaded, onCancel, onRetry, onPick, onFollow } = props;
  const { text } = useLanguage();
  const isNew = found?.asked.state.query !== asked.state.query;
  const isWaiting = wait === 'noticed' || wait === 'slow';
  const waiting = (
    <p class="hint waiting">
      {text(wait === 'slow' ? 'page.slow' : 'page.searching')}{' '}
      {wait === 'slow' && (
        <button type="button" class="link" onClick={onCancel}>
          {text('page.cancel')}
        </button>
      )}
    </p>
  );
  if (found?.response === undefined) {
    if (wait !== 'none') return waiting;
    if (found?.error) return <ErrorNotice error={found.error} onRetry={onRetry} />;
    return <Notice message={text('page.cancelled')} onRetry={onRetry} />;
  }
  const { response } = found;
  const { query } = found.asked.state;
  const conversation = mayBeAnswered(found) && (
    <LazyConversation
      key={query}
      loaded={conversationLoaded}
      client={answers}
      search={search}
      query={query}
      isAsked={found.asked.state.isAsked}
      response={response}
      linkTo={linkTo}
    />
  );
  return (
    <>
      {isWaiting && waiting}
      <Results
        state={isNew ? found.asked.state : asked.state}
        shown={found.asked.state}
        response={response}
        conversation={conversation}
        onPick={onPick}
        onFollow={onFollow}
      />
    </>
  );
}

/** Answers stand above the first results of a search that is not being typed any more. Contract: 2.6. */
function mayBeAnswered({ asked, response }: Found): boolean {
  return asked.how !== 'rested' && asked.state.page === 1 && response?.GenerativeAnswerAvailable === true;
}

function linkTo(question: string): string {
  const state = { ...askAnew(parseState(location.search), question), isAsked: true };
  return new URL(printState(state), location.href).href;
}
