import { REASONS, type Reason, type RemovalClass } from '../../core/crawl-words.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS, type DocumentKind, type DocumentOrigin } from '../../core/document.ts';
import type { DocumentRemoval } from '../frontier-store.ts';
import type { DocumentHead, HeldRemoval } from '../removal-store.ts';
import { type DocumentKey, findKnown } from './documents.ts';
import { removalStatements } from './removal-statements.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { takeAway } from './undo-copies.ts';

/** Where a removal happens. */
export type RemovalTarget = {
  readonly crawlerId: number;
  readonly urlId: number;
  readonly runId: number;
  readonly now: number;
};

/** Inside a write: what became of the document; `absent`: there is none. */
export function removeOrHold(
  db: SqliteDatabase,
  position: RemovalTarget,
  removal: DocumentRemoval,
): 'removed' | 'held' | 'absent' {
  const { crawlerId, urlId, runId, now: at } = position;
  const key: DocumentKey = { crawlerId, id: removal.remove };
  const known = db.firstOf(findKnown, key);
  if (known === undefined || known.deleted !== 0) return 'absent';
  const { class: removalClass, cause, firstAt, approved, guard } = removal;
  const row = {
    rid: known.rid,
    crawlerId,
    urlId,
    runId,
    class: removalClass,
    cause: REASONS.indexOf(cause),
    firstAt,
    at,
  };
  if (guard !== undefined && countRemoved(db, crawlerId, guard.since) >= guard.allowed) {
    if (guard.counts) db.runOf(removalStatements.sight, { rid: known.rid, runId });
    db.runOf(removalStatements.hold, row);
    return 'held';
  }
  const document = takeAway(db, key, at);
  if (document === undefined) return 'absent';
  db.runOf(removalStatements.keep, { ...row, approved: approved ? 1 : 0, document });
  return 'removed';
}

/** Inside a write: the page is well again. */
export function releaseHeld(db: SqliteDatabase, key: DocumentKey): void {
  db.runOf(removalStatements.release, { crawlerId: key.crawlerId, id: key.id });
}

/** Has the document left so lately that an undo could bring it back? */
export function wasRemovedLately(db: SqliteDatabase, key: DocumentKey): boolean {
  return db.firstOf(removalStatements.findRemoved, { crawlerId: key.crawlerId, id: key.id }) !== undefined;
}

/** Has any document of the crawler? */
export function hasRemovedLately(db: SqliteDatabase, crawlerId: number): boolean {
  return db.firstOf(removalStatements.anyRemoved, { crawlerId }) !== undefined;
}

export function countRemoved(db: SqliteDatabase, crawlerId: number, since: number): number {
  return db.firstOf(removalStatements.removedSince, { crawlerId, since })?.count ?? 0;
}

export function findHeldRemoval(db: SqliteDatabase, crawlerId: number, id: string): HeldRemoval | undefined {
  const row = db.firstOf(removalStatements.findHeld, { crawlerId, id });
  if (row === undefined) return undefined;
  const { class: removalClass, cause, at, sightings } = row;
  return { class: removalClass as RemovalClass, cause: REASONS[cause] as Reason, heldAt: at, sightings };
}

export function findDocumentHead(db: SqliteDatabase, crawlerId: number, id: string): DocumentHead | undefined {
  const row = db.firstOf(removalStatements.head, { crawlerId, id });
  if (row === undefined) return undefined;
  return { kind: DOCUMENT_KINDS[row.kind] as DocumentKind, origin: DOCUMENT_ORIGINS[row.origin] as DocumentOrigin };
}
