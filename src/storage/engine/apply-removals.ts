import { deserialize, serialize } from 'node:v8';
import { sql } from 'kysely';
import {
  type Outcome,
  REASONS,
  type Reason,
  type RemovalClass,
  type RemovalState,
  URL_STATES,
} from '../../core/crawl-words.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS, type DocumentKind, type DocumentOrigin } from '../../core/document.ts';
import { listedNumbers } from '../sql/dialect.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, rawQuery, statement } from '../sql/statement.ts';
import { type DocumentRow, isDamaged, rowHash } from './document-rows.ts';
import { type DocumentKey, findKnown, findRow, removeRow, save, startNumbering } from './document-writes.ts';
import { forgetLinkTexts, noteLinkTarget } from './link-texts.ts';
import { removalStatements } from './removal-statements.ts';
import type {
  AppliedRemovals,
  ApplyRemovals,
  AskRemovals,
  DocumentHead,
  HeldRemoval,
  RemovalAction,
} from './removals.ts';
import { logVisit } from './visit-log.ts';
import type { DocumentRemoval } from './visits.ts';

/** Where a removal happens. */
export type RemovalTarget = {
  readonly crawlerId: number;
  readonly urlId: number;
  readonly runId: number;
  readonly now: number;
};

/** Inside a write: what became of the document; `absent`: there is none. */
export function* removeOrHold(
  position: RemovalTarget,
  removal: DocumentRemoval,
): Operation<'removed' | 'held' | 'absent'> {
  const { crawlerId, urlId, runId, now: at } = position;
  const key: DocumentKey = { crawlerId, id: removal.remove };
  const known = yield* fetchFirst(findKnown, key);
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
  if (guard !== undefined && (yield* countRemoved(crawlerId, guard.since)) >= guard.allowed) {
    if (guard.counts) yield* execute(removalStatements.sight, { rid: known.rid, runId });
    yield* execute(removalStatements.hold, row);
    return 'held';
  }
  const document = yield* takeAway(key, at);
  if (document === undefined) return 'absent';
  yield* forgetLinkTexts({ crawlerId, urlId, now: at });
  yield* execute(removalStatements.keep, { ...row, approved: approved ? 1 : 0, document });
  return 'removed';
}

/** Inside a write: the page is well again. */
export function* releaseHeld(key: DocumentKey): Operation<void> {
  yield* execute(removalStatements.release, { crawlerId: key.crawlerId, id: key.id });
}

/** Has the document left so lately that an undo could bring it back? */
export function* wasRemovedLately(key: DocumentKey): Operation<boolean> {
  return (yield* fetchFirst(removalStatements.findRemoved, { crawlerId: key.crawlerId, id: key.id })) !== undefined;
}

/** Has any document of the crawler? */
export function* hasRemovedLately(crawlerId: number): Operation<boolean> {
  return (yield* fetchFirst(removalStatements.anyRemoved, { crawlerId })) !== undefined;
}

export function* countRemoved(crawlerId: number, since: number): Operation<number> {
  return (yield* fetchFirst(removalStatements.removedSince, { crawlerId, since }))?.count ?? 0;
}

export function* findHeldRemoval(crawlerId: number, id: string): Operation<HeldRemoval | undefined> {
  const row = yield* fetchFirst(removalStatements.findHeld, { crawlerId, id });
  if (row === undefined) return undefined;
  const { class: removalClass, cause, at, sightings } = row;
  return { class: removalClass as RemovalClass, cause: REASONS[cause] as Reason, heldAt: at, sightings };
}

export function* findDocumentHead(crawlerId: number, id: string): Operation<DocumentHead | undefined> {
  const row = yield* fetchFirst(removalStatements.head, { crawlerId, id });
  if (row === undefined) return undefined;
  return { kind: DOCUMENT_KINDS[row.kind] as DocumentKind, origin: DOCUMENT_ORIGINS[row.origin] as DocumentOrigin };
}

/**
 * Inside a write: deletes a live document; its row as bytes that `putBack` understands. A damaged one is not worth
 * keeping: its bytes are empty. Undefined when there is none.
 */
function* takeAway(key: DocumentKey, at: number): Operation<Uint8Array | undefined> {
  const row = yield* fetchFirst(findRow, key);
  const known = yield* fetchFirst(findKnown, key);
  if (row === undefined || known === undefined) return undefined;
  const numbering = yield* startNumbering();
  yield* removeRow({ key, known, seq: numbering.next(), at });
  yield* numbering.end();
  return isDamaged(row) ? new Uint8Array(0) : serialize(row);
}

