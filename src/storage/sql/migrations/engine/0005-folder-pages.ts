/** Blocks of pages of each folder, by which what a section of a site repeats is told from what its pages say. */
export const statements: readonly string[] = [
  `CREATE TABLE folder_pages (
    host_id INTEGER NOT NULL, folder TEXT NOT NULL, rank INTEGER NOT NULL, url_id INTEGER NOT NULL,
    blocks BLOB NOT NULL, PRIMARY KEY (host_id, folder, rank, url_id)) STRICT, WITHOUT ROWID`,
  'CREATE INDEX folder_pages_rank ON folder_pages (host_id, rank, url_id)',
  'CREATE INDEX kept_pages_host ON kept_pages (host_id, url_id)',
];
