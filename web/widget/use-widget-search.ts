import { useCallback, useEffect, useState } from 'preact/hooks';
import type { SearchClient, TrackingClient } from '../../packages/client/src/index.ts';
import type { CompleteClient } from '../client/complete-client.ts';
import type { SearchState } from '../search/search-state.ts';
import { type Asked, type Found, useSearch, type Wait } from '../search/use-search.ts';
import { type Typing, useTyping } from '../search/use-typing.ts';

export type Clients = {
  readonly search: SearchClient['search'];
  readonly complete: CompleteClient;
  readonly tracking: TrackingClient;
};

export type WidgetSearch = {
  readonly text: string;
  readonly typing: Typing | undefined;
  readonly asked: Asked;
  readonly found: Found | undefined;
  readonly wait: Wait;
  readonly cancel: () => void;
  readonly type: (text: string) => void;
  /** Searches for a text, or for the one in the box. */
  readonly commit: (query?: string) => void;
  readonly turnTo: (page: number) => void;
  readonly retry: () => void;
};

const NOTHING: SearchState = { query: '', page: 1, order: 'relevance', selected: {}, ranges: {}, isAsked: false };
const NOTHING_ASKED: Asked = { state: NOTHING, how: 'committed', attempt: 0 };

/**
 * One box and what was found with it; unlike the search page, it leaves the address of the page alone. `isInBox`: whoever
 * has gone on to what is offered keeps it.
 */
export function useWidgetSearch({ search, complete, tracking }: Clients, isInBox: () => boolean): WidgetSearch {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState(NOTHING_ASKED);
  const ask = useCallback((query: string, page: number, how: Asked['how']) => {
    setAsked({ state: { ...NOTHING, query, page }, how, attempt: 0 });
  }, []);
  const { found, wait, cancel } = useSearch(search, asked);
  const { typing, type, end } = useTyping(complete, (rested) => isInBox() && ask(rested, 1, 'rested'));
  useEffect(() => {
    if (found?.response === undefined || found.asked.how !== 'committed') return;
    tracking.logQuery(found.asked.state.query, found.response);
  }, [tracking, found]);
  return {
    text,
    typing,
    asked,
    found,
    wait,
    cancel,
    type: (value) => {
      setText(value);
      if (value.trim() !== '') return type(value);
      end();
      setAsked(NOTHING_ASKED);
    },
    commit: (query = text) => {
      setText(query);
      end();
      ask(query.trim(), 1, 'committed');
    },
    turnTo: (page) => ask(asked.state.query, page, 'committed'),
    retry: () => setAsked((last) => ({ ...last, attempt: last.attempt + 1 })),
  };
}

/** A text that was left standing was searched, and its hits say more than the best documents do. */
export function isTyping({ typing, found }: WidgetSearch): boolean {
  if (typing === undefined) return false;
  if (found?.asked.how !== 'rested' || found.asked.state.query !== typing.text.trim()) return true;
  return found.error === undefined && (found.response?.TotalDocument ?? 0) === 0;
}
