import { z } from 'zod';
import { CONTENT_PROFILES, type ContentProfile } from '../../src/extract/extract-settings.ts';
import { chooseBlocks, orBestBlock } from '../../src/extract/html/choose-blocks.ts';
import type { ModelFile } from '../../src/extract/html/content-model.ts';
import { FEATURES } from '../../src/extract/html/features.ts';
import { contentOf } from '../../src/extract/html/sections.ts';
import { mean } from '../evaluate/ranking-measures.ts';
import { f1Of, segmentsIn, snippetShare, wordScore } from '../evaluate/text-metrics.ts';
import type { ScoredPage } from './train-selection.ts';
import type { PageTruth, TrainingPage } from './training-pages.ts';

const COUNTERS = z.object({
  pages: z.number(),
  F1: z.number(),
  precision: z.number(),
  recall: z.number(),
  must: z.number(),
  mustNot: z.number(),
});
export type Figures = z.infer<typeof COUNTERS>;

const PROFILE_REPORT = z.object({
  all: COUNTERS,
  kinds: z.record(z.string(), COUNTERS),
  /** Wanted and unwanted segments of all article pages together. */
  segments: z.object({ F: z.number(), precision: z.number(), recall: z.number() }).optional(),
});

/** What a model is worth on pages of hosts that it does not know. */
export const MODEL_REPORT = z.object({
  profiles: z.record(z.enum(CONTENT_PROFILES), PROFILE_REPORT),
  /** F1 of a choice that knows the labels. */
  ceiling: z.number(),
  featuresUsed: z.number(),
  mostUsed: z.array(z.string()),
});
export type ModelReport = z.infer<typeof MODEL_REPORT>;

export function reportOn(pages: readonly ScoredPage[], { trees }: Pick<ModelFile, 'trees'>): ModelReport {
  const uses = new Map<number, number>();
  for (const { f } of trees) for (const column of f) if (column >= 0) uses.set(column, (uses.get(column) ?? 0) + 1);
  const ranked = [...uses].sort(([a, aUses], [b, bUses]) => bUses - aUses || a - b);
  const profile = (name: ContentProfile) => reportOnProfile(pages, name);
  return {
    profiles: { precision: profile('precision'), balanced: profile('balanced'), recall: profile('recall') },
    ceiling: rounded(ceilingOf(pages.map(({ page }) => page))),
    featuresUsed: uses.size,
    mostUsed: ranked.slice(0, MOST_USED).map(([column]) => FEATURES[column] ?? ''),
  };
}

const MOST_USED = 30;

type TextTruth = Extract<PageTruth, { text: string }>;
type ScoredText = Omit<Figures, 'pages'> & { readonly kind: string };

function reportOnProfile(pages: readonly ScoredPage[], profile: ContentProfile): ModelReport['profiles']['balanced'] {
  const texts: ScoredText[] = [];
  const counts = { found: 0, missed: 0, unwanted: 0 };
  for (const { page, scores } of pages) {
    const { truth } = page;
    const chosen = chooseBlocks(page.blocks, scores, profile);
    const text = contentOf(orBestBlock(chosen, page.blocks, scores));
    if ('text' in truth) {
      texts.push({ kind: page.kind, ...scoreText(text, truth) });
      continue;
    }
    const found = segmentsIn(text, truth.segments);
    counts.found += found;
    counts.missed += truth.segments.length - found;
    counts.unwanted += segmentsIn(text, truth.unwanted);
  }
  const kinds = [...Map.groupBy(texts, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  const report = {
    all: figuresOf(texts),
    kinds: Object.fromEntries(kinds.map(([kind, own]) => [kind, figuresOf(own)])),
  };
  return counts.found + counts.missed === 0 ? report : { ...report, segments: segmentFigures(counts) };
}

function scoreText(text: string, { text: wanted, must, mustNot }: TextTruth): Omit<ScoredText, 'kind'> {
  const { f1, precision, recall } = wordScore(text, wanted);
  return {
    F1: f1,
    precision,
    recall,
    must: snippetShare(text, must, 1),
    mustNot: snippetShare(text, mustNot, 0),
  };
}

function figuresOf(texts: readonly ScoredText[]): Figures {
  const of = (name: Exclude<keyof Figures, 'pages'>) => rounded(mean(texts.map((text) => text[name])));
  const [F1, precision, recall] = [of('F1'), of('precision'), of('recall')];
  return { pages: texts.length, F1, precision, recall, must: of('must'), mustNot: of('mustNot') };
}

function segmentFigures({ found, missed, unwanted }: { found: number; missed: number; unwanted: number }) {
  const precision = found / Math.max(1, found + unwanted);
  const recall = found / Math.max(1, found + missed);
  return { F: rounded(f1Of(precision, recall)), precision: rounded(precision), recall: rounded(recall) };
}

function ceilingOf(pages: readonly TrainingPage[]): number {
  const scores = pages.flatMap(({ blocks, shares, truth }) => {
    if (!('text' in truth)) return [];
    const chosen = blocks.filter((_, at) => (shares[at] ?? 0) >= CEILING_SHARE);
    return [wordScore(contentOf(chosen), truth.text).f1];
  });
  return mean(scores);
}

const CEILING_SHARE = 0.6;

function rounded(value: number): number {
  return Number(value.toFixed(4));
}

const MAX_MEAN_FALL = 0.003;
const MAX_KIND_FALL = 0.02;

/** What is clearly worse than before with the stock profile, as sentences; empty when nothing is. */
export function worseThan(before: ModelReport, now: ModelReport): readonly string[] {
  const [old, fresh] = [before.profiles.balanced, now.profiles.balanced];
  if (old === undefined || fresh === undefined) return [];
  const falls = [{ name: 'all pages', from: old.all.F1, to: fresh.all.F1, most: MAX_MEAN_FALL }];
  for (const [name, { F1 }] of Object.entries(old.kinds)) {
    falls.push({ name, from: F1, to: fresh.kinds[name]?.F1 ?? 0, most: MAX_KIND_FALL });
  }
  return falls
    .filter(({ from, to, most }) => from - to > most)
    .map(({ name, from, to }) => `F1 of ${name} falls from ${from} to ${to}`);
}

/** A table to read. */
export function printReport(report: ModelReport): string {
  const lines = Object.entries(report.profiles).flatMap(([profile, { all, kinds, segments }]) => [
    `${profile}`,
    ...[...Object.entries(kinds), ['all', all] as const].map(([kind, figures]) => `  ${line(kind, figures)}`),
    ...(segments === undefined
      ? []
      : [`  segments F ${segments.F} precision ${segments.precision} recall ${segments.recall}`]),
  ]);
  return [...lines, `ceiling ${report.ceiling}`, `${report.featuresUsed} columns used`].join('\n');
}

function line(kind: string, { pages, F1, precision, recall, must, mustNot }: Figures): string {
  const cell = (value: number) => value.toFixed(3);
  const figures = `F1 ${cell(F1)} P ${cell(precision)} R ${cell(recall)} must ${cell(must)} must-not ${cell(mustNot)}`;
  return `${kind.padEnd(14)} ${String(pages).padStart(5)} ${figures}`;
}
