/** An id means another conversation under another customer or engine. */
export type ConversationKey = {
  readonly customerId: number;
  readonly engineId: number;
  /** UUID in lower case. */
  readonly id: string;
};

const EXCHANGE_KINDS = ['answer', 'summary'] as const;
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number];

/** A passage that an exchange cites, or a summary was made of. */
export type ExchangeSource = {
  readonly crawlerId: number;
  readonly documentId: string;
  readonly url: string;
  readonly ordinal: number;
  readonly hash: string;
};

export type ExchangeTokens = { readonly input: number; readonly output: number; readonly isEstimated: boolean };

/** A question with its answer, or a query with its summary. */
export type Exchange = {
  /** UUID in lower case: exchange id of an answer, id of a summary. */
  readonly id: string;
  readonly conversation: ConversationKey;
  readonly at: number;
  readonly kind: ExchangeKind;
  readonly question: string;
  /** What was searched for when the question needed the one before. */
  readonly rewritten: string | undefined;
  /** Without markers. */
  readonly answer: string;
  readonly language: string;
  readonly sources: readonly ExchangeSource[];
  readonly couldAnswer: boolean;
  /** Why nothing could be answered. */
  readonly reason: string | undefined;
  readonly composer: string;
  readonly isIncomplete: boolean;
  readonly isDegraded: boolean;
  readonly tokens: ExchangeTokens;
  readonly millis: number;
  /** What the page told about the visitor, by name. */
  readonly visitor: Readonly<Record<string, string>>;
};

/** What the answers of an engine took on a day: days since 1970 in UTC. */
export type AnswerDay = {
  readonly engineId: number;
  readonly day: number;
  readonly answers: number;
  readonly summaries: number;
  /** Those of them that could say nothing. */
  readonly refused: number;
  /** Those of them that were given as before. */
  readonly cached: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of the tokens, counted by ourselves because the model's provider named none. */
  readonly estimatedTokens: number;
};

type TakeConversation = {
  /** Id of the exchange that is made. */
  readonly holder: string;
  readonly now: number;
  /** When others may take it although it was not freed. */
  readonly until: number;
  /** A conversation without an exchange since then begins anew. */
  readonly expiredBefore: number;
};

type Old = { readonly engineId: number; readonly before: number; readonly limit: number };

/**
 * Part of the port `SystemStore`: conversations with answers. Promises:
 * - `takeConversation` is true for one holder at a time, until it frees the conversation, adds its exchange or `until`
 *   has passed; a conversation that does not exist is made;
 * - a conversation that expired begins anew: its earlier exchanges are not read any more;
 * - an exchange comes back exactly as it was stored, under its own customer and engine only;
 * - `readConversation` gives the latest exchanges, oldest first, as many as `limit` and `maxChars` of questions and
 *   answers allow;
 * - `addExchange` adds to the sums of its day, and frees the conversation for its holder;
 * - `addTokens` adds to the sums of a day what no exchange brings;
 * - `dropConversations` ends conversations without an exchange since `before`, at most `limit` of them: answers without
 *   feedback are cleared. It resolves with true while there is more.
 */
export interface ConversationStore {
  takeConversation(key: ConversationKey, take: TakeConversation): Promise<boolean>;
  freeConversation(key: ConversationKey, holder: string): Promise<void>;
  addExchange(exchange: Exchange): Promise<void>;
  readConversation(
    key: ConversationKey,
    bounds: { readonly limit: number; readonly maxChars: number },
  ): Promise<readonly Exchange[]>;
  findExchange(engineId: number, kind: ExchangeKind, id: string): Promise<Exchange | undefined>;
  addTokens(of: { readonly engineId: number; readonly at: number; readonly tokens: ExchangeTokens }): Promise<void>;
  /** Undefined = nothing was asked on that day. */
  findAnswerDay(engineId: number, day: number): Promise<AnswerDay | undefined>;
  /** From the first to the last day, ascending, without those on which nothing was asked. */
  listAnswerDays(of: {
    readonly engineId: number;
    readonly firstDay: number;
    readonly lastDay: number;
  }): Promise<readonly AnswerDay[]>;
  dropConversations(old: Old): Promise<boolean>;
}
