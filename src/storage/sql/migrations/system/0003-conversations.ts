/** Conversations with answers, their exchanges, and what they add up to per day. */
export const statements: readonly string[] = [
  `CREATE TABLE conversations (
    customer_id INTEGER NOT NULL, engine_id INTEGER NOT NULL, id TEXT NOT NULL,
    began_at INTEGER NOT NULL, last_at INTEGER NOT NULL, busy_until INTEGER NOT NULL DEFAULT 0, holder TEXT,
    PRIMARY KEY (customer_id, engine_id, id)) STRICT, WITHOUT ROWID`,
  'CREATE INDEX conversations_age ON conversations (engine_id, last_at)',
  `CREATE TABLE exchanges (
    id TEXT PRIMARY KEY, customer_id INTEGER NOT NULL, engine_id INTEGER NOT NULL, conversation_id TEXT NOT NULL,
    at INTEGER NOT NULL, kind TEXT NOT NULL, question TEXT NOT NULL, rewritten TEXT, answer TEXT NOT NULL,
    language TEXT NOT NULL, sources TEXT NOT NULL, could_answer INTEGER NOT NULL, reason TEXT, composer TEXT NOT NULL,
    incomplete INTEGER NOT NULL, degraded INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, tokens_estimated INTEGER NOT NULL, millis INTEGER NOT NULL, extra TEXT NOT NULL) STRICT`,
  'CREATE INDEX exchanges_conversation ON exchanges (customer_id, engine_id, conversation_id, at)',
  'CREATE INDEX exchanges_engine ON exchanges (engine_id, at)',
  `CREATE TABLE answer_days (
    engine_id INTEGER NOT NULL, day INTEGER NOT NULL, answers INTEGER NOT NULL DEFAULT 0,
    summaries INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0, estimated_tokens INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (engine_id, day)) STRICT, WITHOUT ROWID`,
];
