import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest, TokenUsage } from '../llm/language-model.ts';
import { modelFaultOf } from '../llm/model-fault.ts';
import type { AnswerMetrics } from '../observability/answer-metrics.ts';
import type { Log } from '../observability/logger.ts';
import type {
  AnswerDay,
  ConversationKey,
  ConversationStore,
  Exchange,
  ExchangeKind,
  ExchangeSource,
} from '../storage/system/conversations.ts';
import {
  type AnswerEvent,
  type AnswerOutcome,
  type AnswerSegment,
  type ComposerName,
  printAnswer,
  printPlain,
} from './answer-event.ts';
import { estimateTokens } from './token-estimate.ts';

export type ReportDeps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: { readonly answers: AnswerMetrics };
  /** cfg `LOG_TEXT`. */
  readonly logsText: boolean;
};

export type ReportedCall = {
  readonly kind: ExchangeKind;
  readonly conversation: ConversationKey;
  /** Of the answer, or of the summary. */
  readonly exchangeId: string;
  readonly question: string;
  readonly visitor: Readonly<Record<string, string>>;
};

/** What becomes known on the way. */
export type AnswerFacts = {
  readonly language: string;
  readonly rewritten: string | undefined;
  /** That the passages answer. */
  readonly probability: number | undefined;
  /** Of a summary; those of an answer are what it cites. */
  readonly sources: readonly ExchangeSource[] | undefined;
};

/** An answer as its exchange, its log line and the metrics tell it. */
export type AnswerReport = {
  /** Whether anything was said. */
  hasBegun(): boolean;
  usage(): TokenUsage;
  note(facts: Partial<AnswerFacts>): void;
  addUsage(usage: TokenUsage): void;
  addDropped(byCheck: Readonly<Record<string, number>>): void;
  retrieved(): void;
  see(event: AnswerEvent): void;
  /** What ended it without an answer. */
  failed(error: unknown): void;
  /** An error that the answer goes on without, logged: at `debug` what a model did, at `error` a defect, which counts as failed. */
  survived(error: unknown): void;
  /** As far as it came: without an `end` it is incomplete. */
  exchange(): Exchange;
  /** Counts and logs the answer. Called once. */
  close(): void;
};

type AnswerProgress = {
  facts: AnswerFacts;
  composer?: ComposerName;
  isFallback?: boolean;
  outcome?: AnswerOutcome;
  failure?: unknown;
  /** It goes on without what a defect of ours broke off. */
  hasDefect?: boolean;
  usage: TokenUsage;
  dropped: number;
  retrievalMs?: number;
  firstByteMs?: number;
  readonly segments: AnswerSegment[];
};

const BROKEN_OFF: AnswerOutcome = { refusal: undefined, isIncomplete: true, isDegraded: false };
const NO_FACTS: AnswerFacts = { language: '', rewritten: undefined, probability: undefined, sources: undefined };

/** Begins the report of a call; its times count from here. */
export function openReport(deps: ReportDeps, call: ReportedCall): AnswerReport {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const { answers } = deps.metrics;
  const progress: AnswerProgress = { facts: NO_FACTS, usage: NO_USAGE, dropped: 0, segments: [] };
  return {
    hasBegun: () => progress.composer !== undefined,
    usage: () => progress.usage,
    note: (facts) => {
      progress.facts = { ...progress.facts, ...facts };
    },
    addUsage: (usage) => {
      progress.usage = addUsage(progress.usage, usage);
    },
    addDropped: (byCheck) => {
      for (const [check, count] of Object.entries(byCheck)) {
        if (count > 0) answers.sentencesDropped.inc({ check }, count);
        progress.dropped += count;
      }
    },
    retrieved: () => {
      progress.retrievalMs = elapsed();
      answers.retrieval.observe(progress.retrievalMs / 1_000);
    },
    see: (event) => see(progress, event, elapsed()),
    failed: (error) => {
      progress.failure = error;
    },
    survived: (err) => {
      const isDefect = modelFaultOf(err) === undefined && !(err instanceof DOMException);
      if (isDefect) progress.hasDefect = true;
      const level = isDefect ? 'error' : 'debug';
      deps.log[level]({ err, ...logFields(call, progress) }, 'an answer goes on without what failed');
    },
    exchange: () => ({ ...exchangeOf(call, progress), at: deps.clock.now(), millis: Math.round(elapsed()) }),
    close: () => {
      const ms = elapsed();
      const ended = endOf(progress);
      answers.answers.inc({ kind: call.kind, composer: progress.composer ?? 'none', outcome: ended });
      if (progress.outcome?.refusal !== undefined) answers.refusals.inc({ reason: progress.outcome.refusal });
      if (progress.firstByteMs !== undefined) answers.firstByte.observe(progress.firstByteMs / 1_000);
      answers.answer.observe(ms / 1_000);
      const texts = deps.logsText ? { question: call.question, answer: textOf(progress) } : {};
      deps.log.info({ ...logFields(call, progress), outcome: ended, ms: rounded(ms), ...texts }, 'answer given');
    },
  };
}

