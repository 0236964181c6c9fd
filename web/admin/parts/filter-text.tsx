import { useEffect, useRef, useState } from 'preact/hooks';

type Props = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  /** Told when nothing was typed for a moment, and at once by Enter. */
  readonly onChange: (value: string) => void;
};

/** As long as the pauses between keys of who types slowly. */
const REST_MS = 300;

/** A box that narrows a list down. */
export function FilterText({ label, placeholder, value, onChange }: Props) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (typed: string) => {
    clearTimeout(timer.current);
    if (typed !== value) onChange(typed);
  };
  return (
    <input
      type="search"
      class="filter-text"
      dir="auto"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      onInput={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => tell(typed), REST_MS);
      }}
      onKeyDown={(event) => event.key === 'Enter' && tell(event.currentTarget.value)}
    />
  );
}
