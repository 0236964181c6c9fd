import { urlFamily, urlPattern } from '../../core/url-pattern.ts';
import type { DueRow } from '../../storage/frontier-store.ts';
import { RING_PAGES } from '../../storage/pattern-store.ts';
import { SeenText, type TextNovelty } from './seen-text.ts';

const MAX_TEXTS = 1_000;
const MAX_FAMILIES = 20_000;
/** URLs of visits under way, which are asked about several times each. */
const MAX_KIN = 100;

type Counts = {
  readonly visited: number;
  readonly informative: number;
  /** First visits in a row that brought nothing, and visits under way. */
  readonly streak: number;
  readonly pending: number;
};
type VisitedRow = Pick<DueRow, 'hostId' | 'url'>;

/** What this process saw of the families of a crawler's URLs; at most 8 MiB of texts. Lost with the process. */
export type FamilyMemories = {
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
  countsOf(hostId: number, family: string): Counts;
  /** Patterns and families that were closed or opened since this process looks. */
  close(hostId: number, pattern: string): void;
  open(hostId: number, pattern: string): void;
  isClosed(row: VisitedRow): boolean;
};

/** Memories of the crawlers that were crawled last; shared by the slices of a process. */
export function createFamilyMemories(maxCrawlers = 4): (crawlerId: number) => FamilyMemories {
  const held = new Map<number, FamilyMemories>();
  return (crawlerId) => {
    const memories = held.get(crawlerId) ?? openMemories();
    putLast(held, crawlerId, memories, maxCrawlers);
    return memories;
  };
}

function openMemories(): FamilyMemories {
  const texts = new Map<string, SeenText>();
  const counts = new Map<string, Counts>();
  const closed = new Set<string>();
  const waiting: (() => void)[] = [];
  const kin = new Map<string, readonly string[]>();
  const kinOf = (url: string): readonly string[] => {
    const known = kin.get(url);
    if (known !== undefined) return known;
    const found = patternAndFamily(url);
    putLast(kin, url, found, MAX_KIN);
    return found;
  };
  const change = ({ hostId, url }: VisitedRow, changed: (before: Counts) => Counts) => {
    for (const pattern of kinOf(url)) {
      const key = keyOf(hostId, pattern);
      putLast(counts, key, changed(counts.get(key) ?? NONE), MAX_FAMILIES);
    }
  };
  return {
    read: (row, text) => {
      const key = textKey(row);
      const seen = texts.get(key) ?? new SeenText();
      putLast(texts, key, seen, MAX_TEXTS);
      return seen.add(text);
    },
    knows: (row) => texts.has(textKey(row)),
    restore: (row, seen) => putLast(texts, textKey(row), new SeenText(seen), MAX_TEXTS),
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
      kinOf(url).some((pattern) => {
        const { streak, pending } = counts.get(keyOf(hostId, pattern)) ?? NONE;
        return pending > 0 && streak >= RING_PAGES / 2 && streak + pending >= RING_PAGES;
      }),
    countsOf: (hostId, family) => counts.get(keyOf(hostId, family)) ?? NONE,
    close: (hostId, pattern) => closed.add(keyOf(hostId, pattern)),
    open: (hostId, pattern) => closed.delete(keyOf(hostId, pattern)),
    isClosed: ({ hostId, url }) => closed.size > 0 && kinOf(url).some((pattern) => closed.has(keyOf(hostId, pattern))),
  };
}

const NONE: Counts = { visited: 0, informative: 0, streak: 0, pending: 0 };

function patternAndFamily(url: string): readonly string[] {
  const [pattern, family] = [urlPattern(url), urlFamily(url)];
  return pattern === family ? [pattern] : [pattern, family];
}

function keyOf(hostId: number, pattern: string): string {
  return `${hostId} ${pattern}`;
}

/** Pages with and without a query are compared with each other. */
function textKey({ hostId, url }: VisitedRow): string {
  return keyOf(hostId, urlFamily(url.replace(/\?.*$/, '')));
}

/** The entry that was put first goes first. */
function putLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
