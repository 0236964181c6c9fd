import type { FetchAccess, FetchLimits, Hop } from './fetcher.ts';

export const BLOCKABLE_RESOURCES = ['image', 'media', 'font', 'stylesheet'] as const;
export type BlockableResource = (typeof BLOCKABLE_RESOURCES)[number];

export type RenderSettings = {
  /** CSS selector that the page shows when it is ready. */
  readonly waitFor: string | undefined;
  /** Time without a change after which the page is ready. */
  readonly settleMs: number;
  /** Longest time from the start to the reading of the page. */
  readonly timeoutMs: number;
  /** Kinds of resources that are not loaded. */
  readonly block: readonly BlockableResource[];
};

export type RenderRequest = {
  readonly url: string;
  /** Sent with every request of the page; never credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: FetchLimits;
  readonly access: FetchAccess;
  readonly settings: RenderSettings;
};

export type RenderedPage = {
  /** Of the document that was read. */
  readonly url: string;
  readonly status: number;
  /** Of the document, lower-case names; the media type is that of `body`. */
  readonly headers: ReadonlyMap<string, string>;
  /** Redirects of the server and of scripts. */
  readonly redirects: readonly Hop[];
  /** The tree as HTML in UTF-8: open shadow roots in place, scripts left out, visibility marked. */
  readonly body: Uint8Array;
  /** The page became quiet in time, within its budget, and nothing of its own origin failed. */
  readonly isComplete: boolean;
  readonly firstByteMs: number;
  readonly millis: number;
  readonly wireBytes: number;
};

/**
 * Port: a page as a reader of a browser sees it. Promises:
 * 1. an HTTP answer of any status is a result; an error means that there was no document to read;
 * 2. every byte goes through the egress proxy;
 * 3. a page sees no cookie, storage or credential of another crawler or page;
 * 4. credentials go to their own origin only;
 * 5. the signal is honoured within 500 ms;
 * 6. a browser that died or grew too large is replaced, and costs at most the pages that it had open.
 */
export interface Renderer extends AsyncDisposable {
  /**
   * @throws AppError `fetch.unavailable` with reason `render-failed` (crash, timeout, no document), `shutdown` (the
   * signal), or the reason of a connection that failed
   * @throws AppError `fetch.blocked-address` with the gate's reason
   * @throws AppError `fetch.too-large` when the tree is larger than a page may be
   */
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage>;
}