/** Inside a write: a kept document comes back as it was, under a new `seq`. False when a newer one is there. */
function* putBack(kept: Uint8Array): Operation<boolean> {
  if (kept.length === 0) return false;
  const row = deserialize(kept) as DocumentRow;
  const key = { crawlerId: row.crawler_id, id: row.id };
  if (isDamaged(row) || (yield* fetchFirst(findRow, key)) !== undefined) return false;
  const numbering = yield* startNumbering();
  const seq = numbering.next();
  // Rows that were kept by earlier versions know nothing of their titles.
  const titles = { title_hash: row.title_hash ?? null, head_title: row.head_title ?? null };
  yield* execute(save, {
    ...row,
    seq,
    write_seq: seq,
    row_hash: rowHash({ ...row, seq }),
    deleted: 0,
    ...titles,
  });
  yield* numbering.end();
  return true;
}

type RequestedRow = {
  rid: number;
  url_id: number;
  run_id: number;
  class: string;
  cause: number;
  state: string;
  asked: string;
  document: Uint8Array | null;
  url: string;
};

type ChoiceValues = {
  crawlerId: number;
  action: string;
  rids: string | null;
  runId: number | null;
  class: string | null;
  cause: number | null;
  origin: string | null;
  pattern: string | null;
};

export const applyRemovalStatements = {
  /** Choices that are null choose all; `rids` is a JSON list. */
  ask: statement<ChoiceValues>((p) =>
    rawQuery(sql`UPDATE removals SET asked = ${p.action} WHERE crawler_id = ${p.crawlerId}
      AND (state = 'held' OR (state = 'removed' AND ${p.action} = 'undo'))
      AND (${p.rids} IS NULL OR rid IN ${listedNumbers(p.rids)})
      AND (${p.runId} IS NULL OR run_id = ${p.runId})
      AND (${p.class} IS NULL OR class = ${p.class})
      AND (${p.cause} IS NULL OR cause = ${p.cause})
      AND (${p.origin} IS NULL OR (SELECT hosts.origin FROM urls JOIN hosts ON hosts.id = urls.host_id
        WHERE urls.id = removals.url_id) = ${p.origin})
      AND (${p.pattern} IS NULL OR (SELECT url_patterns.pattern FROM urls
        JOIN url_patterns ON url_patterns.id = urls.pattern_id WHERE urls.id = removals.url_id) = ${p.pattern})`),
  ),
  asked: statement<{ crawlerId: number; limit: number }, RequestedRow>((p) =>
    engineSql
      .selectFrom('removals')
      .innerJoin('urls', 'urls.id', 'removals.url_id')
      .select(['rid', 'url_id', 'run_id', 'class', 'cause', 'removals.state', 'asked', 'document', 'urls.url'])
      .where('removals.crawler_id', '=', p.crawlerId)
      .where('asked', 'is not', null)
      .orderBy('rid')
      .limit(p.limit)
      .$castTo<RequestedRow>(),
  ),
  applyOne: statement<{
    rid: number;
    state: string;
    approved: number;
    at: number;
    document: Uint8Array | null;
  }>((p) =>
    engineSql
      .updateTable('removals')
      .set({ state: p.state, approved: p.approved, at: p.at, asked: null, document: p.document })
      .where('rid', '=', p.rid),
  ),
  /** What is stored is not what the fingerprints of the last visit tell: the next one reads the page. */
  changeUrl: statement<{ urlId: number; state: number; reason: number; misses: number; nextAt: number }>((p) =>
    engineSql
      .updateTable('urls')
      .set({
        state: p.state,
        reason: p.reason,
        misses: p.misses,
        missed_at: null,
        next_at: p.nextAt,
        body_hash: null,
        content_hash: null,
        extract_version: null,
      })
      .where('id', '=', p.urlId),
  ),
  expire: statement<{ crawlerId: number; before: number; limit: number }>((p) =>
    engineSql
      .deleteFrom('removals')
      .where('rid', 'in', (row) =>
        row
          .selectFrom('removals')
          .select('rid')
          .where('crawler_id', '=', p.crawlerId)
          .where('state', 'in', ['removed', 'undone'])
          .where('at', '<', p.before)
          .where('asked', 'is', null)
          .limit(p.limit),
      ),
  ),
};

