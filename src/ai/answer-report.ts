import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { TokenUsage } from '../llm/language-model.ts';
import type { AnswerMetrics } from '../observability/answer-metrics.ts';
import type { Log } from '../observability/logger.ts';
import type { ConversationKey, Exchange, ExchangeKind, ExchangeSource } from '../storage/conversation-store.ts';
import type { AnswerEvent, AnswerOutcome, AnswerUnit, ComposerName } from './answer-event.ts';
import { printAnswer } from './collect-answer.ts';
import { printPlain } from './print-unit.ts';
import { addUsage, NO_USAGE } from './tally-usage.ts';

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
  /** As far as it came: without an `end` it is incomplete. */
  exchange(): Exchange;
  /** Counts and logs the answer. Called once. */
  close(): void;
};

type Seen = {
  facts: AnswerFacts;
  composer?: ComposerName;
  isFallback?: boolean;
  outcome?: AnswerOutcome;
  failure?: unknown;
  usage: TokenUsage;
  dropped: number;
  retrievalMs?: number;
  firstByteMs?: number;
  readonly units: AnswerUnit[];
};

const BROKEN_OFF: AnswerOutcome = { refusal: undefined, isIncomplete: true, isDegraded: false };
const NO_FACTS: AnswerFacts = { language: '', rewritten: undefined, probability: undefined, sources: undefined };

/** Begins the report of a call; its times count from here. */
export function openReport(deps: ReportDeps, call: ReportedCall): AnswerReport {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const { answers } = deps.metrics;
  const seen: Seen = { facts: NO_FACTS, usage: NO_USAGE, dropped: 0, units: [] };
  return {
    hasBegun: () => seen.composer !== undefined,
    usage: () => seen.usage,
    note: (facts) => {
      seen.facts = { ...seen.facts, ...facts };
    },
    addUsage: (usage) => {
      seen.usage = addUsage(seen.usage, usage);
    },
    addDropped: (byCheck) => {
      for (const [check, count] of Object.entries(byCheck)) {
        if (count > 0) answers.sentencesDropped.inc({ check }, count);
        seen.dropped += count;
      }
    },
    retrieved: () => {
      seen.retrievalMs = elapsed();
      answers.retrieval.observe(seen.retrievalMs / 1_000);
    },
    see: (event) => see(seen, event, elapsed()),
    failed: (error) => {
      seen.failure = error;
    },
    exchange: () => ({ ...exchangeOf(call, seen), at: deps.clock.now(), millis: Math.round(elapsed()) }),
    close: () => {
      const ms = elapsed();
      const ended = endOf(seen);
      answers.answers.inc({ kind: call.kind, composer: seen.composer ?? 'none', outcome: ended });
      if (seen.outcome?.refusal !== undefined) answers.refusals.inc({ reason: seen.outcome.refusal });
      if (seen.firstByteMs !== undefined) answers.firstByte.observe(seen.firstByteMs / 1_000);
      answers.answer.observe(ms / 1_000);
      const texts = deps.logsText ? { question: call.question, answer: textOf(seen) } : {};
      deps.log.info({ ...logFields(call, seen), outcome: ended, ms: rounded(ms), ...texts }, 'answer given');
    },
  };
}

function see(seen: Seen, event: AnswerEvent, elapsedMs: number): void {
  if (event.type === 'unit') seen.units.push({ text: event.text, citations: event.citations });
  else if (event.type === 'end') seen.outcome = event.outcome;
  else {
    seen.composer = event.composer;
    seen.isFallback = event.isFallback;
    seen.firstByteMs = elapsedMs;
  }
}

function exchangeOf(call: ReportedCall, seen: Seen): Omit<Exchange, 'at' | 'millis'> {
  const { kind, conversation, exchangeId: id, question, visitor } = call;
  const { language, rewritten, sources } = seen.facts;
  const { refusal: reason, isIncomplete, isDegraded } = seen.outcome ?? BROKEN_OFF;
  return {
    ...{ id, conversation, kind, question, rewritten, language, visitor, reason, isIncomplete, isDegraded },
    answer: textOf(seen),
    sources: sources ?? sourcesOf(seen.units),
    couldAnswer: reason === undefined,
    composer: seen.composer ?? 'none',
    tokens: seen.usage,
  };
}

function logFields({ conversation, exchangeId, kind }: ReportedCall, seen: Seen) {
  const { language, probability } = seen.facts;
  return {
    ...{ engineId: conversation.engineId, conversationId: conversation.id, exchangeId, kind, language },
    ...{ composer: seen.composer ?? 'none', isFallback: seen.isFallback ?? false, reason: seen.outcome?.refusal },
    ...{ units: seen.units.length, dropped: seen.dropped, probability: rounded(probability, 3) },
    ...{ inputTokens: seen.usage.input, outputTokens: seen.usage.output, isEstimated: seen.usage.isEstimated },
    ...{ retrievalMs: rounded(seen.retrievalMs), firstByteMs: rounded(seen.firstByteMs) },
  };
}

function textOf({ units }: Seen): string {
  return printAnswer(units, printPlain);
}

function endOf({ composer, outcome, failure }: Seen): string {
  if (composer === undefined) return endOfFailure(failure);
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

function sourcesOf(units: readonly AnswerUnit[]): readonly ExchangeSource[] {
  const byPassage = new Map<string, ExchangeSource>();
  for (const { crawlerId, documentId, url, ordinal, hash } of units.flatMap(({ citations }) => citations)) {
    byPassage.set(JSON.stringify([crawlerId, documentId, ordinal]), { crawlerId, documentId, url, ordinal, hash });
  }
  return [...byPassage.values()];
}

function rounded(value: number | undefined, digits = 0): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}
