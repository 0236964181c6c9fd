import type { AnswerUsage, UsageFigures } from '../../../ai/answer-usage.ts';
import type { ContentGap } from '../../../ai/content-gaps.ts';
import type {
  DayFigures,
  QueryFigures,
  SearchFigures,
  SearchStatistics,
  StatisticsRange,
} from '../../../tracking/statistics.ts';

/** `from` and `to` are the first and last day that count, in UTC. */
export function rangeBody({ from, to, device }: StatisticsRange) {
  return { from: dayText(from), to: dayText(to), device: device ?? null };
}

export function statisticsBody({ total, days, devices }: SearchStatistics) {
  return {
    total: dayFiguresBody(total),
    devices: devices.map(({ device, ...figures }) => ({ device, ...dayFiguresBody(figures) })),
    days: days.map(({ at, ...figures }) => ({ day: dayText(at), ...dayFiguresBody(figures) })),
  };
}

export function queryFiguresBody({ text, ...figures }: QueryFigures) {
  return { query: text, ...figuresBody(figures) };
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
    days: days.map(({ at, ...figures }) => ({ day: dayText(at), ...usageBody(figures) })),
  };
}

function usageBody({ cost, ...figures }: UsageFigures) {
  return { ...figures, cost: rounded(cost) };
}

function dayFiguresBody({ bannerClicks, ...figures }: DayFigures) {
  return { ...figuresBody(figures), bannerClicks };
}

function figuresBody(figures: SearchFigures) {
  return {
    searches: figures.searches,
    withoutResults: figures.withoutResults,
    withoutResultsRatio: rounded(figures.withoutResultsRatio),
    clickedSearches: figures.clickedSearches,
    clickThroughRatio: rounded(figures.clickThroughRatio),
    clicks: figures.clicks,
    meanClickRank: rounded(figures.meanClickRank),
  };
}

/** Four digits behind the point are more than statistics of clicks can tell apart. */
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(4));
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
