import { useState } from 'preact/hooks';
import { useQueryState } from '../client/query-state.ts';
import { Icon, type IconName } from './icon.tsx';

type Props = {
  /** As the address of the page has it, in `q`. */
  readonly query: string;
  readonly icon: IconName;
  readonly label: string;
  readonly placeholder: string;
  /** What the button says. */
  readonly action: string;
};

/** The one thing that a page asks for: what is sent stands in the address. It has the focus while it is empty. */
export function QueryForm({ query, icon, label, placeholder, action }: Props) {
  const state = useQueryState();
  const [text, setText] = useState(query);
  return (
    <search>
      <form
        class="large-form"
        onSubmit={(event) => {
          event.preventDefault();
          state.set({ q: text.trim(), page: undefined });
        }}
      >
        <Icon name={icon} />
        <input
          type="search"
          aria-label={label}
          placeholder={placeholder}
          dir="auto"
          autoComplete="off"
          value={text}
          ref={query === '' ? takeFocus : null}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="main">
          {action}
        </button>
      </form>
    </search>
  );
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}
