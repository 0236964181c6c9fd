import { sql } from 'kysely';
import { AppError } from '../../core/errors.ts';
import { engineSql } from './dialects.ts';
import { statements as engineInitial } from './migrations/engine/0001-initial.ts';
import { statements as engineCrawlEvidence } from './migrations/engine/0002-crawl-evidence.ts';
import { statements as engineTemplates } from './migrations/engine/0003-templates.ts';
import { statements as enginePassageVectors } from './migrations/engine/0004-passage-vectors.ts';
import { statements as engineFolderPages } from './migrations/engine/0005-folder-pages.ts';
import { statements as engineIdentity } from './migrations/engine/0006-identity.ts';
import { statements as enginePageEvidence } from './migrations/engine/0007-page-evidence.ts';
import { statements as engineLanesWithoutTimes } from './migrations/engine/0008-lanes-without-times.ts';
import { statements as engineDamagedDocuments } from './migrations/engine/0009-damaged-documents.ts';
import { statements as engineSuspectedVisits } from './migrations/engine/0010-suspected-visits.ts';
import { statements as engineFieldNames } from './migrations/engine/0011-field-names.ts';
import { statements as systemInitial } from './migrations/system/0001-initial.ts';
import { statements as systemStatistics } from './migrations/system/0002-statistics.ts';
import { statements as systemConversations } from './migrations/system/0003-conversations.ts';
import { statements as systemGoldenQuestions } from './migrations/system/0004-golden-questions.ts';
import { statements as systemKeptAnswers } from './migrations/system/0005-kept-answers.ts';
import { statements as systemIdentity } from './migrations/system/0006-identity.ts';
import { statements as systemLeasesWithoutTimes } from './migrations/system/0007-leases-without-times.ts';
import { statements as systemBackups } from './migrations/system/0008-backups.ts';
import { statements as systemHostHolds } from './migrations/system/0009-host-holds.ts';
import { statements as systemClockJumps } from './migrations/system/0010-clock-jumps.ts';
import { statements as systemFieldNames } from './migrations/system/0011-field-names.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { inTransaction } from './transaction.ts';

/** Forward only, in order; the number of the last one applied is `meta.schema_version`. */
const MIGRATIONS = {
  system: [
    ...[systemInitial, systemStatistics, systemConversations, systemGoldenQuestions, systemKeptAnswers],
    ...[systemIdentity, systemLeasesWithoutTimes, systemBackups, systemHostHolds, systemClockJumps],
    systemFieldNames,
  ],
  engine: [
    ...[engineInitial, engineCrawlEvidence, engineTemplates, enginePassageVectors, engineFolderPages],
    ...[engineIdentity, enginePageEvidence, engineLanesWithoutTimes, engineDamagedDocuments],
    ...[engineSuspectedVisits],
    engineFieldNames,
  ],
} as const;

export type StoreKind = keyof typeof MIGRATIONS;

/**
 * Brings a store to the present schema, each migration in one transaction.
 * @throws AppError `storage.version-mismatch` when a newer program wrote the store.
 */
export function migrate(db: SqliteDatabase, kind: StoreKind): void {
  const migrations = MIGRATIONS[kind];
  const version = schemaVersion(db);
  if (version > migrations.length) {
    const message = `The ${kind} store has version ${version}, this program knows ${migrations.length}: start the newer program, or restore a backup`;
    throw new AppError('storage.version-mismatch', message);
  }
  for (let next = version + 1; next <= migrations.length; next++) apply(db, kind, next);
}

/** @throws Error when a store that cannot be migrated now is not of the present schema */
export function requirePresentVersion(db: SqliteDatabase, kind: StoreKind): void {
  const version = schemaVersion(db);
  if (version !== MIGRATIONS[kind].length) throw new Error(`the ${kind} store has version ${version}`);
}

function apply(db: SqliteDatabase, kind: StoreKind, version: number): void {
  inTransaction(db, () => {
    // Another process may have migrated between the look and the lock.
    if (schemaVersion(db) >= version) return;
    for (const statement of MIGRATIONS[kind][version - 1] ?? []) db.execute(statement);
    db.run(
      sql`INSERT OR REPLACE INTO meta (name, value) VALUES ('schema_version', ${String(version)})`.compile(engineSql),
    );
  });
}

/** Version of the newest schema that this program knows. */
export function targetVersion(kind: StoreKind): number {
  return MIGRATIONS[kind].length;
}

/** Number of the last migration; 0 for a store that has no tables yet. */
export function schemaVersion(db: SqliteDatabase): number {
  db.execute('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const row = db.first(engineSql.selectFrom('meta').select('value').where('name', '=', 'schema_version').compile());
  return row === undefined ? 0 : Number(row.value);
}
