/** Blocks of pages, by which what the templates of a host repeat is told from what its pages say. */
export const statements: readonly string[] = [
  `CREATE TABLE templates (
    host_id INTEGER NOT NULL, rank INTEGER NOT NULL, url_id INTEGER NOT NULL, blocks BLOB NOT NULL,
    PRIMARY KEY (host_id, rank, url_id)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE kept_pages (
    url_id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, host_id INTEGER NOT NULL, at INTEGER NOT NULL,
    voters INTEGER NOT NULL, source TEXT NOT NULL, body BLOB NOT NULL) STRICT`,
  'CREATE INDEX kept_pages_crawler ON kept_pages (crawler_id, url_id)',
];
