/** Columns get the names that the code has for them; the setting of crawlers about duplicates its present name. */
export const statements: readonly string[] = [
  'ALTER TABLE banner_terms RENAME COLUMN place TO position',
  'ALTER TABLE ranking_terms RENAME COLUMN place TO position',
  'ALTER TABLE ranking_pages RENAME COLUMN place TO position',
  'ALTER TABLE quicklink_terms RENAME COLUMN place TO position',
  'ALTER TABLE host_holds RENAME COLUMN family TO url_template',
  'ALTER TABLE host_holds RENAME COLUMN family_suspects TO template_suspects',
  "UPDATE crawlers SET config = json_remove(json_set(config, '$.duplicates', json_extract(config, '$.twins')), '$.twins') WHERE json_type(config, '$.twins') IS NOT NULL",
];
