import type { startWidget } from './app.tsx';
import { createChunkLoader, type WidgetBuild } from './chunks.ts';
import type { Controls } from './widget-view.tsx';

/** Written by the build. */
declare const WIDGET_BUILD: WidgetBuild;

/** What a page may call. */
export type PageApi = {
  /** Opens the search, or moves the focus to its box; a query is searched at once. */
  readonly open: (query?: string) => void;
  readonly close: () => void;
};

declare global {
  interface Window {
    /** Of the first tag of the page. */
    fossick?: PageApi;
  }
}

/** The address of this script, `/widget.js` or `/widget/<version>/widget.js`, behind that of the product. */
const OWN_PATH = /widget(\/[^/]+\/widget)?\.js([?#].*)?$/;

const script = document.currentScript;
if (script instanceof HTMLScriptElement) begin(script);

/** All that a page loads before somebody searches. Whatever fails here is told on the console and nowhere else. */
function begin({ src, dataset, nonce }: HTMLScriptElement): void {
  const options = { ...dataset };
  const root = src.replace(OWN_PATH, '');
  const { version, chunks } = WIDGET_BUILD;
  const loader = createChunkLoader(`${root}widget/${version}/`, chunks, nonce);
  let widget: Promise<Controls | undefined> | undefined;
  const start = () => {
    widget ??= pageIsRead()
      .then(() => loader.load<{ readonly startWidget: typeof startWidget }>('app'))
      .then((app) => app.startWidget({ options, root, loader }))
      .catch((cause: unknown) => {
        widget = undefined;
        console.warn('The search of this page could not be started', cause);
        return undefined;
      });
    return widget;
  };
  const call = (tell: (controls: Controls, typed: string) => void) => {
    const endTyping = catchKeys();
    void start().then((controls) => {
      const typed = endTyping();
      if (controls !== undefined) tell(controls, typed);
    });
  };
  const open = (query = '') => call((controls, typed) => controls.open(query, typed));
  const toggle = () => call((controls, typed) => controls.toggle(typed));
  window.fossick ??= { open, close: () => void widget?.then((controls) => controls?.close()) };
  if ((options['mode'] ?? 'modal') === 'modal') listen(toggle, options['trigger']);
  whenIdle(() => void start());
}

/** Ctrl-K, Cmd-K and `/` open the search, and so does every element that the page names, also those that come later. */
function listen(toggle: () => void, trigger: string | undefined): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !isShortcut(event)) return;
    event.preventDefault();
    toggle();
  });
  if (trigger === undefined) return;
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.target.closest(trigger) === null) return;
    event.preventDefault();
    toggle();
  });
}

function isShortcut(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k';
  return key === '/' && !isWriting(event);
}

/** The target of an event from inside a component is the component itself. */
function isWriting(event: KeyboardEvent): boolean {
  return [event.target, event.composedPath()[0]].some(
    (each) =>
      each instanceof HTMLElement &&
      (each.isContentEditable || each.matches('input, textarea, select, fossick-search')),
  );
}

/** Keys that are typed before the box is there; the function that it gives ends it and tells them. */
function catchKeys(): () => string {
  let typed = '';
  const note = (event: KeyboardEvent) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    typed += event.key;
    event.preventDefault();
  };
  document.addEventListener('keydown', note);
  return () => {
    document.removeEventListener('keydown', note);
    return typed;
  };
}

function pageIsRead(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }));
}

/** Behind everything that the page itself has to load. */
function whenIdle(work: () => void): void {
  const wait = () => ('requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, 1));
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}
