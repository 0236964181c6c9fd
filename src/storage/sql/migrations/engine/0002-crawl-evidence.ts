/** What the crawler learns of families of URLs, and the documents that it took away. */
export const statements: readonly string[] = [
  `CREATE TABLE url_patterns (
    id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, host_id INTEGER NOT NULL, pattern TEXT NOT NULL,
    family_id INTEGER, known INTEGER NOT NULL DEFAULT 0, visited INTEGER NOT NULL DEFAULT 0,
    informative INTEGER NOT NULL DEFAULT 0, recent INTEGER NOT NULL DEFAULT 0, same_text INTEGER NOT NULL DEFAULT 0,
    doubt INTEGER NOT NULL DEFAULT 0, closed_at INTEGER, close_rule TEXT, seen BLOB, examples TEXT, render TEXT,
    interval_ms INTEGER, UNIQUE (host_id, pattern)) STRICT`,
  'CREATE INDEX url_patterns_crawler ON url_patterns (crawler_id, id)',
  'CREATE INDEX url_patterns_family ON url_patterns (family_id) WHERE family_id IS NOT NULL',
  'CREATE INDEX url_patterns_closed ON url_patterns (crawler_id, id) WHERE closed_at IS NOT NULL',
  `CREATE TABLE removals (
    rid INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, url_id INTEGER, run_id INTEGER, class TEXT NOT NULL,
    cause INTEGER NOT NULL, state TEXT NOT NULL, first_at INTEGER NOT NULL, at INTEGER NOT NULL,
    sightings INTEGER NOT NULL DEFAULT 0, approved INTEGER NOT NULL DEFAULT 0, asked TEXT, document BLOB) STRICT`,
  'CREATE INDEX removals_crawler ON removals (crawler_id, state, at)',
  `CREATE TABLE left_links (
    crawler_id INTEGER NOT NULL, slot INTEGER NOT NULL, key INTEGER NOT NULL, reason INTEGER NOT NULL,
    found_on INTEGER NOT NULL, depth INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (crawler_id, slot)) STRICT, WITHOUT ROWID`,
  'ALTER TABLE runs ADD COLUMN paused_at INTEGER',
  'ALTER TABLE runs ADD COLUMN paused_ms INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE runs ADD COLUMN idle_since INTEGER',
  `CREATE INDEX runs_living ON runs (crawler_id, id)
    WHERE state IN ('planned', 'running', 'paused', 'finishing')`,
  "CREATE INDEX runs_scheduled ON runs (crawler_id, id) WHERE kind <> 'urls'",
  'CREATE INDEX runs_open ON runs (crawler_id, id) WHERE open > 0',
  'ALTER TABLE hosts ADD COLUMN robots_asked_at INTEGER',
  'ALTER TABLE hosts ADD COLUMN holds INTEGER NOT NULL DEFAULT 0',
  // Sitemaps and feeds, by the list or page that names them; pages that often bring new links.
  'CREATE INDEX urls_lists ON urls (crawler_id, found_on) WHERE kind >= 2',
  'ALTER TABLE urls ADD COLUMN link_ring INTEGER NOT NULL DEFAULT 1',
  'ALTER TABLE urls ADD COLUMN hub INTEGER',
  'ALTER TABLE urls ADD COLUMN rendered_at INTEGER',
  'CREATE INDEX urls_hubs ON urls (crawler_id, id) WHERE hub = 1',
  // What hosts answer beside their pages; live pages of a host in an order that is random.
  'ALTER TABLE hosts ADD COLUMN probe TEXT',
  'ALTER TABLE hosts ADD COLUMN believed_until INTEGER',
  'ALTER TABLE urls ADD COLUMN asks_password INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX urls_live ON urls (host_id, key) WHERE state = 1',
  'CREATE INDEX removals_asked ON removals (crawler_id, rid) WHERE asked IS NOT NULL',
];
