import type { Outcome } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import { originOf } from '../../core/url.ts';
import { urlTemplateOf } from '../../core/url-pattern.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow, NewUrl } from '../../storage/frontier-store.ts';
import type { PatternStatistics } from '../../storage/pattern-store.ts';
import { isInformative } from '../rules/traps.ts';
import type { Decision } from './decision.ts';
import type { UrlTemplateStatistics } from './url-template-statistics.ts';

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
