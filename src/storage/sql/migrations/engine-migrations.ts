/** What brings the store of an engine from one version to the next, forward only. What was released stays as it is. */
export const ENGINE_MIGRATIONS: readonly (readonly string[])[] = [
  // 1: Documents with `seq`, URL records, frontier, lanes, runs, visits, hosts, outlinks of one engine.
  [
    `CREATE TABLE documents (
    rid INTEGER PRIMARY KEY AUTOINCREMENT,
    crawler_id INTEGER NOT NULL, id TEXT NOT NULL,
    seq INTEGER NOT NULL, write_seq INTEGER NOT NULL,
    kind INTEGER NOT NULL, origin INTEGER NOT NULL, url_id INTEGER,
    language TEXT NOT NULL, encoding INTEGER NOT NULL,
    fields BLOB, structure BLOB,
    content_hash BLOB NOT NULL, row_hash BLOB NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    UNIQUE (crawler_id, id)) STRICT`,
    'CREATE UNIQUE INDEX documents_by_seq ON documents (seq)',
    `CREATE TABLE hosts (
    id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, origin TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 0, held_until INTEGER NOT NULL DEFAULT 0, hold_reason TEXT,
    failures INTEGER NOT NULL DEFAULT 0,
    robots BLOB, robots_status INTEGER, robots_at INTEGER, robots_good_at INTEGER,
    pace TEXT, health TEXT, lastmod_trust TEXT, not_found TEXT, UNIQUE (crawler_id, origin)) STRICT`,
    'CREATE INDEX hosts_waiting ON hosts (crawler_id, id) WHERE waiting > 0',
    `CREATE TABLE urls (
    id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, host_id INTEGER NOT NULL,
    key INTEGER NOT NULL, url TEXT NOT NULL,
    kind INTEGER NOT NULL, state INTEGER NOT NULL, reason INTEGER NOT NULL, origin INTEGER NOT NULL,
    found_on INTEGER, depth INTEGER NOT NULL, pattern_id INTEGER, first_seen_at INTEGER NOT NULL, target_id INTEGER,
    http_status INTEGER, etag TEXT, last_modified TEXT, sitemap_lastmod INTEGER, feed_at INTEGER,
    extract_version INTEGER, body_hash INTEGER, content_hash INTEGER, similarity INTEGER, content_chars INTEGER,
    visits INTEGER NOT NULL DEFAULT 0, visited_at INTEGER, changed_at INTEGER, interval_ms INTEGER, next_at INTEGER,
    misses INTEGER NOT NULL DEFAULT 0, missed_at INTEGER) STRICT`,
    'CREATE UNIQUE INDEX urls_key ON urls (crawler_id, key)',
    'CREATE INDEX urls_state ON urls (crawler_id, state, reason, id)',
    'CREATE INDEX urls_next ON urls (crawler_id, next_at, id) WHERE next_at IS NOT NULL',
    'CREATE INDEX urls_target ON urls (target_id) WHERE target_id IS NOT NULL',
    'CREATE INDEX urls_content ON urls (crawler_id, content_hash) WHERE content_hash IS NOT NULL',
    `CREATE TABLE frontier (
    url_id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, activation INTEGER NOT NULL, run_id INTEGER NOT NULL,
    host_id INTEGER NOT NULL, stage INTEGER NOT NULL, priority INTEGER NOT NULL, due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, crashes INTEGER NOT NULL DEFAULT 0, flags INTEGER NOT NULL DEFAULT 0,
    detail TEXT, lane_id INTEGER, fence INTEGER) STRICT`,
    `CREATE INDEX frontier_due ON frontier (crawler_id, activation, stage, host_id, priority, due_at)
    WHERE lane_id IS NULL`,
    'CREATE INDEX frontier_leased ON frontier (lane_id) WHERE lane_id IS NOT NULL',
    `CREATE TABLE lanes (
    id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, stage INTEGER NOT NULL, lane INTEGER NOT NULL,
    fence INTEGER NOT NULL, holder TEXT, beat_at INTEGER NOT NULL, UNIQUE (crawler_id, stage, lane)) STRICT`,
    `CREATE TABLE runs (
    id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, activation INTEGER NOT NULL, kind TEXT NOT NULL,
    state TEXT NOT NULL, started_by TEXT NOT NULL, config_version INTEGER NOT NULL,
    created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
    plan_cursor INTEGER, plan_done INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 0,
    found INTEGER NOT NULL DEFAULT 0, visited INTEGER NOT NULL DEFAULT 0, added INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0, unchanged INTEGER NOT NULL DEFAULT 0, not_modified INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, rendered INTEGER NOT NULL DEFAULT 0,
    files INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, removed INTEGER NOT NULL DEFAULT 0,
    removals_held INTEGER NOT NULL DEFAULT 0, summary TEXT) STRICT`,
    'CREATE INDEX runs_crawler ON runs (crawler_id, id)',
    `CREATE TABLE visits (
    id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, url_id INTEGER, url TEXT, run_id INTEGER,
    at INTEGER NOT NULL, outcome INTEGER NOT NULL, reason INTEGER NOT NULL,
    http_status INTEGER, bytes INTEGER, millis INTEGER, detail TEXT) STRICT`,
    'CREATE INDEX visits_url ON visits (url_id, at)',
    'CREATE INDEX visits_crawler ON visits (crawler_id, at)',
    'CREATE TABLE outlinks (url_id INTEGER PRIMARY KEY, targets BLOB NOT NULL) STRICT',
  ],
  // 2: What the crawler learns of families of URLs, and the documents that it took away.
  [
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
  ],
  // 3: Blocks of pages, by which what the templates of a host repeat is told from what its pages say.
  [
    `CREATE TABLE templates (
    host_id INTEGER NOT NULL, rank INTEGER NOT NULL, url_id INTEGER NOT NULL, blocks BLOB NOT NULL,
    PRIMARY KEY (host_id, rank, url_id)) STRICT, WITHOUT ROWID`,
    `CREATE TABLE kept_pages (
    url_id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, host_id INTEGER NOT NULL, at INTEGER NOT NULL,
    voters INTEGER NOT NULL, source TEXT NOT NULL, body BLOB NOT NULL) STRICT`,
    'CREATE INDEX kept_pages_crawler ON kept_pages (crawler_id, url_id)',
  ],
  // 4: Vectors of passages, one row per document and set; a row that is written again takes a new number.
  [
    `CREATE TABLE passage_vectors (
    change INTEGER PRIMARY KEY AUTOINCREMENT, vector_set TEXT NOT NULL, rid INTEGER NOT NULL, seq INTEGER NOT NULL,
    frame BLOB NOT NULL, dimensions INTEGER NOT NULL, hashes BLOB NOT NULL, vectors BLOB NOT NULL,
    UNIQUE (vector_set, rid)) STRICT`,
    'CREATE INDEX passage_vectors_rid ON passage_vectors (rid)',
  ],
  // 5: Blocks of pages of each folder, by which what a section of a site repeats is told from what its pages say.
  [
    `CREATE TABLE folder_pages (
    host_id INTEGER NOT NULL, folder TEXT NOT NULL, rank INTEGER NOT NULL, url_id INTEGER NOT NULL,
    blocks BLOB NOT NULL, PRIMARY KEY (host_id, folder, rank, url_id)) STRICT, WITHOUT ROWID`,
    'CREATE INDEX folder_pages_rank ON folder_pages (host_id, rank, url_id)',
    'CREATE INDEX kept_pages_host ON kept_pages (host_id, url_id)',
  ],
  // 6: * Who the store is, and a random mark for each write of documents, by which an index proves that it was made of it. The write before this version gets one, too.
  [
    "INSERT INTO meta (name, value) VALUES ('store_id', lower(hex(randomblob(16)))), ('epoch', lower(hex(randomblob(16))))",
    'CREATE TABLE write_marks (seq INTEGER PRIMARY KEY, mark INTEGER NOT NULL) STRICT',
    `INSERT INTO write_marks (seq, mark)
    SELECT CAST(value AS INTEGER), random() & 9007199254740991 FROM meta WHERE name = 'last_seq' AND value <> '0'`,
  ],
  // 7: * Whether a page ended with its end tag at its last visit: one that lacks it now, and told no length, was cut. Whether its text was seen once only, by the visit of a queued URL: it takes no other document away.
  [
    'ALTER TABLE urls ADD COLUMN has_end_tag INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE urls ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0',
  ],
  // 8: Lanes are judged by the lock of their holder and by its beats. Nobody runs meanwhile: all are free.
  ['ALTER TABLE lanes RENAME COLUMN beat_at TO beats', 'UPDATE lanes SET beats = 0, holder = NULL, fence = fence + 1'],
  // 9: Rows of documents that were found damaged, until they are written again or deleted.
  ['CREATE TABLE damaged_documents (rid INTEGER PRIMARY KEY) STRICT'],
  // 10: Visits of a run that met a page which may be gone; runs that ended before count none.
  ['ALTER TABLE runs ADD COLUMN suspected INTEGER NOT NULL DEFAULT 0'],
  // 11: Tables and columns get the names that the code has for them; of runs, the summary's part about duplicates.
  [
    'ALTER TABLE url_patterns RENAME COLUMN doubt TO quarantine',
    'ALTER TABLE url_patterns RENAME COLUMN family_id TO template_id',
    'ALTER TABLE kept_pages RENAME COLUMN voters TO sample_size',
    'ALTER TABLE kept_pages RENAME TO pending_pages',
    'ALTER TABLE left_links RENAME TO unfollowed_links',
    'ALTER TABLE passage_vectors RENAME COLUMN frame TO context_hash',
    "UPDATE runs SET summary = json_remove(json_set(summary, '$.duplicates', json_extract(summary, '$.twins')), '$.twins') WHERE json_type(summary, '$.twins') IS NOT NULL",
  ],
  // 12: Live documents by crawler: counted and listed without reading their rows (200,000 are counted in 2 ms, not 200).
  ['CREATE INDEX documents_live ON documents (crawler_id) WHERE deleted = 0'],
  // 13: Hashes of titles, of documents that are written from now on: pages that share a title are counted.
  [
    'ALTER TABLE documents ADD COLUMN title_hash INTEGER',
    'CREATE INDEX documents_titles ON documents (crawler_id, title_hash) WHERE deleted = 0 AND title_hash IS NOT NULL',
  ],
  // 14: Texts of links, by ids that are never given again: how many pages call a URL so, which of them each page has, which URLs have others than the index knows, and what the index knows of each document.
  [
    `CREATE TABLE link_texts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, crawler_id INTEGER NOT NULL, target_id INTEGER NOT NULL, text_key INTEGER NOT NULL,
    text TEXT NOT NULL, pages INTEGER NOT NULL DEFAULT 0, UNIQUE (target_id, text_key)) STRICT`,
    'CREATE INDEX link_texts_text ON link_texts (crawler_id, text_key)',
    'ALTER TABLE outlinks ADD COLUMN texts BLOB',
    `CREATE TABLE changed_link_targets (
    url_id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, since INTEGER NOT NULL) STRICT`,
    'CREATE INDEX changed_link_targets_due ON changed_link_targets (crawler_id, since)',
    'CREATE TABLE document_link_texts (rid INTEGER PRIMARY KEY, texts TEXT NOT NULL) STRICT',
  ],
  // 15: What the heads of pages call them, which becomes the title of a page whose title others have, too.
  ['ALTER TABLE documents ADD COLUMN head_title TEXT'],
];
