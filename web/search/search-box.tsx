import { useEffect, useRef, useState } from 'preact/hooks';
import { useLanguage } from '../parts/language.ts';
import { CompletionList, optionId } from './completion-list.tsx';
import { usePageLook } from './page-look.tsx';
import { MOST_QUERY_CHARS } from './search-request.ts';
import type { Typing } from './use-typing.ts';

/** Longest question that can be answered, in characters. Contract: 4.1. */
const MOST_CHARS = 4_000;
const LIMIT_ID = 'query-limit';

const LIST_ID = 'completions';

type Props = {
  /** What was searched last. */
  readonly query: string;
  readonly typing: Typing | undefined;
  readonly onType: (text: string) => void;
  readonly onCommit: (query: string) => void;
};

export function SearchBox({ query, typing, onType, onCommit }: Props) {
  const language = useLanguage();
  const { placeholder } = usePageLook();
  const { input, text, setText } = useBoxText(query, typing);
  const [isClosed, setClosed] = useState(false);
  const [active, setActive] = useState<number>();

  const type = (value: string) => {
    setText(value);
    setClosed(false);
    setActive(undefined);
    onType(value);
  };
  const commit = (value: string) => {
    setText(value);
    setActive(undefined);
    onCommit(value.trim());
  };
  const texts = isClosed ? NONE : offered(typing);
  const reached = active !== undefined && active < texts.length ? active : undefined;
  const isOpen = texts.length > 0;
  const isLong = [...text].length > MOST_QUERY_CHARS;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.isComposing) return;
    const next = nextActive(event.key, reached, texts.length);
    // Not with the loss of focus: a click on a result would move the page under the pointer.
    if (event.key === 'Escape' || event.key === 'Tab') setClosed(true);
    if (event.key === 'Tab') return;
    if (event.key === 'Escape') setActive(undefined);
    else if (next === 'same') return;
    else setActive(next);
    event.preventDefault();
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          commit(reached === undefined ? text : (texts[reached] ?? text));
        }}
      >
        <label for="query" class="unseen">
          {language.text('box.label')}
        </label>
        <div class="box">
          <Magnifier />
          <input
            ref={input}
            id="query"
            type="search"
            // The types know the role only with a datalist, which the linter then takes for one.
            // biome-ignore lint/a11y/noRedundantRoles: without the datalist it is not redundant.
            role="combobox"
            list={undefined}
            name="q"
            value={text}
            maxLength={MOST_CHARS}
            placeholder={placeholder ?? language.text('box.label')}
            dir="auto"
            autocomplete="off"
            enterkeyhint="search"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? LIST_ID : undefined}
            aria-activedescendant={reached === undefined ? undefined : optionId(LIST_ID, reached)}
            aria-describedby={isLong ? LIMIT_ID : undefined}
            aria-keyshortcuts="/ Control+K Meta+K"
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <button type="submit">{language.text('box.submit')}</button>
        </div>
        {isOpen && <CompletionList id={LIST_ID} texts={texts} active={reached} onPick={commit} />}
        {isLong && <LimitNote />}
      </form>
    </search>
  );
}

function useBoxText(query: string, typing: Typing | undefined) {
  const [text, setText] = useState(shownText(query));
  const input = useRef<HTMLInputElement>(null);
  // A query that did not come from this box (a suggestion, the back button) replaces its text.
  useEffect(() => {
    if (typing === undefined) setText(shownText(query));
  }, [query, typing]);
  useEffect(() => {
    if (query === '') input.current?.focus();
  }, []);
  return { input, text, setText };
}

function LimitNote() {
  const { text } = useLanguage();
  return (
    <p id={LIMIT_ID} class="limit" role="alert">
      {text('box.limit', { count: MOST_QUERY_CHARS })}
    </p>
  );
}

function Magnifier() {
  return (
    <svg class="magnifier" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.5" />
      <path d="m13 13 4.5 4.5" />
    </svg>
  );
}

const NONE: readonly string[] = [];

/** Completions without the text itself. */
function offered(typing: Typing | undefined): readonly string[] {
  const typed = typing?.text.trim().toLowerCase() ?? '';
  if (typed === '') return NONE;
  return (typing?.completions?.texts ?? NONE).filter((text) => text.toLowerCase() !== typed);
}

/** All documents are browsed, not searched. */
function shownText(query: string): string {
  return query === '*' ? '' : query;
}

/** The arrows go through the list and, between its ends, back to the typed text. */
function nextActive(key: string, active: number | undefined, count: number): number | undefined | 'same' {
  if (key === 'ArrowDown') return active === undefined ? 0 : active + 1 < count ? active + 1 : undefined;
  if (key === 'ArrowUp') return active === undefined ? count - 1 : active > 0 ? active - 1 : undefined;
  return 'same';
}
