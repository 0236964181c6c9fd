/** Which backups were asked for, and what became of them. */
export const statements: readonly string[] = [
  `CREATE TABLE backups (
    id INTEGER PRIMARY KEY AUTOINCREMENT, state TEXT NOT NULL, started_by TEXT NOT NULL, asked_at INTEGER NOT NULL,
    ended_at INTEGER, file TEXT, bytes INTEGER, problem TEXT) STRICT`,
];
