/** What the crawler learns of families of URLs, and the documents that it took away. */
export const statements: readonly string[] = [
  `CREATE TABLE url_patterns (
    id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, host_id INTEGER NOT NULL, pattern TEXT NOT NULL,
    family_id INTEGER, known INTEGER NOT NULL DEFAULT 0, visited INTEGER NOT NULL DEFAULT 0,
    informative INTEGER NOT NULL DEFAULT 0, recent INTEGER NOT NULL DEFAULT 0, same_text INTEGER NOT NULL DEFAULT 0,
    doubt INTEGER NOT NULL DEFAULT 0, closed_at INTEGER, close_rule TEXT, seen BLOB, params TEXT, render TEXT,
    UNIQUE (host_id, pattern)) STRICT`,
  'CREATE INDEX url_patterns_crawler ON url_patterns (crawler_id, id)',
  'CREATE INDEX url_patterns_family ON url_patterns (family_id) WHERE family_id IS NOT NULL',
  'CREATE INDEX url_patterns_closed ON url_patterns (crawler_id, id) WHERE closed_at IS NOT NULL',
  `CREATE TABLE removals (
    rid INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, url_id INTEGER, run_id INTEGER, class TEXT NOT NULL,
    cause INTEGER NOT NULL, state TEXT NOT NULL, first_at INTEGER NOT NULL, at INTEGER NOT NULL,
    document BLOB) STRICT`,
  'CREATE INDEX removals_crawler ON removals (crawler_id, state, at)',
];
