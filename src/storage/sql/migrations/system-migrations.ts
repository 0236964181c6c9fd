const SUMS = ['searches', 'with_result_count', 'without_results', 'clicked', 'clicks', 'ranked_clicks', 'rank_sum']
  .map((name) => `${name} INTEGER NOT NULL DEFAULT 0`)
  .join(', ');

/** What brings `system.db` from one version to the next, forward only. What was released stays as it is. */
export const SYSTEM_MIGRATIONS: readonly (readonly string[])[] = [
  // 1: Customers, keys, engines, crawlers, search tools, tracking, conversations, audit, leases.
  [
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
  ],
  // 2: What query and click events add up to: popular queries, query pairs, sums per day. Counts begin with this version.
  [
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
    engine_id INTEGER NOT NULL, day INTEGER NOT NULL, device TEXT NOT NULL, ${SUMS},
    banner_clicks INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (engine_id, day, device)) STRICT, WITHOUT ROWID`,
    `CREATE TABLE query_days (
    engine_id INTEGER NOT NULL, day INTEGER NOT NULL, query TEXT NOT NULL, device TEXT NOT NULL, ${SUMS},
    PRIMARY KEY (engine_id, day, query, device)) STRICT, WITHOUT ROWID`,
  ],
  // 3: Conversations with answers, their exchanges, and what they add up to per day.
  [
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
  ],
  // 4: Golden questions of engines, how they were answered, and up to which change of the documents.
  [
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
  ],
  // 5: How many answers of a day were given as before. Counts begin with this version.
  ['ALTER TABLE answer_days ADD COLUMN cached INTEGER NOT NULL DEFAULT 0'],
  // 6: Who the store is.
  [
    "INSERT INTO meta (name, value) VALUES ('store_id', lower(hex(randomblob(16)))), ('epoch', lower(hex(randomblob(16))))",
  ],
  // 7: Leases are judged by the lock of their holder and by its beats. What was held is free: nobody runs meanwhile.
  [
    'DROP TABLE leases',
    'CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, beats INTEGER NOT NULL, renewed_at INTEGER NOT NULL) STRICT',
  ],
  // 8: Which backups were asked for, and what became of them.
  [
    `CREATE TABLE backups (
    id INTEGER PRIMARY KEY AUTOINCREMENT, state TEXT NOT NULL, started_by TEXT NOT NULL, asked_at INTEGER NOT NULL,
    ended_at INTEGER, file TEXT, bytes INTEGER, problem TEXT) STRICT`,
  ],
  // 9: Holds of hosts that answer badly; one row for the whole host (`family` is '') and one per family of its URLs.
  [
    `CREATE TABLE host_holds (
    generation INTEGER PRIMARY KEY AUTOINCREMENT, origin TEXT NOT NULL, family TEXT NOT NULL, reason TEXT NOT NULL,
    since INTEGER NOT NULL, until INTEGER NOT NULL, asked_until INTEGER, times INTEGER NOT NULL,
    confirmed INTEGER NOT NULL, family_suspects INTEGER NOT NULL, host_suspects INTEGER NOT NULL, urls TEXT NOT NULL,
    crawler_id INTEGER NOT NULL, config_version INTEGER NOT NULL, UNIQUE (origin, family)) STRICT`,
  ],
  // 10: What the wall clock of the installation did: due times are computed anew from it.
  [
    'CREATE TABLE clock_jumps (id INTEGER PRIMARY KEY AUTOINCREMENT, seen_at INTEGER NOT NULL, by_ms INTEGER NOT NULL) STRICT',
  ],
  // 11: Columns get the names that the code has for them; the setting of crawlers about duplicates its present name.
  [
    'ALTER TABLE banner_terms RENAME COLUMN place TO position',
    'ALTER TABLE ranking_terms RENAME COLUMN place TO position',
    'ALTER TABLE ranking_pages RENAME COLUMN place TO position',
    'ALTER TABLE quicklink_terms RENAME COLUMN place TO position',
    'ALTER TABLE host_holds RENAME COLUMN family TO url_template',
    'ALTER TABLE host_holds RENAME COLUMN family_suspects TO template_suspects',
    "UPDATE crawlers SET config = json_remove(json_set(config, '$.duplicates', json_extract(config, '$.twins')), '$.twins') WHERE json_type(config, '$.twins') IS NOT NULL",
  ],
  // 12: Search tools are managed by files and checked for broken targets; pages that no visitor is shown.
  [
    ...['banners', 'rankings', 'quicklinks', 'synonym_groups'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN managed_by TEXT`,
    ),
    ...['banners', 'rankings', 'quicklinks'].map((table) => `ALTER TABLE ${table} ADD COLUMN broken TEXT`),
    `CREATE TABLE hidden_pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER NOT NULL, engine_id INTEGER NOT NULL,
    record TEXT NOT NULL, managed_by TEXT, broken TEXT) STRICT`,
    'CREATE INDEX hidden_pages_customer ON hidden_pages (customer_id, engine_id, id)',
    'CREATE TABLE tool_checks (engine_id INTEGER PRIMARY KEY, checked_at INTEGER NOT NULL) STRICT',
  ],
  // 13: People who sign in, their sessions, and links that set a password; of tokens only digests. What keys may do.
  [
    `CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL UNIQUE, name TEXT, role TEXT NOT NULL,
    customers TEXT NOT NULL, password_hash TEXT, disabled_at INTEGER, managed_by TEXT, created_at INTEGER NOT NULL,
    last_sign_in_at INTEGER) STRICT`,
    `CREATE TABLE sessions (
    token_sha256 TEXT PRIMARY KEY, person_id INTEGER NOT NULL, created_at INTEGER NOT NULL, used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
    'CREATE INDEX sessions_person ON sessions (person_id, created_at)',
    `CREATE TABLE invitations (
    token_sha256 TEXT PRIMARY KEY, person_id INTEGER UNIQUE, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID`,
    'ALTER TABLE api_keys ADD COLUMN scopes TEXT',
    'ALTER TABLE api_keys ADD COLUMN last_used_day INTEGER',
  ],
  // 14: What was changed of one record.
  ['CREATE INDEX audit_log_target ON audit_log (target, action, id)'],
  // 15: Who is told what is wrong, and what became of the messages. Ids below 10 are those of the environment.
  [
    `CREATE TABLE alert_targets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, settings TEXT NOT NULL, managed_by TEXT,
    created_at INTEGER NOT NULL) STRICT`,
    "INSERT INTO sqlite_sequence (name, seq) VALUES ('alert_targets', 9)",
    `CREATE TABLE alert_states (
    target_id INTEGER PRIMARY KEY, told TEXT NOT NULL, digest_on TEXT, taken_at INTEGER, failing_since INTEGER,
    problem TEXT) STRICT`,
  ],
  // 16: The searches of one query.
  ['CREATE INDEX query_events_query ON query_events (engine_id, query, at) WHERE query IS NOT NULL'],
];
