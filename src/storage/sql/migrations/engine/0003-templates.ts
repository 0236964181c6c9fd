/** Blocks of pages, by which what the templates of a host repeat is told from what its pages say. */
export const statements: readonly string[] = [
  `CREATE TABLE templates (
    host_id INTEGER NOT NULL, rank INTEGER NOT NULL, url_id INTEGER NOT NULL, blocks BLOB NOT NULL,
    PRIMARY KEY (host_id, rank, url_id)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE unvoted_pages (
    url_id INTEGER PRIMARY KEY, crawler_id INTEGER NOT NULL, host_id INTEGER NOT NULL, at INTEGER NOT NULL,
    blocks BLOB NOT NULL) STRICT`,
  'CREATE INDEX unvoted_crawler ON unvoted_pages (crawler_id, url_id)',
];
