import { FRONTIER_FLAGS } from '../../src/core/crawl-words.ts';
import { compileCrawlRules } from '../../src/crawl/rules/crawl-rules.ts';
import type { FetchedFacts, VisitFacts } from '../../src/crawl/visit/decision.ts';
import type { Extraction } from '../../src/extract/extraction.ts';
import type { DueRow } from '../../src/storage/engine/due-rows.ts';
import { NO_TRUST } from '../../src/storage/engine/host-trust.ts';
import type { UrlFacts } from '../../src/storage/engine/urls.ts';
import { facts as urlFacts } from './frontier.ts';

/** Facts of a visit, an answer of 200 with a page unless they are changed. */

export const NOW = 1_000_000_000;
export const URL_TEXT = 'https://site.example/a';

export const row = (changes: Partial<DueRow> = {}, record: Partial<UrlFacts> = {}): DueRow => ({
  urlId: 1,
  hostId: 1,
  url: URL_TEXT,
  depth: 1,
  runId: 1,
  runKind: 'full',
  priority: 2,
  attempts: 0,
  crashes: 0,
  flags: FRONTIER_FLAGS.follow,
  stage: 'page',
  detail: undefined,
  origin: 'link',
  patternId: 1,
  visitedAt: undefined,
  sitemapLastmod: undefined,
  patternIntervalMs: undefined,
  visits: 0,
  firstSeenAt: 0,
  record: urlFacts({ state: 'known', reason: 'none', httpStatus: undefined, ...record }),
  ...changes,
});

export const fetched = (changes: Partial<FetchedFacts> = {}, headers: Record<string, string> = {}): FetchedFacts => ({
  status: 200,
  headers: new Map(Object.entries(headers)),
  wireBytes: 100,
  millis: 7,
  detail: undefined,
  isFile: false,
  bodyHash: '5',
  end: { isReported: true, hasTag: true },
  ...changes,
});

export const extraction = (changes: Partial<Extraction> = {}): Extraction => ({
  status: 'ok',
  reason: '',
  kind: 'PageContent',
  fields: new Map([
    ['Title', ['Alpha']],
    ['Content', ['Some text.']],
  ]),
  structure: { version: 1, sections: [], surroundings: '' },
  language: { code: 'en', confidence: 0.8, from: 'declared' },
  cuts: [],
  canonicalUrl: undefined,
  alternates: [],
  feeds: [],
  directives: { index: true, follow: true, snippet: true, unavailableAfter: undefined, sources: [] },
  outlinks: [],
  refreshUrl: undefined,
  renderWanted: undefined,
  asksPassword: false,
  robotWall: undefined,
  templateBlocks: [],
  isTitleSettled: true,
  headTitle: '',
  contentHash: 'ff'.repeat(32),
  similarityHash: '0'.repeat(16),
  trace: { media: 'html', charset: 'utf-8', sources: {}, hiddenChars: 0, notes: [] },
  ...changes,
});

export const visit = (changes: Partial<VisitFacts> = {}): VisitFacts => ({
  row: row(),
  rules: compileCrawlRules({ config: { seeds: ['https://site.example/'], noIndex: ['/list'] }, configVersion: 1 }),
  now: NOW,
  jitter: 0,
  host: {
    ...{ health: 'g'.repeat(50), holds: 0, seedStands: true, trust: NO_TRUST },
    ...{ notFound: undefined, believedUntil: 0 },
  },
  isElsewhere: false,
  removals: { removed: 0, documents: 100 },
  held: undefined,
  document: undefined,
  fetched: fetched(),
  failure: undefined,
  extraction: extraction(),
  target: undefined,
  sameBody: false,
  ...changes,
});
