/** Leases are judged by the lock of their holder and by its beats. What was held is free: nobody runs meanwhile. */
export const statements: readonly string[] = [
  'DROP TABLE leases',
  'CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, beats INTEGER NOT NULL, renewed_at INTEGER NOT NULL) STRICT',
];
