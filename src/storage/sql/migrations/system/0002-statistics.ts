/** What query and click events add up to: popular queries, query pairs, sums per day. Counts begin with this version. */
export const statements: readonly string[] = [
  // Normal form under which the search counts; null = not counted.
  'ALTER TABLE query_events ADD COLUMN query TEXT',
  'ALTER TABLE query_events ADD COLUMN clicked INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX query_events_search ON query_events (engine_id, query_id, at)',
  'CREATE INDEX query_events_session ON query_events (engine_id, query_session_id, at) WHERE query_session_id IS NOT NULL',
  'CREATE INDEX click_events_search ON click_events (engine_id, query_id)',
  'CREATE INDEX answer_clicks_engine ON answer_clicks (engine_id, at)',
  'CREATE INDEX feedback_engine ON feedback (engine_id, at)',
  `CREATE TABLE popular_queries (
    engine_id INTEGER NOT NULL, query TEXT NOT NULL, text TEXT NOT NULL, text_count INTEGER NOT NULL,
    count INTEGER NOT NULL, result_count INTEGER, last_at INTEGER NOT NULL, PRIMARY KEY (engine_id, query)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX popular_queries_count ON popular_queries (engine_id, count, query)',
  `CREATE TABLE query_spellings (
    engine_id INTEGER NOT NULL, query TEXT NOT NULL, text TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (engine_id, query, text)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE query_pairs (
    engine_id INTEGER NOT NULL, query TEXT NOT NULL, other TEXT NOT NULL, count INTEGER NOT NULL,
    last_at INTEGER NOT NULL, PRIMARY KEY (engine_id, query, other)) STRICT, WITHOUT ROWID`,
  'CREATE INDEX query_pairs_age ON query_pairs (engine_id, last_at)',
  `CREATE TABLE search_days (
    engine_id INTEGER NOT NULL, day INTEGER NOT NULL, device TEXT NOT NULL, ${sums()},
    banner_clicks INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (engine_id, day, device)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE query_days (
    engine_id INTEGER NOT NULL, day INTEGER NOT NULL, query TEXT NOT NULL, device TEXT NOT NULL, ${sums()},
    PRIMARY KEY (engine_id, day, query, device)) STRICT, WITHOUT ROWID`,
];

function sums(): string {
  const names = ['searches', 'with_result_count', 'without_results', 'clicked', 'clicks', 'ranked_clicks', 'rank_sum'];
  return names.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ');
}
