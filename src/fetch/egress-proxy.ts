import type { FetchAccess, FetchLimits } from './fetcher.ts';

/** What a page may use in all; beyond it everything more is refused. */
export type PageBudget = { readonly requests: number; readonly bytes: number };

/** Of a stock installation (reliability: egress gate). */
export const DEFAULT_PAGE_BUDGET: PageBudget = { requests: 200, bytes: 50 * 1024 * 1024 };

export type PageTraffic = {
  readonly requests: number;
  /** In both directions, tunnels included. */
  readonly bytes: number;
  readonly isOverBudget: boolean;
  /** Origin → reason of the refusal or failure that its newest connection met. */
  readonly failures: ReadonlyMap<string, string>;
};

export type OpenTraffic = Disposable & {
  /** What has been used until now. */
  read(): PageTraffic;
  /** Refuses everything more and ends what is under way. */
  cut(): void;
};

/** Leave for one browser context: nobody else knows its credentials. Disposing it ends its connections. */
export type ProxySession = Disposable & {
  readonly username: string;
  readonly password: string;
  /** Traffic from here on is that of one page, until it is disposed. One page at a time. */
  openPage(budget: PageBudget): OpenTraffic;
};

/**
 * Port: the only way of a browser to the network. Promises:
 * 1. only who shows the credentials of a pass gets out, and only while a page is open on it;
 * 2. every connection, plain or tunnelled, goes to an address that the egress gate admitted for the pass;
 * 3. a page that has used its budget gets nothing more;
 * 4. a pass has at most 6 connections to an origin at once, more wait;
 * 5. a refusal is a bare 403, a failure a bare 502: neither says which address was met;
 * 6. credentials of the proxy never reach a site.
 */
export interface EgressProxy extends AsyncDisposable {
  /** `http://127.0.0.1:port`. */
  readonly server: string;
  /** An empty page of the proxy itself, for whoever shows a pass. */
  readonly helloUrl: string;
  openSession(input: { readonly access: FetchAccess; readonly limits: FetchLimits }): ProxySession;
}
