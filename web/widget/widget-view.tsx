import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EngineConnection } from '../../packages/client/src/index.ts';
import type { ChunkLoader } from './chunks.ts';
import { BoxAndResults, Inline } from './inline.tsx';
import { Modal } from './modal.tsx';
import type { Options } from './options.ts';
import { followedLink, tellPage } from './page-events.ts';
import type { Part } from './search-element.ts';
import { type Clients, useWidgetSearch, type WidgetSearch } from './use-widget-search.ts';

/** What the script of the tag asks for. */
export type Controls = {
  /** `typed`: what was typed while the widget was on its way. */
  readonly open: (query: string, typed: string) => void;
  readonly toggle: (typed: string) => void;
  readonly close: () => void;
};

type Props = {
  readonly options: Options;
  readonly engine: EngineConnection;
  readonly clients: Clients;
  readonly loader: ChunkLoader;
  /** The first sends the events of the widget, which go up through the page. */
  readonly parts: readonly [Part, ...Part[]];
  readonly showResults: (content: ComponentChildren) => void;
  /** Called once. */
  readonly onReady: (controls: Controls) => void;
};

export function WidgetView({ options, engine, clients, loader, parts, showResults, onReady }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [calls, setCalls] = useState(0);
  const [{ host, root }] = parts;
  const model = useWidgetSearch(clients, () => root.activeElement instanceof HTMLInputElement);
  const close = () => setOpen(false);
  const show = () => {
    if (!isOpen) tellPage(host, 'open', {});
    setOpen(true);
  };
  const open = (query: string, typed: string) => {
    show();
    setCalls((count) => count + 1);
    if (query !== '') model.commit(query);
    else if (typed !== '') model.type(typed);
  };
  useControls(onReady, { open, toggle: (typed) => (isOpen ? close() : open('', typed)), close });
  useSelectEvent(parts, (link) => {
    close();
    return tellPage(host, 'select', { url: link.href, title: titleOf(link), query: model.text.trim() });
  });
  useSearchEvent(host, model);

  const panel = {
    model,
    tracking: clients.tracking,
    search: clients.search,
    engine,
    loader,
    hasAnswers: options.hasAnswers,
  };
  const { placeholder } = options;
  if (options.mode === 'results')
    return <BoxAndResults {...panel} placeholder={placeholder} calls={calls} show={showResults} />;
  const opening = { isOpen, placeholder, onOpen: show, onClose: close };
  if (options.mode === 'inline') return <Inline {...panel} {...opening} calls={calls} />;
  return <Modal {...panel} {...opening} hasButton={options.trigger === undefined} />;
}

/** Controls outlive the state that they are made of. */
function useControls(onReady: Props['onReady'], controls: Controls): void {
  const newest = useRef(controls);
  newest.current = controls;
  useEffect(
    () =>
      onReady({
        open: (query, typed) => newest.current.open(query, typed),
        toggle: (typed) => newest.current.toggle(typed),
        close: () => newest.current.close(),
      }),
    [],
  );
}

/** `onSelect` is false when the page follows the link itself. */
function useSelectEvent(parts: readonly Part[], onSelect: (link: HTMLAnchorElement) => boolean): void {
  const newest = useRef(onSelect);
  newest.current = onSelect;
  useEffect(() => {
    for (const { root } of parts) {
      root.addEventListener('click', (event) => {
        const link = event instanceof MouseEvent ? followedLink(event) : undefined;
        if (link !== undefined && !newest.current(link)) event.preventDefault();
      });
    }
  }, []);
}

function useSearchEvent(host: HTMLElement, { found }: WidgetSearch): void {
  useEffect(() => {
    if (found?.response === undefined || found.asked.how !== 'committed') return;
    tellPage(host, 'search', { query: found.asked.state.query, total: found.response.TotalDocument });
  }, [found]);
}

function titleOf(link: HTMLAnchorElement): string {
  return link.textContent?.trim() ?? '';
}
