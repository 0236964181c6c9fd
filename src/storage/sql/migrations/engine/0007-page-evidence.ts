/**
 * Whether a page ended with its end tag at its last visit: one that lacks it now, and told no length, was cut. Whether
 * its text was seen once only, by the visit of a queued URL: it takes no other document away.
 */
export const statements: readonly string[] = [
  'ALTER TABLE urls ADD COLUMN has_end_tag INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE urls ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0',
];
