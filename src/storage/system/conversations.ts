import { type Selectable, sql } from 'kysely';
import { greatest, insertionOrder } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';
import { MS_PER_DAY } from './popular-queries.ts';

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

type ExchangeTokens = { readonly input: number; readonly output: number; readonly isEstimated: boolean };

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

type Take = ConversationKey & Parameters<ConversationStore['takeConversation']>[1];
type Free = ConversationKey & { readonly holder: string };
type OldConversations = Parameters<ConversationStore['dropConversations']>[0];
type Tokens = Parameters<ConversationStore['addTokens']>[0];
type ExchangeRow = SystemTables['exchanges'];

/** Write operation: true when the holder has the conversation afterwards. */
function* takeConversation(take: Take): Operation<boolean> {
  const { customerId, engineId, id, holder, now, until, expiredBefore } = take;
  const unlessExpired = (column: string) =>
    sql<number>`CASE WHEN conversations.last_at < ${expiredBefore} THEN ${now} ELSE ${sql.ref(column)} END`;
  const taken = systemSql
    .insertInto('conversations')
    .values({
      customer_id: customerId,
      engine_id: engineId,
      id,
      holder,
      busy_until: until,
      began_at: now,
      last_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'engine_id', 'id'])
        .doUpdateSet({
          holder,
          busy_until: until,
          began_at: unlessExpired('conversations.began_at'),
          last_at: unlessExpired('conversations.last_at'),
        })
        .where('conversations.busy_until', '<=', now),
    );
  return (yield* execute(taken)).changes > 0;
}

/** Write operation. */
function* freeConversation({ holder, ...key }: Free): Operation<void> {
  const freed = systemSql.updateTable('conversations').set({ holder: null, busy_until: 0 });
  yield* execute(freed.where(isOf(key)).where('holder', '=', holder));
}

/** Write operation: the exchange, its sums, and the end of its turn. */
function* addExchange(exchange: Exchange): Operation<void> {
  const { conversation, at, kind, couldAnswer, tokens } = exchange;
  yield* execute(systemSql.insertInto('exchanges').values(rowOf(exchange)));
  const { customerId, engineId, id } = conversation;
  const seen = systemSql
    .insertInto('conversations')
    .values({ customer_id: customerId, engine_id: engineId, id, began_at: at, last_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'engine_id', 'id'])
        .doUpdateSet({ last_at: greatest(sql.ref('conversations.last_at'), at) }),
    );
  yield* execute(seen);
  yield* freeConversation({ ...conversation, holder: exchange.id });
  const counts = {
    answers: Number(kind === 'answer'),
    summaries: Number(kind === 'summary'),
    refused: Number(!couldAnswer),
    cached: Number(exchange.composer === 'cache'),
  };
  yield* addToDay({ engineId, at, tokens }, counts);
}

/** Write operation. */
function* addTokens(tokens: Tokens): Operation<void> {
  yield* addToDay(tokens, { answers: 0, summaries: 0, refused: 0, cached: 0 });
}

/** Write operation: true while there is more. */
function* dropConversations({ engineId, before, limit }: OldConversations): Operation<boolean> {
  const expired = systemSql
    .selectFrom('conversations')
    .select(['customer_id as customerId', 'engine_id as engineId', 'id'])
    .where('engine_id', '=', engineId)
    .where('last_at', '<', before)
    .limit(limit);
  const keys = yield* fetchAll(expired);
  const hasFeedback = sql<boolean>`EXISTS (SELECT 1 FROM feedback WHERE feedback.engine_id = exchanges.engine_id
    AND feedback.kind = exchanges.kind AND feedback.key = exchanges.id)`;
  for (const key of keys) {
    const cleared = systemSql.updateTable('exchanges').set({ answer: '' }).where(isIn(key));
    yield* execute(cleared.where(({ not }) => not(hasFeedback)));
    yield* execute(systemSql.deleteFrom('conversations').where(isOf(key)));
  }
  return keys.length >= limit;
}

export const conversationStore = defineStore<ConversationStore>()(
  {
    *readConversation(key, { limit, maxChars }) {
      const began = systemSql.selectFrom('conversations').select('began_at').where(isOf(key));
      const latest = systemSql
        .selectFrom('exchanges')
        .selectAll()
        .where(isIn(key))
        .where('at', '>=', began)
        .orderBy('at', 'desc')
        .orderBy(insertionOrder, 'desc')
        .limit(limit);
      return withinChars((yield* fetchAll(latest)).map(exchangeOf), maxChars);
    },
    *findExchange(engineId, kind, id) {
      const known = systemSql.selectFrom('exchanges').selectAll().where('id', '=', id);
      const row = yield* fetchFirst(known.where('engine_id', '=', engineId).where('kind', '=', kind));
      return row === undefined ? undefined : exchangeOf(row);
    },
    *findAnswerDay(engineId, day) {
      const row = yield* fetchFirst(daysOf(engineId).where('day', '=', day));
      return row === undefined ? undefined : answerDayOf(row);
    },
    *listAnswerDays({ engineId, firstDay, lastDay }) {
      const days = daysOf(engineId).where('day', '>=', firstDay).where('day', '<=', lastDay).orderBy('day');
      return (yield* fetchAll(days)).map(answerDayOf);
    },
  },
  {
    takeConversation: (key, take) => takeConversation({ ...key, ...take }),
    freeConversation: (key, holder) => freeConversation({ ...key, holder }),
    addExchange,
    addTokens,
    dropConversations,
  },
);

