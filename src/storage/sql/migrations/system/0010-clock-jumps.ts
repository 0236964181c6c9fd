/** What the wall clock of the installation did: due times are computed anew from it. */
export const statements: readonly string[] = [
  'CREATE TABLE clock_jumps (id INTEGER PRIMARY KEY AUTOINCREMENT, seen_at INTEGER NOT NULL, by_ms INTEGER NOT NULL) STRICT',
];
