/** Holds of hosts that answer badly; one row for the whole host (`family` is '') and one per family of its URLs. */
export const statements: readonly string[] = [
  `CREATE TABLE host_holds (
    generation INTEGER PRIMARY KEY AUTOINCREMENT, origin TEXT NOT NULL, family TEXT NOT NULL, reason TEXT NOT NULL,
    since INTEGER NOT NULL, until INTEGER NOT NULL, asked_until INTEGER, times INTEGER NOT NULL,
    confirmed INTEGER NOT NULL, family_suspects INTEGER NOT NULL, host_suspects INTEGER NOT NULL, urls TEXT NOT NULL,
    crawler_id INTEGER NOT NULL, config_version INTEGER NOT NULL, UNIQUE (origin, family)) STRICT`,
];
