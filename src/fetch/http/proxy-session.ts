import { AppError } from '../../core/errors.ts';
import type { OpenTraffic, PageBudget, PageTraffic } from '../egress-proxy.ts';
import type { FetchAccess, FetchLimits } from '../fetcher.ts';

/** Of a pass to one origin (reliability: egress gate). */
const CONNECTIONS_PER_ORIGIN = 6;

/** Something under way that ends when the pass or the page's budget does. */
export type Ending = { destroy(): void };

/** What the proxy keeps of a browser context. */
export type OpenProxySession = {
  readonly access: FetchAccess;
  readonly limits: FetchLimits;
  openPage(budget: PageBudget): OpenTraffic;
  /** False: the page is over its budget, or none is open. */
  mayBegin(): boolean;
  /** Resolves when the origin has a free connection; the result gives it back. */
  connection(origin: string): Promise<() => void>;
  /** Counts bytes of the open page; false when there is no budget for them. */
  count(bytes: number): boolean;
  failed(origin: string, error: unknown): void;
  /** Ends with the pass, or when the page is cut. */
  own(ending: Ending): void;
  disown(ending: Ending): void;
  close(): void;
};

type Page = {
  readonly budget: PageBudget;
  requests: number;
  bytes: number;
  isCut: boolean;
  readonly failures: Map<string, string>;
};

export function createProxySession({
  access,
  limits,
}: {
  readonly access: FetchAccess;
  readonly limits: FetchLimits;
}): OpenProxySession {
  const endings = new Set<Ending>();
  const queues = createQueues();
  let page: Page | undefined;
  const endAll = () => {
    for (const ending of endings) ending.destroy();
    endings.clear();
  };
  const cut = (open: Page) => {
    open.isCut = true;
    endAll();
  };
  return {
    access,
    limits,
    openPage: (budget) => {
      const open: Page = { budget, requests: 0, bytes: 0, isCut: false, failures: new Map() };
      page = open;
      return {
        read: () => trafficOf(open),
        cut: () => cut(open),
        [Symbol.dispose]: () => {
          if (page === open) page = undefined;
        },
      };
    },
    mayBegin: () => {
      if (page === undefined || page.isCut) return false;
      page.requests++;
      if (page.requests > page.budget.requests) cut(page);
      return !page.isCut;
    },
    connection: queues.take,
    count: (bytes) => {
      if (page === undefined || page.isCut) return false;
      page.bytes += bytes;
      if (page.bytes > page.budget.bytes) cut(page);
      return !page.isCut;
    },
    failed: (origin, error) => {
      page?.failures.set(origin, reasonOf(error));
    },
    own: (ending) => endings.add(ending),
    disown: (ending) => endings.delete(ending),
    close: () => {
      page = undefined;
      endAll();
    },
  };
}

function trafficOf({ requests, bytes, isCut, failures }: Page): PageTraffic {
  return { requests, bytes, isOverBudget: isCut, failures };
}

function reasonOf(error: unknown): string {
  const reason = error instanceof AppError ? error.options.details?.['reason'] : undefined;
  return typeof reason === 'string' ? reason : 'protocol';
}

function createQueues(): { take(origin: string): Promise<() => void> } {
  const busy = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  const free = (origin: string) => {
    const next = waiting.get(origin)?.shift();
    if (next !== undefined) next();
    else busy.set(origin, (busy.get(origin) ?? 1) - 1);
  };
  return {
    take: async (origin) => {
      const used = busy.get(origin) ?? 0;
      if (used < CONNECTIONS_PER_ORIGIN) busy.set(origin, used + 1);
      else await new Promise<void>((resolve) => waiting.set(origin, [...(waiting.get(origin) ?? []), resolve]));
      let isFree = false;
      return () => {
        if (!isFree) free(origin);
        isFree = true;
      };
    },
  };
}
