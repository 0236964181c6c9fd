import type { Outcome } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import { originOf, urlPattern, urlTemplateOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { NewUrl } from '../../storage/engine/frontier.ts';
import { type PatternStatistics, RING_PAGES } from '../../storage/engine/patterns.ts';
import { isInformative } from '../rules/traps.ts';
import type { Decision } from './decision.ts';

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

const BITS_LOG2 = 15;
const BITS = 2 ** BITS_LOG2;
const WORDS_PER_GENERATION = BITS / 32;
/** Of both generations at most half is set, so that half of what is new is seen to be new. */
const MOST_RUNS = BITS / 4;
/** Characters that are looked at: a page that says something new says it early. */
const READ_CHARS = 4_000;

type TextNovelty = { readonly runs: number; readonly fresh: number };

/**
 * What the last pages of a URL template said, as a Bloom filter of their runs of three words in two generations: 8 KiB for
 * the last 8,000 to 16,000 runs, 25 to 50 pages of which each is new, and all pages that repeat each other. Numbers count as one word, so that a calendar does not look new each month.
 */
export class ShingleFilter {
  private present: Uint32Array;
  private before: Uint32Array;
  private held = 0;

  constructor(kept?: Uint8Array) {
    this.present = new Uint32Array(WORDS_PER_GENERATION);
    this.before = new Uint32Array(WORDS_PER_GENERATION);
    if (kept !== undefined) new Uint8Array(this.before.buffer).set(kept.subarray(0, this.before.byteLength));
  }

  /** Runs of words of the text, and how many of them none of the pages had; the page is added to them. */
  add(text: string): TextNovelty {
    if (this.held >= MOST_RUNS) {
      [this.before, this.present] = [this.present, this.before.fill(0)];
      this.held = 0;
    }
    const runs = runsOf(text.slice(0, READ_CHARS));
    let fresh = 0;
    for (const run of runs) if (!this.has(run)) fresh++;
    for (const run of runs) this.present[run >>> 5] = (this.present[run >>> 5] ?? 0) | (1 << (run & 31));
    this.held += fresh;
    return { runs: runs.length, fresh };
  }

  /** Both generations in one. */
  toBytes(): Uint8Array {
    return new Uint8Array(this.present.map((word, at) => word | (this.before[at] ?? 0)).buffer);
  }

  private has(run: number): boolean {
    const word = (this.present[run >>> 5] ?? 0) | (this.before[run >>> 5] ?? 0);
    return (word & (1 << (run & 31))) !== 0;
  }
}

/** Runs end with a sentence: the same sentences in another order say nothing new. */
function runsOf(text: string): readonly number[] {
  const runs: number[] = [];
  const folded = text.toLowerCase();
  let [first, second] = [0, 0];
  for (let at = 0; at < folded.length; ) {
    const kind = kindAt(folded, at);
    let hash = FNV_START;
    do {
      // Every number is the same word.
      if (kind === LETTER) hash = Math.imul(hash ^ folded.charCodeAt(at), FNV_PRIME);
      at++;
    } while (at < folded.length && kindAt(folded, at) === kind);
    if (kind === END) [first, second] = [0, 0];
    if (kind !== LETTER && kind !== DIGIT) continue;
    runs.push(mix(mix(Math.imul(first, 31) ^ second) ^ hash) >>> (32 - BITS_LOG2));
    [first, second] = [second, hash];
  }
  return runs;
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const UNKNOWN = 0;
const OTHER = 1;
const LETTER = 2;
const DIGIT = 3;
const END = 4;

/** Kind of each code unit that was met: 64 KiB, where a regular expression takes ten times as long. */
const KINDS = new Uint8Array(2 ** 16);

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = KINDS[unit] ?? UNKNOWN;
  if (known !== UNKNOWN) return known;
  if (unit >= 0xd800 && unit <= 0xdfff) return kindOf(codePointAround(text, at));
  const kind = kindOf(String.fromCharCode(unit));
  KINDS[unit] = kind;
  return kind;
}

/** Both halves of a pair are of the kind of their character. */
function codePointAround(text: string, at: number): string {
  const isSecond = at > 0 && text.charCodeAt(at) >= 0xdc00 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return String.fromCodePoint(text.codePointAt(isSecond ? at - 1 : at) ?? 0);
}

function kindOf(character: string): number {
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /[.!?\n]/.test(character) ? END : OTHER;
}

/** Every bit of the input moves the upper bits of the result (multiplicative hashing, Knuth 6.4). */
function mix(value: number): number {
  const hash = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
}

/** Visits of a URL template until it is known whether links to it lead on. */
const YOUNG_VISITS = 5;

/** Outcomes of a page that answered; a failed visit says nothing about its pattern. */
const COUNTED: ReadonlySet<Outcome> = new Set(['added', 'changed', 'unchanged', 'aliased', 'skipped']);

type VisitNovelty = {
  readonly row: DueRow;
  readonly decision: Decision;
  readonly extraction: Extraction | undefined;
  /** The page stands for one that was not known or not visited yet. */
  readonly leadsOn: boolean;
  readonly fresh: readonly NewUrl[];
};

/**
 * What a first visit says about the pattern of its URL: did it bring a document with text of its own, or the way to
 * something that may? Undefined for later visits and for those that brought no answer. (crawling 18)
 */
export function statisticsOf(
  urlTemplates: UrlTemplateStatistics,
  told: VisitNovelty,
): (PatternStatistics & { readonly patternId: number }) | undefined {
  const { row, decision, extraction } = told;
  const { patternId } = row;
  if (patternId === undefined || !isFirst(row) || !isCounted(decision)) return undefined;
  const isStored = decision.document !== undefined && 'put' in decision.document;
  const text = extraction === undefined ? '' : firstValue(extraction.fields, 'Content');
  const novelty = urlTemplates.read(row, text);
  const isOriginal = isInformative(text.length, novelty) || standsForOthers(told);
  const hasNews = isStored ? isOriginal : told.leadsOn;
  const isAlias = decision.record?.state === 'duplicate' || decision.record?.state === 'alias';
  const informative = hasNews || (!isAlias && leadsOn(urlTemplates, told));
  if (!informative && isDeadEnd(told) && (isAlias || isNamed(row.url))) return undefined;
  urlTemplates.count(row, informative);
  return { patternId, informative, sameText: isAlias && !informative };
}

/**
 * A page under a path of its own that names no new URL costs one visit and leads to no other: the untranslated pages of a
 * mirror are no trap, and translated ones stand beside them; nor are the pages of a manual that say that something is
 * not used.
 */
function isDeadEnd({ row, fresh }: VisitNovelty): boolean {
  return fresh.length === 0 && new URL(row.url).search === '';
}

/** Its last segment is more than a number, which whoever counts can write without end. */
function isNamed(url: string): boolean {
  return !/\/\d*$/.test(new URL(url).pathname);
}

/** It was answered; and without its text nobody knows what the page brings. */
function isCounted({ next, log, record }: Decision): boolean {
  const isAnswered = log?.httpStatus !== undefined && COUNTED.has(log.outcome);
  return next === 'done' && isAnswered && record?.reason !== 'thin';
}

/** The page takes the place of a copy in another URL template. */
function standsForOthers({ row, decision: { supersedes } }: VisitNovelty): boolean {
  return supersedes !== undefined && urlTemplateOf(supersedes.url) !== urlTemplateOf(row.url);
}

/** Known only, or refused before: what had a document or stands for another page was judged then. */
function isFirst({ record: { state, reason } }: DueRow): boolean {
  return state === 'known' || (state === 'skipped' && reason === 'trap');
}

/** Does the page name a new URL of another URL template, which is young or has brought something? */
function leadsOn(urlTemplates: UrlTemplateStatistics, { row, fresh }: VisitNovelty): boolean {
  const own = urlTemplateOf(row.url);
  const origin = originOf(row.url);
  return fresh.some(({ url, isTrap }) => {
    if (isTrap === true) return false;
    if (originOf(url) !== origin) return true;
    const urlTemplate = urlTemplateOf(url);
    if (urlTemplate === own) return false;
    const { visited, informative } = urlTemplates.countsOf(row.hostId, urlTemplate);
    return visited < YOUNG_VISITS || informative > 0;
  });
}