/** Write operation: marks what an operator decided. */
export function* askRemovals({ crawlerId, action, choice }: AskRemovals): Operation<number> {
  return (yield* execute(applyRemovalStatements.ask, {
    crawlerId,
    action,
    rids: choice.rids === undefined ? null : JSON.stringify(choice.rids),
    runId: choice.runId ?? null,
    class: choice.class ?? null,
    cause: choice.cause === undefined ? null : REASONS.indexOf(choice.cause),
    origin: choice.origin ?? null,
    pattern: choice.pattern ?? null,
  })).changes;
}

/** An operator's decision waits: looked at without a write. */
export function* hasAsked(crawlerId: number): Operation<boolean> {
  return (yield* fetchAll(applyRemovalStatements.asked, { crawlerId, limit: 1 })).length > 0;
}

/** Write operation. */
export function* applyRemovals(input: ApplyRemovals): Operation<AppliedRemovals> {
  const applied = { approved: 0, undone: 0 };
  for (const row of yield* fetchAll(applyRemovalStatements.asked, { crawlerId: input.crawlerId, limit: input.limit })) {
    if ((row.asked as RemovalAction) === 'undo') {
      yield* undo(input, row);
      applied.undone++;
    } else {
      yield* approve(input, row);
      applied.approved++;
    }
  }
  return applied;
}

/** Write operation. */
export function* expireRemovals(crawlerId: number, before: number, limit: number): Operation<number> {
  return (yield* execute(applyRemovalStatements.expire, { crawlerId, before, limit })).changes;
}

/** The state of the URL record that a removal of a class leaves. */
const STATE_AFTER: Readonly<Record<RemovalClass, 'gone' | 'skipped' | 'alias'>> = {
  hard: 'gone',
  soft: 'gone',
  directive: 'skipped',
  operator: 'skipped',
  moved: 'alias',
};

function* approve(input: ApplyRemovals, row: RequestedRow): Operation<void> {
  const { crawlerId, now, lookAgainAt } = input;
  const document = (yield* takeAway({ crawlerId, id: row.url }, now)) ?? null;
  yield* forgetLinkTexts({ crawlerId, urlId: row.url_id, now });
  const state = URL_STATES.indexOf(STATE_AFTER[row.class as RemovalClass]);
  yield* applyOne({ row, state: 'removed', approved: 1, document, now });
  yield* execute(applyRemovalStatements.changeUrl, {
    urlId: row.url_id,
    state,
    reason: row.cause,
    misses: 1,
    nextAt: lookAgainAt,
  });
  yield* log(input, { row, outcome: 'removed', reason: 'removed' });
}

/** What is only held stays; what left comes back. */
function* undo(input: ApplyRemovals, row: RequestedRow): Operation<void> {
  const { now } = input;
  if (row.state === 'removed' && row.document !== null) yield* putBack(row.document);
  yield* noteLinkTarget({ crawlerId: input.crawlerId, urlId: row.url_id, now });
  yield* applyOne({ row, state: 'undone', approved: 0, document: null, now });
  const [state, reason] = [URL_STATES.indexOf('live'), REASONS.indexOf('undone')];
  yield* execute(applyRemovalStatements.changeUrl, { urlId: row.url_id, state, reason, misses: 0, nextAt: now });
  yield* log(input, { row, outcome: 'unchanged', reason: 'undone' });
}

type Applied = {
  readonly row: RequestedRow;
  readonly state: RemovalState;
  readonly approved: number;
  readonly document: Uint8Array | null;
  readonly now: number;
};

function* applyOne({ row, state, approved, document, now }: Applied): Operation<void> {
  yield* execute(applyRemovalStatements.applyOne, { rid: row.rid, state, approved, at: now, document });
}

function* log(
  { crawlerId, now }: ApplyRemovals,
  { row, outcome, reason }: { readonly row: RequestedRow; readonly outcome: Outcome; readonly reason: Reason },
): Operation<void> {
  const entry = { outcome, reason, httpStatus: undefined, bytes: 0, millis: 0, detail: undefined };
  yield* logVisit({ crawlerId, urlId: row.url_id, runId: row.run_id, at: now, log: entry });
}
