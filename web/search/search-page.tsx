import { useEffect, useRef, useState } from 'preact/hooks';
import type { Followed, SearchClient, TrackingClient } from '../../packages/client/src/index.ts';
import type { CompleteClient } from '../client/complete-client.ts';
import type { WritingClient } from '../client/writing-client.ts';
import { InPageLink } from '../parts/in-page-link.tsx';
import { useLanguage } from '../parts/language.ts';
import { FoundResults } from './found-results.tsx';
import { type InstantSuggestions, NO_SUGGESTIONS } from './instant-suggestions.ts';
import type { LoadedConversation } from './lazy-conversation.tsx';
import { usePageKeys } from './page-keys.ts';
import { Brand, usePageLook } from './page-look.tsx';
import type { RecentSearches } from './recent-searches.ts';
import { SearchBox } from './search-box.tsx';
import { announcement } from './search-notes.tsx';
import { shortQuery } from './search-request.ts';
import { askAnew, printState, type SearchState } from './search-state.ts';
import { Start } from './start.tsx';
import { TypedResults } from './typed-results.tsx';
import { useAsked, useScrollPlace } from './use-asked.ts';
import { type Found, useSearch, type Wait } from './use-search.ts';
import { useTyping } from './use-typing.ts';

type Props = {
  readonly engineName: string;
  readonly search: SearchClient['search'];
  readonly complete: CompleteClient;
  readonly tracking: TrackingClient;
  readonly answers: WritingClient;
  readonly conversationLoaded: LoadedConversation;
  readonly readInstant: () => Promise<InstantSuggestions>;
  readonly recent: RecentSearches;
};

export function SearchPage(props: Props) {
  const { engineName, search, complete, tracking, answers, conversationLoaded, readInstant, recent } = props;
  const language = useLanguage();
  const { asked, ask, retry, keep } = useAsked();
  const { found, wait, cancel } = useSearch(search, asked);
  const { typing, type, end } = useTyping(complete, (typed) =>
    ask({ ...asked.state, query: typed, page: 1 }, 'rested'),
  );
  const instant = useInstant(readInstant);
  const top = useRef<HTMLElement>(null);
  const isTyping = typing !== undefined && !isFoundAtRest(found, typing.text);
  const isStart = asked.state.query === '' && !isTyping;
  const start = askAnew(asked.state, '');
  useTitle(asked.state.query, engineName);
  useQueryLog(tracking, found);
  useRecentSearches(recent, instant, found);
  useScrollPlace(found, conversationLoaded);
  usePageKeys();
  const commit = (query: string) => {
    end();
    ask({ ...asked.state, query, page: 1, isAsked: false }, 'committed');
  };
  const pick = (state: SearchState) => {
    end();
    ask(state, 'committed');
    if (state.page === asked.state.page && state.query === asked.state.query) return;
    window.scrollTo({ top: 0 });
    top.current?.focus({ preventScroll: true });
  };
  const follow = ({ asked: { state }, response }: Found, followed: Followed) => {
    if (response === undefined) return;
    keep(state);
    tracking.logClick(shortQuery(state.query), response, followed);
  };
  return (
    <div class={isStart ? 'site start' : 'site'}>
      <div class="skip">
        <InPageLink href="#main" onPick={() => top.current?.focus()}>
          {language.text('page.skip')}
        </InPageLink>
      </div>
      <header>
        <div class="bar">
          <h1>
            <InPageLink href={printState(start)} onPick={() => pick(start)}>
              <Brand engineName={engineName} />
            </InPageLink>
          </h1>
          <SearchBox
            query={asked.state.query}
            typing={typing}
            onType={(typed) => (typed.trim() === '' ? pick(start) : type(typed))}
            onCommit={commit}
          />
        </div>
      </header>
      <p class="unseen" role="status">
        {!isTyping && spoken(language.text('page.searching'), wait, found && announcement(language, found))}
      </p>
      <main id="main" ref={top} tabIndex={-1} aria-busy={wait !== 'none' && !isTyping}>
        {isStart && <Start state={asked.state} search={search} instant={instant} recent={recent} onPick={pick} />}
        {isTyping && (
          <TypedResults
            text={typing.text}
            completions={typing.completions}
            onSearch={() => commit(typing.text.trim())}
            onFollow={(completions, position) => {
              keep({ ...asked.state, query: completions.query, page: 1 });
              tracking.logCompletedClick(completions, position);
            }}
          />
        )}
        {!isStart && !isTyping && (
          <FoundResults
            asked={asked}
            found={found}
            wait={wait}
            search={search}
            answers={answers}
            conversationLoaded={conversationLoaded}
            onCancel={cancel}
            onRetry={retry}
            onPick={pick}
            onFollow={(followed) => found && follow(found, followed)}
          />
        )}
      </main>
    </div>
  );
}

/** What was left standing was searched, and says more than the best documents do: its hits, or why there is no answer. */
function isFoundAtRest(found: Found | undefined, text: string): boolean {
  if (found?.asked.how !== 'rested' || found.asked.state.query !== text.trim()) return false;
  return found.error !== undefined || (found.response?.TotalDocument ?? 0) > 0;
}

/** A wait that is noticed is said, too. */
function spoken(searching: string, wait: Wait, announced: string | undefined): string {
  return wait === 'noticed' || wait === 'slow' ? searching : (announced ?? '');
}

function useInstant(read: Props['readInstant']): InstantSuggestions {
  const [instant, setInstant] = useState(NO_SUGGESTIONS);
  useEffect(() => void read().then(setInstant), [read]);
  return instant;
}

/** Committed queries are logged when their first page arrives. */
function useQueryLog(tracking: TrackingClient, found: Found | undefined) {
  useEffect(() => {
    if (found?.response === undefined || found.asked.how !== 'committed') return;
    tracking.logQuery(shortQuery(found.asked.state.query), found.response);
  }, [tracking, found]);
}

/** Searches that found something, of an engine that allows it. */
function useRecentSearches(recent: RecentSearches, instant: InstantSuggestions, found: Found | undefined) {
  useEffect(() => {
    if (!instant.showRecentSearches || found?.asked.how !== 'committed') return;
    if ((found.response?.TotalDocument ?? 0) > 0) recent.add(shortQuery(found.asked.state.query));
  }, [recent, instant, found]);
}

function useTitle(query: string, engineName: string) {
  const { text } = useLanguage();
  const { title } = usePageLook();
  useEffect(() => {
    const isAsked = query !== '' && query !== '*';
    if (title !== null) document.title = isAsked ? `${query} – ${title}` : title;
    else document.title = text(isAsked ? 'page.titleOfQuery' : 'page.title', { name: engineName, query }).trim();
  }, [text, title, query, engineName]);
}
