import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { AnswerMetrics } from '../observability/answer-metrics.ts';
import { pause } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { ConversationKey, ConversationStore, Exchange } from '../storage/system/conversations.ts';

export type ConversationSettings = {
  /** cfg `CONVERSATION_TTL_HOURS`. */
  readonly conversationTtlHours: number;
  /** How long a question waits for the one before it in its conversation. */
  readonly busyWaitMs: number;
  /** cfg `AI_REDACT_STORED_TEXT`. */
  readonly redactStoredText: boolean;
};

export type ConversationDeps = {
  readonly systemStore: Pick<
    ConversationStore,
    'takeConversation' | 'freeConversation' | 'addExchange' | 'readConversation'
  >;
  readonly conversations: ConversationSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: { readonly answers: Pick<AnswerMetrics, 'historyLost'> };
};

/** The turn of one question in its conversation; recording its exchange or disposing it lets the next one in. */
export type ConversationLock = AsyncDisposable & {
  /** Oldest first. */
  readonly history: readonly Exchange[];
  record(exchange: Exchange): Promise<void>;
};

type LockInput = {
  readonly exchangeId: string;
  /** The id of the conversation was made for this question. */
  readonly isNew: boolean;
  readonly signal: AbortSignal;
};

const MS_PER_HOUR = 3_600_000;
/** Above the longest answer, so that no turn is taken from a process that still answers. */
const LOCK_MS = 65_000;
const POLL_MS = 100;
const RETRY_AFTER_SECONDS = 2;
/** What of a conversation is read (answers design 12). */
const HISTORY = { limit: 20, maxChars: 64_000 };

/**
 * Waits for the turn of an exchange and reads what was said before. A store that fails costs the history, not the
 * answer. Contract: 4.1.
 *
 * @throws AppError `rate.exceeded` while another question of the conversation is answered
 */
export async function lockConversation(
  deps: ConversationDeps,
  key: ConversationKey,
  { exchangeId, isNew, signal }: LockInput,
): Promise<ConversationLock> {
  const history = await withoutStore(deps, 'read', [], async () => {
    await waitForLock(deps, key, { exchangeId, signal });
    return isNew ? [] : deps.systemStore.readConversation(key, HISTORY);
  });
  let isOver = false;
  return {
    history,
    record: async (exchange) => {
      isOver = true;
      await recordExchange(deps, exchange);
    },
    [Symbol.asyncDispose]: async () => {
      if (isOver) return;
      await withoutStore(deps, 'free', undefined, () => deps.systemStore.freeConversation(key, exchangeId));
    },
  };
}

/** The turn of a question whose conversation nobody else knows yet: it waits for none and takes none, one commit less. */
export function lockNewConversation(deps: ConversationDeps): ConversationLock {
  return {
    history: [],
    record: (exchange) => recordExchange(deps, exchange),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Stores an exchange. A store that fails costs the history, not the answer. */
export async function recordExchange(deps: ConversationDeps, exchange: Exchange): Promise<void> {
  const stored = (text: string) => (deps.conversations.redactStoredText ? redactText(text) : text);
  const { question, rewritten, answer } = exchange;
  await withoutStore(deps, 'write', undefined, () =>
    deps.systemStore.addExchange({
      ...exchange,
      question: stored(question),
      rewritten: rewritten === undefined ? undefined : stored(rewritten),
      answer: stored(answer),
    }),
  );
}

async function waitForLock(
  { systemStore, conversations, clock }: ConversationDeps,
  key: ConversationKey,
  { exchangeId: holder, signal }: Pick<LockInput, 'exchangeId' | 'signal'>,
): Promise<void> {
  const lastLook = performance.now() + conversations.busyWaitMs;
  for (;;) {
    const now = clock.now();
    const expiredBefore = now - conversations.conversationTtlHours * MS_PER_HOUR;
    if (await systemStore.takeConversation(key, { holder, now, until: now + LOCK_MS, expiredBefore })) return;
    if (performance.now() >= lastLook) {
      const message = 'Another question of this conversation is being answered, try again in 2 seconds';
      throw new AppError('rate.exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, atOnce: 1 });
    }
    await pause(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

/** Work on the store that an answer does without: a failure is logged and counted. */
export async function withoutStore<T>(
  { log, metrics }: ConversationDeps,
  step: 'read' | 'write' | 'free',
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof AppError && err.code === 'rate.exceeded') throw err;
    if (err instanceof DOMException) throw err;
    metrics.answers.historyLost.inc({ step });
    log.error({ err, step }, 'conversation failed');
    return otherwise;
  }
}

/** Every part is bounded, so that no text costs more than its length. */
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
/** Digits with blanks, dots, dashes, slashes and brackets between them: phones, cards, accounts and ids of people. */
const LONG_NUMBER = /(?:\+|\b)\d(?:[ \u00a0().\-/]{0,2}\d){6,24}\b/g;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})$/;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g;

/** Text as it may be stored: e-mail addresses and numbers of seven digits and more are replaced, dates are not. */
export function redactText(text: string): string {
  return text
    .replace(EMAIL, '[e-mail]')
    .replace(IBAN, '[number]')
    .replace(LONG_NUMBER, (found) => (DATE.test(found) ? found : '[number]'));
}
