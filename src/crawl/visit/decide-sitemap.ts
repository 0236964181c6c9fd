import type { Outcome, Reason } from '../../core/crawl-words.ts';
import type { UrlListEnd } from '../../extract/lists/url-list.ts';
import type { NewSitemap } from '../../storage/sitemap-store.ts';
import { failed, failureOfStatus } from './decide-failure.ts';
import { type Decision, decision, logOf, type VisitFacts, validatorsOf } from './decision.ts';

const DAY = 86_400_000;
/** Fewer entries than this share of those before are a warning (crawling 9). */
const SHRUNK_RATIO = 0.5;

/** What reading a sitemap or feed brought. */
export type SitemapRead = UrlListEnd & {
  /** Entries that the crawler may not visit, that were new, that were visited again, that found no room. */
  readonly outside: number;
  readonly added: number;
  readonly changed: number;
  readonly beyondLimit: number;
  readonly children: readonly NewSitemap[];
};

/**
 * What becomes of a sitemap or feed. Whatever it answers, no page leaves because of it. `read` is undefined when there
 * was nothing new to read.
 */
export function decideSitemap(facts: VisitFacts, read: SitemapRead | undefined): Decision {
  const { failure, fetched } = facts;
  if (failure !== undefined) return ofList(failed(facts, failure.reason, failure.detail));
  const status = fetched?.status ?? 0;
  if (status === 304) return same(facts, 'not-modified', 'not-modified');
  if (status === 404 || status === 410) return absent(facts, status === 410 ? 'gone' : 'not-found');
  const reason = failureOfStatus(status);
  if (reason !== undefined) return ofList(failed(facts, reason, undefined));
  if (fetched?.bodyHash === undefined) return absent(facts, 'unsupported-type');
  if (read === undefined) return same(facts, 'unchanged', 'same-content');
  return read.format === 'unknown' ? absent(facts, 'unsupported-type') : changed(facts, read);
}

/** Lists say nothing about the pages of their host. */
function ofList(decided: Decision): Decision {
  return decided.answer === 'missing' ? { ...decided, answer: undefined } : decided;
}

function same(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
  const { row } = facts;
  return decision({
    log: logOf(facts, outcome, reason, undefined),
    record: { ...row.record, ...validatorsOf(facts), state: 'live', reason, nextAt: undefined },
    lists: 'again',
  });
}

/** Not there, or no list: asked for again a day later, because most guesses stay wrong. */
function absent(facts: VisitFacts, reason: Reason): Decision {
  const { row, now } = facts;
  return decision({
    log: logOf(facts, 'failed', reason, undefined),
    record: { ...row.record, state: 'gone', reason, httpStatus: facts.fetched?.status, nextAt: now + DAY },
  });
}

function changed(facts: VisitFacts, read: SitemapRead): Decision {
  const { row, rules, now, fetched } = facts;
  const before = row.record.contentChars ?? 0;
  const reason: Reason = read.entries < before * SHRUNK_RATIO ? 'list-shrunk' : 'content-changed';
  const { children, format, entries, cut, ...counts } = read;
  const detail = JSON.stringify({
    format,
    entries,
    lists: children.length,
    cut,
    before: before || undefined,
    ...counts,
  });
  return decision({
    log: logOf(facts, 'changed', reason, detail),
    record: {
      ...row.record,
      ...validatorsOf(facts),
      state: 'live',
      reason,
      nextAt: undefined,
      changedAt: now,
      extractVersion: rules.configVersion,
      bodyHash: fetched?.bodyHash,
      contentChars: entries,
    },
    lists: children,
  });
}
