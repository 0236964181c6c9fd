import type { AnswerUsage, UsageCounters } from '../../../ai/answer-usage.ts';
import type { ContentGap } from '../../../ai/content-gaps.ts';
import type {
  DailyCounters,
  QueryCounters,
  SearchCounters,
  SearchStatistics,
  StatisticsRange,
} from '../../../tracking/statistics.ts';

/** `from` and `to` are the first and last day that count, in UTC. */
export function rangeBody({ from, to, device }: StatisticsRange) {
  return { from: dayText(from), to: dayText(to), device: device ?? null };
}

export function statisticsBody({ total, days, devices }: SearchStatistics) {
  return {
    total: dailyCountersBody(total),
    devices: devices.map(({ device, ...counters }) => ({ device, ...dailyCountersBody(counters) })),
    days: days.map(({ at, ...counters }) => ({ day: dayText(at), ...dailyCountersBody(counters) })),
  };
}

export function queryCountersBody({ text, ...counters }: QueryCounters) {
  return { query: text, ...countersBody(counters) };
}

export function contentGapBody(gap: ContentGap) {
  return {
    question: gap.question,
    wordings: gap.wordings,
    language: gap.language,
    questions: gap.questions,
    visitors: gap.visitors,
    lastAt: new Date(gap.lastAt).toISOString(),
    signals: gap.signals,
    reasons: gap.reasons,
    closed: gap.isClosed,
    nearest: gap.nearest,
  };
}

export function answerUsageBody({ total, days }: AnswerUsage) {
  return {
    total: usageBody(total),
    days: days.map(({ at, ...counters }) => ({ day: dayText(at), ...usageBody(counters) })),
  };
}

function usageBody({ cost, ...counters }: UsageCounters) {
  return { ...counters, cost: rounded(cost) };
}

function dailyCountersBody({ bannerClicks, ...counters }: DailyCounters) {
  return { ...countersBody(counters), bannerClicks };
}

function countersBody(counters: SearchCounters) {
  return {
    searches: counters.searches,
    withoutResults: counters.withoutResults,
    withoutResultsRatio: rounded(counters.withoutResultsRatio),
    clickedSearches: counters.clickedSearches,
    clickThroughRatio: rounded(counters.clickThroughRatio),
    clicks: counters.clicks,
    meanClickRank: rounded(counters.meanClickRank),
  };
}

/** Four digits behind the point are more than statistics of clicks can tell apart. */
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(4));
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
