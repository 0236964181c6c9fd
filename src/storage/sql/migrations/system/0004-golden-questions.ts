/** Golden questions of engines, how they were answered, and up to which change of the documents. */
export const statements: readonly string[] = [
  `CREATE TABLE golden_questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, engine_id INTEGER NOT NULL, question TEXT NOT NULL, must_cite TEXT NOT NULL,
    must_contain TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT`,
  'CREATE INDEX golden_questions_engine ON golden_questions (engine_id, id)',
  `CREATE TABLE golden_results (
    id INTEGER PRIMARY KEY AUTOINCREMENT, engine_id INTEGER NOT NULL, question_id INTEGER NOT NULL,
    composer TEXT NOT NULL, is_right INTEGER NOT NULL, record TEXT NOT NULL) STRICT`,
  'CREATE INDEX golden_results_question ON golden_results (question_id, composer, is_right, id)',
  'CREATE INDEX golden_results_engine ON golden_results (engine_id)',
  `CREATE TABLE golden_rounds (
    engine_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL) STRICT`,
];
