import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { EngineConnection, SearchClient, SearchResponse } from '../../packages/client/src/index.ts';
import { createWritingClient } from '../client/writing-client.ts';
import css from '../parts/conversation.css?inline';
import { ConversationCard } from '../search/conversation-card.tsx';
import { addStyles } from './search-element.ts';

export type AnswerProps = {
  readonly engine: EngineConnection;
  readonly search: SearchClient['search'];
  readonly query: string;
  readonly response: SearchResponse;
};

/** Loaded with the first search that may be answered. */
export function Answers({ engine, search, query, response }: AnswerProps) {
  const client = useMemo(() => createWritingClient(engine), [engine]);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => addStyles(place.current?.getRootNode(), css), []);
  return (
    <div ref={place}>
      <ConversationCard client={client} search={search} isAsked={false} query={query} response={response} />
    </div>
  );
}
