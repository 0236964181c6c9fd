import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { mayOpen, useSignedIn } from '../client/client-context.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { type Engines, useEngines } from './engines.ts';
import { PAGES, SECTIONS } from './pages.ts';

type Choice = { readonly label: string; readonly icon: IconName; readonly address: string };

const MAX_SITES = 6;

/** A URL or a query leads to why it is found or not; the name of a page or a site leads there. */
export function AskBox() {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const { route } = useLocation();
  const choices = useChoices(text.trim());
  useShortcut(input);
  const pick = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    setText('');
    setOpen(false);
    input.current?.blur();
    route(choice.address);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive((active + 1) % Math.max(choices.length, 1)),
    ArrowUp: () => setActive((active + choices.length - 1) % Math.max(choices.length, 1)),
    Enter: () => pick(choices[active]),
    Escape: () => {
      setText('');
      setOpen(false);
    },
  };
  const isShown = isOpen && choices.length > 0;
  return (
    <search class="ask">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        role="combobox"
        dir="auto"
        aria-label="URL or query, or where to go"
        aria-expanded={isShown}
        aria-controls="ask-list"
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `ask-${active}` : undefined}
        autoComplete="off"
        placeholder="URL or query…"
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
      />
      <span class="keys" aria-hidden="true">
        Ctrl K
      </span>
      <div class="ask-list" id="ask-list" role="listbox" aria-label="Where to go" hidden={!isShown}>
        {choices.map((choice, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the combobox, which names the active option.
          <div
            key={choice.address}
            id={`ask-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            onMouseDown={(event) => event.preventDefault()}
            onMouseEnter={() => setActive(place)}
            onClick={() => pick(choice)}
          >
            <Icon name={choice.icon} />
            <span class="cut">{choice.label}</span>
          </div>
        ))}
      </div>
    </search>
  );
}

/** What was typed is asked about first, unless it is the beginning of a name. */
function useChoices(text: string): readonly Choice[] {
  const { session } = useSignedIn();
  const { engines = [], current } = useEngines();
  const begins = (name: string) => name.toLowerCase().startsWith(text.toLowerCase());
  const pages = SECTIONS.filter(({ id, label }) => {
    const isOpen = PAGES.some(({ section, least }) => section === id && mayOpen(session, least));
    return isOpen && begins(label) && (current !== undefined || id === 'home' || id === 'sites' || id === 'system');
  }).map(({ label, icon, path }) => ({
    label,
    icon,
    address: path.replace(':engineId', String(current?.id)),
  }));
  if (text === '') return pages;
  const sites = engines
    .filter(({ name }) => begins(name))
    .slice(0, MAX_SITES)
    .map(({ id, name }) => ({ label: name, icon: 'sites' as const, address: `/admin/sites/${id}` }));
  return [...pages, ...sites, ...questionAbout(text, current)];
}

function questionAbout(text: string, current: Engines['current']): readonly Choice[] {
  if (current === undefined || !PAGES.some(({ section }) => section === 'why')) return [];
  const query = new URLSearchParams({ q: text });
  const label = URL.canParse(text) ? `Why is ${text} found, or not?` : `What is found for “${text}”, and why?`;
  return [{ label, icon: 'why', address: `/admin/engines/${current.id}/why?${query}` }];
}

/** Ctrl-K, and `/` where nothing is typed. */
function useShortcut(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null;
      const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isCtrlK && (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [input]);
}
