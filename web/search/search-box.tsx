import { useEffect, useRef, useState } from 'preact/hooks';
import type { CompleteClient } from '../client/complete-client.ts';
import { CompletionList, optionId } from './completion-list.tsx';
import { useCompletions } from './use-completions.ts';
import type { Asked } from './use-search.ts';

/** Rest after the last keystroke before a search starts: shorter than a pause, longer than the gap between two keys. */
const TYPING_PAUSE_MS = 180;

/** Longest query that the service takes, in characters. Contract: 1.9. */
const QUERY_CHARS = 300;

const LIST_ID = 'completions';

type Props = {
  readonly query: string;
  readonly complete: CompleteClient;
  readonly onAsk: (query: string, how: Asked['how']) => void;
};

export function SearchBox({ query, complete, onAsk }: Props) {
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useRef(query);
  const completions = useOpenCompletions(complete);
  // A query that did not come from this box (a suggestion, the back button) replaces its text.
  useEffect(() => {
    if (query === typed.current) return;
    typed.current = query;
    setText(query === '*' ? '' : query);
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (value: string, how: Asked['how']) => {
    typed.current = value.trim();
    onAsk(typed.current, how);
  };
  const type = (value: string) => {
    setText(value);
    completions.open(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ask(value, 'typed'), TYPING_PAUSE_MS);
  };
  const commit = (value: string) => {
    setText(value);
    completions.close();
    clearTimeout(timer.current);
    ask(value, 'committed');
  };
  const { texts, active } = completions;
  const isOpen = texts.length > 0;
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          commit(active === undefined ? text : (texts[active] ?? text));
        }}
      >
        <label for="query">Search pages and files</label>
        <div class="box">
          <input
            id="query"
            type="search"
            // The types know the role only with a datalist, which the linter then takes for one.
            // biome-ignore lint/a11y/noRedundantRoles: without the datalist it is not redundant.
            role="combobox"
            list={undefined}
            name="q"
            value={text}
            maxLength={QUERY_CHARS}
            autocomplete="off"
            enterkeyhint="search"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? LIST_ID : undefined}
            aria-activedescendant={active === undefined ? undefined : optionId(LIST_ID, active)}
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={completions.onKeyDown}
            onBlur={completions.close}
          />
          <button type="submit">Search</button>
          {isOpen && <CompletionList id={LIST_ID} texts={texts} active={active} onPick={commit} />}
        </div>
      </form>
    </search>
  );
}

/** What is offered while somebody types, and which of it the arrow keys have reached. */
function useOpenCompletions(complete: CompleteClient) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState<number>();
  const found = useCompletions(complete, typed);
  const texts = typed === '' ? [] : found;
  const open = (value: string) => {
    setTyped(value);
    setActive(undefined);
  };
  const close = () => open('');
  const onKeyDown = (event: KeyboardEvent) => {
    if (texts.length === 0 || event.isComposing) return;
    const next = nextActive(event.key, active, texts.length);
    if (event.key === 'Escape') close();
    else if (next === 'same') return;
    else setActive(next);
    event.preventDefault();
  };
  return { texts, active: active !== undefined && active < texts.length ? active : undefined, open, close, onKeyDown };
}

/** The arrows go through the list and, between its ends, back to the typed text. */
function nextActive(key: string, active: number | undefined, count: number): number | undefined | 'same' {
  if (key === 'ArrowDown') return active === undefined ? 0 : active + 1 < count ? active + 1 : undefined;
  if (key === 'ArrowUp') return active === undefined ? count - 1 : active > 0 ? active - 1 : undefined;
  return 'same';
}
