import { sql } from 'kysely';
import { defineStore, fetchAll } from '../sql/operation.ts';
import { statement, systemSql } from '../sql/statement.ts';

type Range = Parameters<ContentGapStore['listGapQuestions']>[0];
type AnswerRow = {
  question: string;
  rewritten: string | null;
  language: string;
  reason: string | null;
  at: number;
  conversation_id: string;
  extra: string;
  could_answer: number;
  degraded: number;
  rating: string | null;
};
type SearchRow = { text: string; at: number; session_id: string | null; query_id: string };

const contentGapStatements = {
  answers: statement<Range, AnswerRow>((p) =>
    systemSql
      .selectFrom('exchanges')
      .leftJoin('feedback', (join) =>
        join
          .onRef('feedback.engine_id', '=', 'exchanges.engine_id')
          .onRef('feedback.key', '=', 'exchanges.id')
          .on('feedback.kind', '=', 'answer'),
      )
      .select(['exchanges.question', 'exchanges.rewritten', 'exchanges.language', 'exchanges.reason', 'exchanges.at'])
      .select(['exchanges.conversation_id', 'exchanges.extra', 'exchanges.could_answer', 'exchanges.degraded'])
      .select('feedback.rating')
      .where('exchanges.engine_id', '=', p.engineId)
      .where('exchanges.kind', '=', 'answer')
      .where('exchanges.at', '>=', p.from)
      .where('exchanges.at', '<', p.to)
      .where(
        sql<boolean>`(exchanges.could_answer = 0 OR exchanges.degraded = 1 OR feedback.rating = 'negative'
          OR (feedback.rating IS NULL AND NOT EXISTS (SELECT 1 FROM answer_clicks
            WHERE answer_clicks.engine_id = exchanges.engine_id AND answer_clicks.exchange_id = exchanges.id)))`,
      )
      .orderBy('exchanges.at', 'desc')
      .limit(p.limit),
  ),
  searches: statement<Range, SearchRow>((p) =>
    systemSql
      .selectFrom('query_events')
      .select(['text', 'at', 'session_id', 'query_id'])
      .where('engine_id', '=', p.engineId)
      .where('at', '>=', p.from)
      .where('at', '<', p.to)
      .where('result_count', '=', 0)
      .orderBy('at', 'desc')
      .limit(p.limit),
  ),
};

/** Reads the rows of the range: some 10 µs each. */
export const contentGapStore = defineStore<ContentGapStore>()(
  {
    *listGapQuestions(range) {
      return [
        ...(yield* fetchAll(contentGapStatements.answers, range)).map(questionOfAnswer),
        ...(yield* fetchAll(contentGapStatements.searches, range)).map(questionOfSearch),
      ].sort((a, b) => b.at - a.at);
    },
  },
  {},
);

function questionOfAnswer(row: AnswerRow): GapQuestion {
  const { sessionId } = JSON.parse(row.extra) as { readonly sessionId?: string };
  return {
    signal: signalOf(row),
    question: row.rewritten ?? row.question,
    language: row.language,
    reason: row.reason ?? undefined,
    at: row.at,
    visitor: sessionId ?? row.conversation_id,
  };
}

function questionOfSearch({ text, at, session_id, query_id }: SearchRow): GapQuestion {
  const visitor = session_id ?? query_id;
  return { signal: 'without-results', question: text, language: '', reason: undefined, at, visitor };
}

function signalOf({ could_answer, rating, degraded }: AnswerRow): GapSignal {
  if (could_answer === 0) return 'refused';
  if (rating === 'negative') return 'rated-negative';
  return degraded === 1 ? 'degraded' : 'without-click';
}

/** What says that the content lacks something, the strongest first. */
const GAP_SIGNALS = ['refused', 'rated-negative', 'degraded', 'without-results', 'without-click'] as const;
export type GapSignal = (typeof GAP_SIGNALS)[number];

/** A question, or a search without results, that the content may not answer. */
export type GapQuestion = {
  readonly signal: GapSignal;
  /** As it was asked; a follow-up as it was understood. */
  readonly question: string;
  /** `''` = not known. */
  readonly language: string;
  /** Why it was refused. */
  readonly reason: string | undefined;
  readonly at: number;
  /** The same for what one visitor asked, as far as the page told. */
  readonly visitor: string;
};

/**
 * Part of the port `SystemStore`: what visitors asked in vain. Promises:
 * - answers that were refused, rated negative or lost half of their claims, and searches that found nothing, are
 *   listed, each under its strongest signal;
 * - an answer with citations that nobody followed or rated is listed as `without-click`;
 * - an answer that was rated positive, or whose citation was followed without a negative rating, is not;
 * - both are of one engine and of `[from, to)`; the newest come first, at most `limit` of each.
 */
export interface ContentGapStore {
  listGapQuestions(input: {
    readonly engineId: number;
    readonly from: number;
    readonly to: number;
    readonly limit: number;
  }): Promise<readonly GapQuestion[]>;
}
