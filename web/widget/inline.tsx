import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { moveFocus } from './move-focus.ts';
import { isEmpty, Panel, type PanelProps } from './panel.tsx';
import { SearchForm } from './search-form.tsx';

type Props = PanelProps & {
  readonly placeholder: string | undefined;
  /** Grows with every call of the page that asks for the box. */
  readonly calls: number;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
};

/** A box in the page, with a panel under it that opens when there is something to show. */
export function Inline({ placeholder, calls, isOpen, onOpen, onClose, ...props }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const box = useCalledBox(calls);
  const { model } = props;
  const isShown = isOpen && !isEmpty(model);
  useEffect(() => {
    if (!isShown) return undefined;
    const leave = (event: Event) => {
      if (frame.current && !event.composedPath().includes(frame.current)) onClose();
    };
    const events = ['pointerdown', 'focusin'] as const;
    for (const name of events) document.addEventListener(name, leave);
    return () => {
      for (const name of events) document.removeEventListener(name, leave);
    };
  }, [isShown]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!box.current || !panel.current) return;
    if (event.key === 'Escape' && isShown) {
      box.current.focus();
      onClose();
    } else if (moveFocus(event, box.current, panel.current)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the box and the links inside.
    <div ref={frame} class="inline" onKeyDown={onKeyDown} onFocusCapture={onOpen} onInput={onOpen}>
      <SearchForm model={model} placeholder={placeholder} box={box} />
      <div ref={panel} class="panel" hidden={!isShown}>
        <Panel {...props} />
      </div>
    </div>
  );
}

type ResultsProps = PanelProps & {
  readonly placeholder: string | undefined;
  readonly calls: number;
  /** Renders into the element that the page has given for results. */
  readonly show: (results: ComponentChildren) => void;
};

/** A box in one place of the page, and what it finds in another. */
export function BoxAndResults({ placeholder, calls, show, ...props }: ResultsProps) {
  const box = useCalledBox(calls);
  const panel = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (box.current && panel.current && moveFocus(event, box.current, panel.current)) event.preventDefault();
  };
  useLayoutEffect(() =>
    show(
      // biome-ignore lint/a11y/noStaticElementInteractions: keys of the links inside.
      <div ref={panel} class="results-part" onKeyDown={onKeyDown}>
        <Panel {...props} />
      </div>,
    ),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the box inside.
    <div onKeyDown={onKeyDown}>
      <SearchForm model={props.model} placeholder={placeholder} box={box} />
    </div>
  );
}

/** The box, which has the focus after each call. */
function useCalledBox(calls: number) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (calls > 0) box.current?.focus();
  }, [calls]);
  return box;
}
