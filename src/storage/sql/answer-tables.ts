import type { Generated } from 'kysely';

type Nullable<T> = T | null;

/** Tables of `system.db` about answers: conversations, sums of days, golden questions. */
export type AnswerTables = {
  conversations: {
    customer_id: number;
    engine_id: number;
    id: string;
    began_at: number;
    last_at: number;
    busy_until: Generated<number>;
    holder: Nullable<string>;
  };
  exchanges: {
    id: string;
    customer_id: number;
    engine_id: number;
    conversation_id: string;
    at: number;
    kind: string;
    question: string;
    rewritten: Nullable<string>;
    answer: string;
    language: string;
    sources: string;
    could_answer: number;
    reason: Nullable<string>;
    composer: string;
    incomplete: number;
    degraded: number;
    input_tokens: number;
    output_tokens: number;
    tokens_estimated: number;
    millis: number;
    extra: string;
  };
  answer_days: {
    engine_id: number;
    day: number;
    answers: Generated<number>;
    summaries: Generated<number>;
    refused: Generated<number>;
    input_tokens: Generated<number>;
    output_tokens: Generated<number>;
    estimated_tokens: Generated<number>;
    cached: Generated<number>;
  };
  golden_questions: {
    id: Generated<number>;
    engine_id: number;
    question: string;
    must_cite: string;
    must_contain: string;
    created_at: number;
  };
  golden_results: {
    id: Generated<number>;
    engine_id: number;
    question_id: number;
    composer: string;
    is_right: number;
    record: string;
  };
  golden_rounds: { engine_id: number; seq: number; at: number };
};