function see(progress: AnswerProgress, event: AnswerEvent, elapsedMs: number): void {
  if (event.type === 'segment') progress.segments.push({ text: event.text, citations: event.citations });
  else if (event.type === 'end') progress.outcome = event.outcome;
  else {
    progress.composer = event.composer;
    progress.isFallback = event.isFallback;
    progress.firstByteMs = elapsedMs;
  }
}

function exchangeOf(call: ReportedCall, progress: AnswerProgress): Omit<Exchange, 'at' | 'millis'> {
  const { kind, conversation, exchangeId: id, question, visitor } = call;
  const { language, rewritten, sources } = progress.facts;
  const { refusal: reason, isIncomplete, isDegraded } = progress.outcome ?? BROKEN_OFF;
  return {
    id,
    conversation,
    kind,
    question,
    rewritten,
    language,
    visitor,
    reason,
    isIncomplete,
    isDegraded,
    answer: textOf(progress),
    sources: sources ?? sourcesOf(progress.segments),
    couldAnswer: reason === undefined,
    composer: progress.composer ?? 'none',
    tokens: progress.usage,
  };
}

function logFields({ conversation, exchangeId, kind }: ReportedCall, progress: AnswerProgress) {
  const { language, probability } = progress.facts;
  return {
    engineId: conversation.engineId,
    conversationId: conversation.id,
    exchangeId,
    kind,
    language,
    composer: progress.composer ?? 'none',
    isFallback: progress.isFallback ?? false,
    reason: progress.outcome?.refusal,
    segments: progress.segments.length,
    dropped: progress.dropped,
    probability: rounded(probability, 3),
    inputTokens: progress.usage.input,
    outputTokens: progress.usage.output,
    isEstimated: progress.usage.isEstimated,
    retrievalMs: rounded(progress.retrievalMs),
    firstByteMs: rounded(progress.firstByteMs),
  };
}

function textOf({ segments }: AnswerProgress): string {
  return printAnswer(segments, printPlain);
}

function endOf({ composer, outcome, failure, hasDefect = false }: AnswerProgress): string {
  if (composer === undefined) return endOfFailure(failure);
  if (hasDefect) return 'failed';
  const { refusal, isIncomplete, isDegraded } = outcome ?? BROKEN_OFF;
  if (refusal !== undefined) return 'refused';
  if (isIncomplete) return 'incomplete';
  return isDegraded ? 'degraded' : 'answered';
}

/** Without an error nobody waited for the first event. */
function endOfFailure(failure: unknown): string {
  if (failure === undefined || (failure instanceof DOMException && failure.name === 'AbortError')) return 'abandoned';
  if (!(failure instanceof AppError)) return 'failed';
  if (failure.code === 'summary.insufficient-context') return 'refused';
  return failure.code === 'rate.exceeded' ? 'busy' : 'failed';
}

function sourcesOf(segments: readonly AnswerSegment[]): readonly ExchangeSource[] {
  const byPassage = new Map<string, ExchangeSource>();
  for (const { crawlerId, documentId, url, ordinal, hash } of segments.flatMap(({ citations }) => citations)) {
    byPassage.set(JSON.stringify([crawlerId, documentId, ordinal]), { crawlerId, documentId, url, ordinal, hash });
  }
  return [...byPassage.values()];
}

function rounded(value: number | undefined, digits = 0): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}

/** Tells `add` what each call took: as the provider says, or an estimate for a call that did not come to its end. */
export function withUsageCounter(model: LanguageModel, add: (usage: TokenUsage) => void): LanguageModel {
  return {
    id: model.id,
    contextTokens: model.contextTokens,
    stream: (request, signal) => counted(request, model.stream(request, signal), add),
  };
}

async function* counted(
  request: ModelRequest,
  events: AsyncIterable<ModelEvent>,
  add: (usage: TokenUsage) => void,
): AsyncGenerator<ModelEvent> {
  let text = '';
  let isCounted = false;
  try {
    for await (const event of events) {
      if (event.type === 'text') text += event.text;
      else {
        isCounted = true;
        add(event.usage);
      }
      yield event;
    }
  } finally {
    if (!isCounted && text !== '') add(estimateUsage(request, text));
  }
}

/** Sum of what several calls took. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return { input: a.input + b.input, output: a.output + b.output, isEstimated: a.isEstimated || b.isEstimated };
}

export const NO_USAGE: TokenUsage = { input: 0, output: 0, isEstimated: false };

function estimateUsage({ messages }: ModelRequest, text: string): TokenUsage {
  const input = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return { input, output: estimateTokens(text), isEstimated: true };
}

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
