import { urlPattern, urlTemplateOf } from '../../core/url-pattern.ts';
import type { DueRow } from '../../storage/frontier-store.ts';
import { RING_PAGES } from '../../storage/pattern-store.ts';
import { ShingleFilter, type TextNovelty } from './shingle-filter.ts';

const MAX_TEXTS = 1_000;
const MAX_URL_TEMPLATES = 20_000;
/** URLs of visits under way, which are asked about several times each. */
const MAX_TEMPLATES_OF_URLS = 100;

type Counts = {
  readonly visited: number;
  readonly informative: number;
  /** First visits in a row that brought nothing, and visits under way. */
  readonly streak: number;
  readonly pending: number;
};
type VisitedRow = Pick<DueRow, 'hostId' | 'url'>;

/** What this process saw of the URL templates of a crawler's URLs; at most 8 MiB of texts. Lost with the process. */
export type UrlTemplateStatistics = {
  /** What of the text the last pages of the same path did not have; remembers it. */
  read(row: VisitedRow, text: string): TextNovelty;
  /** Is anything remembered of the pages of this path? */
  knows(row: VisitedRow): boolean;
  restore(row: VisitedRow, seen: Uint8Array): void;
  textsOf(row: VisitedRow): Uint8Array | undefined;
  count(row: VisitedRow, informative: boolean): void;
  begin(row: VisitedRow): void;
  end(row: VisitedRow): void;
  /** Resolves when the next visit has ended, of whatever slice. */
  nextEnd(): Promise<void>;
  /** The visits under way may show that the row's pattern is to be closed. */
  mayCloseSoon(row: VisitedRow): boolean;
  countsOf(hostId: number, urlTemplate: string): Counts;
  /** Patterns and URL templates that were closed or opened since this process looks. */
  close(hostId: number, pattern: string): void;
  open(hostId: number, pattern: string): void;
  isClosed(row: VisitedRow): boolean;
};

/** Memories of the crawlers that were crawled last; shared by the slices of a process. */
export function createUrlTemplateStatistics(maxCrawlers = 4): (crawlerId: number) => UrlTemplateStatistics {
  const held = new Map<number, UrlTemplateStatistics>();
  return (crawlerId) => {
    const urlTemplates = held.get(crawlerId) ?? openTemplateStatistics();
    putLast(held, crawlerId, urlTemplates, maxCrawlers);
    return urlTemplates;
  };
}

function openTemplateStatistics(): UrlTemplateStatistics {
  const texts = new Map<string, ShingleFilter>();
  const counts = new Map<string, Counts>();
  const closed = new Set<string>();
  const waiting: (() => void)[] = [];
  const templates = new Map<string, readonly string[]>();
  const templatesOf = (url: string): readonly string[] => {
    const known = templates.get(url);
    if (known !== undefined) return known;
    const found = patternAndUrlTemplate(url);
    putLast(templates, url, found, MAX_TEMPLATES_OF_URLS);
    return found;
  };
  const change = ({ hostId, url }: VisitedRow, changed: (before: Counts) => Counts) => {
    for (const pattern of templatesOf(url)) {
      const key = keyOf(hostId, pattern);
      putLast(counts, key, changed(counts.get(key) ?? NONE), MAX_URL_TEMPLATES);
    }
  };
  return {
    read: (row, text) => {
      const key = textKey(row);
      const seen = texts.get(key) ?? new ShingleFilter();
      putLast(texts, key, seen, MAX_TEXTS);
      return seen.add(text);
    },
    knows: (row) => texts.has(textKey(row)),
    restore: (row, seen) => putLast(texts, textKey(row), new ShingleFilter(seen), MAX_TEXTS),
    textsOf: (row) => texts.get(textKey(row))?.toBytes(),
    count: (row, informative) => {
      change(row, (before) => ({
        ...before,
        visited: before.visited + 1,
        informative: before.informative + (informative ? 1 : 0),
        streak: informative ? 0 : before.streak + 1,
      }));
    },
    begin: (row) => change(row, (before) => ({ ...before, pending: before.pending + 1 })),
    end: (row) => {
      change(row, (before) => ({ ...before, pending: before.pending - 1 }));
      for (const resolve of waiting.splice(0)) resolve();
    },
    nextEnd: () => new Promise((resolve) => waiting.push(resolve)),
    mayCloseSoon: ({ hostId, url }) =>
      templatesOf(url).some((pattern) => {
        const { streak, pending } = counts.get(keyOf(hostId, pattern)) ?? NONE;
        return pending > 0 && streak >= RING_PAGES / 2 && streak + pending >= RING_PAGES;
      }),
    countsOf: (hostId, urlTemplate) => counts.get(keyOf(hostId, urlTemplate)) ?? NONE,
    close: (hostId, pattern) => closed.add(keyOf(hostId, pattern)),
    open: (hostId, pattern) => closed.delete(keyOf(hostId, pattern)),
    isClosed: ({ hostId, url }) =>
      closed.size > 0 && templatesOf(url).some((pattern) => closed.has(keyOf(hostId, pattern))),
  };
}

const NONE: Counts = { visited: 0, informative: 0, streak: 0, pending: 0 };

function patternAndUrlTemplate(url: string): readonly string[] {
  const [pattern, urlTemplate] = [urlPattern(url), urlTemplateOf(url)];
  return pattern === urlTemplate ? [pattern] : [pattern, urlTemplate];
}

function keyOf(hostId: number, pattern: string): string {
  return `${hostId} ${pattern}`;
}

/** Pages with and without a query are compared with each other. */
function textKey({ hostId, url }: VisitedRow): string {
  return keyOf(hostId, urlTemplateOf(url.replace(/\?.*$/, '')));
}

/** The entry that was put first goes first. */
function putLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
