/** Customers, keys, engines, crawlers, search tools, tracking, conversations, audit, leases. */
export const statements: readonly string[] = [
  `CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, managed_by TEXT, created_at INTEGER NOT NULL) STRICT`,
  `CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER NOT NULL, name TEXT NOT NULL,
    key_sha256 TEXT NOT NULL, last4 TEXT NOT NULL, managed_by TEXT, created_at INTEGER NOT NULL,
    expires_at INTEGER, revoked_at INTEGER, UNIQUE (customer_id, key_sha256)) STRICT`,
  `CREATE TABLE engines (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL,
    settings TEXT NOT NULL, public_settings TEXT NOT NULL, managed_by TEXT, created_at INTEGER NOT NULL) STRICT`,
  'CREATE INDEX engines_customer ON engines (customer_id, id)',
  `CREATE TABLE crawlers (
    id INTEGER PRIMARY KEY, engine_id INTEGER NOT NULL, customer_id INTEGER NOT NULL, name TEXT NOT NULL,
    active INTEGER NOT NULL DEFAULT 0, active_since INTEGER, activation INTEGER NOT NULL DEFAULT 0,
    config TEXT NOT NULL, config_version INTEGER NOT NULL DEFAULT 1, managed_by TEXT, created_at INTEGER NOT NULL) STRICT`,
  'CREATE INDEX crawlers_customer ON crawlers (customer_id, id)',
  'CREATE INDEX crawlers_engine ON crawlers (engine_id, id)',
  ...['banners', 'rankings', 'quicklinks'].flatMap((table) => [
    `CREATE TABLE ${table} (
      id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER NOT NULL, engine_id INTEGER NOT NULL,
      record TEXT NOT NULL) STRICT`,
    `CREATE INDEX ${table}_customer ON ${table} (customer_id, engine_id, id)`,
  ]),
  ...['banner_terms', 'ranking_terms', 'ranking_pages', 'quicklink_terms'].flatMap((table) => [
    `CREATE TABLE ${table} (
      id INTEGER PRIMARY KEY AUTOINCREMENT, parent_id INTEGER NOT NULL, place INTEGER NOT NULL, value TEXT NOT NULL) STRICT`,
    `CREATE INDEX ${table}_parent ON ${table} (parent_id, place)`,
  ]),
  `CREATE TABLE synonym_groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER NOT NULL, language TEXT NOT NULL, words TEXT NOT NULL) STRICT`,
  'CREATE INDEX synonym_groups_customer ON synonym_groups (customer_id, language, id)',
  `CREATE TABLE query_events (
    id TEXT PRIMARY KEY, engine_id INTEGER NOT NULL, at INTEGER NOT NULL, query_id TEXT NOT NULL, text TEXT NOT NULL,
    result_count INTEGER, fixed_query TEXT, device TEXT NOT NULL, session_id TEXT, query_session_id TEXT, ip TEXT,
    extra TEXT NOT NULL) STRICT`,
  'CREATE INDEX query_events_engine ON query_events (engine_id, at)',
  `CREATE TABLE click_events (
    id TEXT PRIMARY KEY, engine_id INTEGER NOT NULL, at INTEGER NOT NULL, query_id TEXT NOT NULL, kind TEXT NOT NULL,
    url TEXT, rank INTEGER, banner_id TEXT, title TEXT, text TEXT, session_id TEXT, ip TEXT, extra TEXT NOT NULL) STRICT`,
  'CREATE INDEX click_events_engine ON click_events (engine_id, at)',
  `CREATE TABLE feedback (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL, engine_id INTEGER NOT NULL,
    at INTEGER NOT NULL, rating TEXT, reason TEXT, comment TEXT, language TEXT, matched INTEGER NOT NULL,
    extra TEXT NOT NULL, UNIQUE (engine_id, kind, key)) STRICT`,
  `CREATE TABLE answer_clicks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, engine_id INTEGER NOT NULL, conversation_id TEXT NOT NULL,
    exchange_id TEXT NOT NULL, url TEXT NOT NULL, at INTEGER NOT NULL, matched INTEGER NOT NULL, extra TEXT NOT NULL) STRICT`,
  `CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
    target TEXT NOT NULL, before TEXT, after TEXT) STRICT`,
  'CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT',
];