function isOf({ customerId, engineId, id }: ConversationKey) {
  return sql<boolean>`customer_id = ${customerId} AND engine_id = ${engineId} AND id = ${id}`;
}

function isIn({ customerId, engineId, id }: ConversationKey) {
  return sql<boolean>`customer_id = ${customerId} AND engine_id = ${engineId} AND conversation_id = ${id}`;
}

/** Newest first in, oldest first out. */
function withinChars(newestFirst: readonly Exchange[], maxChars: number): readonly Exchange[] {
  let chars = 0;
  const tooLong = newestFirst.findIndex(({ question, answer }) => {
    chars += question.length + answer.length;
    return chars > maxChars;
  });
  return (tooLong < 0 ? newestFirst : newestFirst.slice(0, tooLong)).toReversed();
}

type Counts = Readonly<Record<'answers' | 'summaries' | 'refused' | 'cached', number>>;

const DAY_COLUMNS = [
  ...(['answers', 'summaries', 'refused', 'cached'] as const),
  ...(['input_tokens', 'output_tokens', 'estimated_tokens'] as const),
] as const;
/** Each sum with what is added. */
const GROWN = Object.fromEntries(
  DAY_COLUMNS.map((name) => [name, sql`${sql.ref(`answer_days.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
);

function* addToDay({ engineId, at, tokens }: Tokens, counts: Counts): Operation<void> {
  const { input, output, isEstimated } = tokens;
  const added = systemSql
    .insertInto('answer_days')
    .values({
      engine_id: engineId,
      day: Math.floor(at / MS_PER_DAY),
      ...counts,
      input_tokens: input,
      output_tokens: output,
      estimated_tokens: isEstimated ? input + output : 0,
    })
    .onConflict((conflict) => conflict.columns(['engine_id', 'day']).doUpdateSet(GROWN));
  yield* execute(added);
}

function daysOf(engineId: number) {
  return systemSql.selectFrom('answer_days').selectAll().where('engine_id', '=', engineId);
}

function answerDayOf(row: Selectable<SystemTables['answer_days']>): AnswerDay {
  const { engine_id, day, answers, summaries, refused, cached, input_tokens, output_tokens, estimated_tokens } = row;
  return {
    engineId: engine_id,
    day,
    answers,
    summaries,
    refused,
    cached,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    estimatedTokens: estimated_tokens,
  };
}

function rowOf(exchange: Exchange): ExchangeRow {
  const { conversation, tokens } = exchange;
  return {
    id: exchange.id,
    customer_id: conversation.customerId,
    engine_id: conversation.engineId,
    conversation_id: conversation.id,
    at: exchange.at,
    kind: exchange.kind,
    question: exchange.question,
    rewritten: exchange.rewritten ?? null,
    answer: exchange.answer,
    language: exchange.language,
    sources: JSON.stringify(exchange.sources),
    could_answer: Number(exchange.couldAnswer),
    reason: exchange.reason ?? null,
    composer: exchange.composer,
    incomplete: Number(exchange.isIncomplete),
    degraded: Number(exchange.isDegraded),
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    tokens_estimated: Number(tokens.isEstimated),
    millis: exchange.millis,
    extra: JSON.stringify(exchange.visitor),
  };
}

export function exchangeOf(row: ExchangeRow): Exchange {
  return {
    id: row.id,
    conversation: { customerId: row.customer_id, engineId: row.engine_id, id: row.conversation_id },
    at: row.at,
    kind: row.kind as ExchangeKind,
    question: row.question,
    rewritten: row.rewritten ?? undefined,
    answer: row.answer,
    language: row.language,
    sources: JSON.parse(row.sources) as readonly ExchangeSource[],
    couldAnswer: row.could_answer === 1,
    reason: row.reason ?? undefined,
    composer: row.composer,
    isIncomplete: row.incomplete === 1,
    isDegraded: row.degraded === 1,
    tokens: { input: row.input_tokens, output: row.output_tokens, isEstimated: row.tokens_estimated === 1 },
    millis: row.millis,
    visitor: JSON.parse(row.extra) as Readonly<Record<string, string>>,
  };
}
