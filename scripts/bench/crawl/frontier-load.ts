import { FRONTIER_FLAGS } from '../../../src/core/crawl-words.ts';
import type { DueRow } from '../../../src/storage/engine/due-rows.ts';
import type { NewUrl } from '../../../src/storage/engine/frontier.ts';
import type { LeasedLane } from '../../../src/storage/engine/lanes.ts';
import type { RecordedVisit } from '../../../src/storage/engine/visits.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Frontier } from './open-frontier.ts';

/** Links of a page that are known already; one more is new. */
const KNOWN_LINKS = 90;
const TAKEN = 32;
const RECORDED = 16;
const CHUNK = 5_000;
const DAY_MS = 86_400_000;
const TEXT = 'lorem ipsum dolor sit amet '.repeat(220);
const STARTED_AT = Date.UTC(2026, 0, 1);

export const CRAWLER_ID = 1;

/** A crawl without a network: a frontier that knows `known` URLs of 95 characters on one host. */
export type FrontierLoad = {
  readonly known: () => number;
  /** Adds URLs, as sitemaps do, until so many are known. */
  grow(target: number): void;
  /** Takes and records pages with 90 known links each, named by their ids, or by URL as after a restart. */
  visit(pages: number, links: 'ids' | 'urls'): number;
  readonly lane: () => LeasedLane;
  now(): number;
};

export function startLoad(frontier: Frontier, activation: number): FrontierLoad {
  const random = seededRandom(11);
  let known = 0;
  let now = STARTED_AT;
  const lane = frontier.write('takeLane', { ...PAGE_LANE, holder: 'bench' });
  if (lane === undefined) throw new Error('The lane is held');
  const order = { crawlerId: CRAWLER_ID, activation, configVersion: 1 };
  const run = { ...order, kind: 'full', startedBy: 'bench', at: now, whenBusy: 'wait' } as const;
  const runId = frontier.write('createRun', run) ?? 0;
  frontier.write('startRun', runId, now);
  const add = (urls: readonly NewUrl[]) => frontier.write('addUrls', { ...order, runId, now, urls });
  const record = (row: DueRow, links: 'ids' | 'urls'): RecordedVisit => {
    const places = Array.from({ length: KNOWN_LINKS }, () => Math.floor(random() * known));
    const fresh = [...(links === 'urls' ? places.map(newUrl) : []), newUrl(known)];
    known++;
    return visited(row, now, { known: links === 'ids' ? places.map((place) => place + 1) : [], fresh });
  };
  add([newUrl(0)]);
  known = 1;
  return {
    known: () => known,
    lane: () => lane,
    now: () => now,
    grow: (target) => {
      for (; known < target; known = Math.min(target, known + CHUNK)) {
        add(Array.from({ length: Math.min(CHUNK, target - known) }, (_, i) => newUrl(known + i)));
      }
    },
    visit: (pages, links) => {
      let visits = 0;
      while (visits < pages) {
        const asked = { ...order, lane, stage: 'page', now: ++now, maxPriority: 3 } as const;
        const rows = frontier.write('takeDue', { ...asked, hosts: [{ hostId: 1, limit: TAKEN }] });
        if (rows.length === 0) break;
        for (let at = 0; at < rows.length; at += RECORDED) {
          const visits = rows.slice(at, at + RECORDED).map((row) => record(row, links));
          frontier.write('recordVisits', { ...order, lane, now: ++now, visits });
        }
        visits += rows.length;
      }
      return visits;
    },
  };
}

export const PAGE_LANE = { crawlerId: CRAWLER_ID, stage: 'page', lane: 1 } as const;

function newUrl(place: number): NewUrl {
  const slug = `some-longer-article-slug-about-a-topic-${(place * 7_919) % 997}-${place}`;
  const url = `https://www.example.org/section-${place % 37}/${slug}.html`;
  return { url, origin: 'link', depth: 3, priority: 3, flags: FRONTIER_FLAGS.follow, enqueue: 'if-new' };
}

function visited(
  { urlId, hostId, url, record }: DueRow,
  now: number,
  links: { readonly known: readonly number[]; readonly fresh: readonly NewUrl[] },
): RecordedVisit {
  const hash = String(BigInt(urlId) * 1_234_567_890_123n);
  const fields = new Map([
    ['Title', [`Page ${urlId}`]],
    ['Content', [`${urlId} ${TEXT}`]],
  ]);
  return {
    urlId,
    hostId,
    next: 'done',
    answer: 'good',
    target: undefined,
    log: {
      outcome: 'unchanged',
      reason: 'same-content',
      httpStatus: 200,
      bytes: 46_000,
      millis: 12,
      detail: undefined,
    },
    record: {
      ...record,
      state: 'live',
      reason: 'content-changed',
      httpStatus: 200,
      extractVersion: 1,
      contentChars: TEXT.length,
      etag: '"5f3c-61a2b3c4d5e6f"',
      lastModified: 'Fri, 02 Jan 2026 00:00:00 GMT',
      bodyHash: hash,
      contentHash: hash,
      similarity: hash,
      changedAt: now,
      intervalMs: DAY_MS,
      nextAt: now + DAY_MS,
    },
    document: {
      put: { id: url, kind: 'PageContent', origin: 'crawled', language: 'en', fields, structure: undefined },
    },
    links: { ...links, pageLimit: Number.MAX_SAFE_INTEGER },
  };
}
