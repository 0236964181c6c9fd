import { useEffect, useRef, useState } from 'preact/hooks';
import type { Asked } from './use-search.ts';

/** Rest after the last keystroke before a search starts: shorter than a pause, longer than the gap between two keys. */
const TYPING_PAUSE_MS = 180;

/** Longest query that the service takes, in characters. Contract: 1.9. */
const QUERY_CHARS = 300;

type Props = { readonly query: string; readonly onAsk: (query: string, how: Asked['how']) => void };

export function SearchBox({ query, onAsk }: Props) {
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useRef(query);
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
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ask(value, 'typed'), TYPING_PAUSE_MS);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    clearTimeout(timer.current);
    ask(text, 'committed');
  };
  return (
    <search>
      <form onSubmit={submit}>
        <label for="query">Search pages and files</label>
        <div class="box">
          <input
            id="query"
            type="search"
            name="q"
            value={text}
            maxLength={QUERY_CHARS}
            autocomplete="off"
            enterkeyhint="search"
            onInput={(event) => type(event.currentTarget.value)}
          />
          <button type="submit">Search</button>
        </div>
      </form>
    </search>
  );
}
