/** Tables and columns get the names that the code has for them; of runs, the summary's part about duplicates. */
export const statements: readonly string[] = [
  'ALTER TABLE url_patterns RENAME COLUMN doubt TO quarantine',
  'ALTER TABLE url_patterns RENAME COLUMN family_id TO template_id',
  'ALTER TABLE kept_pages RENAME COLUMN voters TO sample_size',
  'ALTER TABLE kept_pages RENAME TO pending_pages',
  'ALTER TABLE left_links RENAME TO unfollowed_links',
  'ALTER TABLE passage_vectors RENAME COLUMN frame TO context_hash',
  "UPDATE runs SET summary = json_remove(json_set(summary, '$.duplicates', json_extract(summary, '$.twins')), '$.twins') WHERE json_type(summary, '$.twins') IS NOT NULL",
];
