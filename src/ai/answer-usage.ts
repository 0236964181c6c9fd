import type { AnswerDay, ConversationStore } from '../storage/conversation-store.ts';

const MS_PER_DAY = 86_400_000;
const TOKENS_PER_PRICE = 1_000_000;

/** Of a million tokens: cfg `LLM_PRICE_INPUT_PER_MTOK`, `LLM_PRICE_OUTPUT_PER_MTOK`. */
export type TokenPrices = { readonly input: number; readonly output: number };

export type UsageCounters = Omit<AnswerDay, 'engineId' | 'day'> & {
  /** At the present prices; undefined without any. */
  readonly cost: number | undefined;
};

export type AnswerUsage = {
  readonly total: UsageCounters;
  /** Days on which something was asked, in order; `at` is their first moment. */
  readonly days: readonly (UsageCounters & { readonly at: number })[];
};

export type AnswerUsageDeps = {
  readonly systemStore: Pick<ConversationStore, 'listAnswerDays'>;
  readonly tokenPrices: TokenPrices;
};

type Range = { readonly engineId: number; readonly from: number; readonly to: number };
type Counts = Omit<UsageCounters, 'cost'>;

const NOTHING: Counts = {
  answers: 0,
  summaries: 0,
  refused: 0,
  cached: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimatedTokens: 0,
};

/** What the answers of an engine took, per day in UTC and in all; whole days count. */
export async function readAnswerUsage(
  { systemStore, tokenPrices }: AnswerUsageDeps,
  { engineId, from, to }: Range,
): Promise<AnswerUsage> {
  const [firstDay, lastDay] = [Math.floor(from / MS_PER_DAY), Math.floor(to / MS_PER_DAY)];
  const days = await systemStore.listAnswerDays({ engineId, firstDay, lastDay });
  const priced = (counts: Counts): UsageCounters => ({ ...counts, cost: costOf(counts, tokenPrices) });
  return {
    total: priced(days.reduce<Counts>(sumOf, NOTHING)),
    days: days.map(({ day, engineId: _, ...counts }) => ({ at: day * MS_PER_DAY, ...priced(counts) })),
  };
}

function sumOf(a: Counts, b: Counts): Counts {
  return {
    answers: a.answers + b.answers,
    summaries: a.summaries + b.summaries,
    refused: a.refused + b.refused,
    cached: a.cached + b.cached,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    estimatedTokens: a.estimatedTokens + b.estimatedTokens,
  };
}

function costOf({ inputTokens, outputTokens }: Counts, { input, output }: TokenPrices): number | undefined {
  if (input === 0 && output === 0) return undefined;
  return (inputTokens * input + outputTokens * output) / TOKENS_PER_PRICE;
}
