/** What the page may hear, from its document on; `fossick:select` can be cancelled, as an application with routes does. */
export type PageEvents = {
  readonly open: Readonly<Record<string, never>>;
  readonly search: { readonly query: string; readonly total: number };
  readonly select: { readonly url: string; readonly title: string; readonly query: string };
};

/** False when the page has cancelled it. */
export function tellPage<Name extends keyof PageEvents>(
  host: HTMLElement,
  name: Name,
  detail: PageEvents[Name],
): boolean {
  const init = { bubbles: true, composed: true, cancelable: name === 'select', detail };
  return host.dispatchEvent(new CustomEvent(`fossick:${name}`, init));
}

/** The link that a click follows in this tab; others are left to the browser. */
export function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  const [target] = event.composedPath();
  return target instanceof Element ? (target.closest<HTMLAnchorElement>('a[href]') ?? undefined) : undefined;
}
