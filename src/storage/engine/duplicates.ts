import { sql } from 'kysely';
import {
  OUTCOMES,
  type Outcome,
  REASONS,
  type Reason,
  URL_ORIGINS,
  URL_STATES,
  type UrlOrigin,
} from '../../core/crawl-words.ts';
import { listedNumbers } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, rawQuery, statement } from '../sql/statement.ts';
import { type RemovalTarget, removeOrHold } from './apply-removals.ts';
import type { SupersededUrl } from './visits.ts';

/**
 * Part of the port `EngineStore`: pages with the same or nearly the same content, and the counts of a run. Promises:
 * 1. `sameContent` and `contentAfter` see live records only, whose text was not seen once only;
 * 2. `collapseDuplicates` makes each named record a duplicate of its keeper and takes its document out, kept for an undo, unless
 *    the record has changed meanwhile;
 * 3. duplicates of a keeper, and what names it as canonical, are due at once when a visit says so (`wakes`);
 * 4. a page that keeps its document although others name the same canonical URL still points to it.
 */
export interface DuplicateStore {
  /** Live records of the crawler with this content, at most 10, in no order. */
  sameContent(crawlerId: number, contentHash: string): Promise<readonly ContentUrl[]>;
  /** Records that point to this one, at most 100, in no order. */
  declaringUrls(urlId: number): Promise<readonly DeclaringUrl[]>;
  /** Live records with content of at least `minChars`, ascending by id after `after`. */
  contentAfter(of: ContentAfter): Promise<readonly ContentHashes[]>;
  /** In no order; unknown ids are left out. */
  contentUrls(ids: readonly number[]): Promise<readonly ContentUrl[]>;
  /** Resolves with how many became duplicates. */
  collapseDuplicates(input: CollapseDuplicates): Promise<number>;
  /** Records that are duplicates, ascending by id after `after`. */
  listDuplicates(of: {
    readonly crawlerId: number;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly DuplicateRecord[]>;
  /** Visits of the run by outcome and reason. */
  countVisits(run: {
    readonly id: number;
    readonly crawlerId: number;
    readonly since: number;
  }): Promise<readonly VisitCount[]>;
}

export type ContentUrl = {
  readonly id: number;
  readonly url: string;
  readonly origin: UrlOrigin;
  readonly firstSeenAt: number;
};

type DeclaringUrl = {
  readonly id: number;
  readonly url: string;
  readonly depth: number;
  readonly reason: Reason;
  readonly patternId: number | undefined;
  /** Signed 64 bits as decimal text. */
  readonly similarity: string | undefined;
};

type ContentAfter = {
  readonly crawlerId: number;
  readonly minChars: number;
  readonly after: number;
  readonly limit: number;
};

/** Hashes of 64 bits as their upper and lower 32. */
export type ContentHashes = {
  readonly id: number;
  readonly content: readonly [number, number];
  readonly similarity: readonly [number, number];
};

type CollapseDuplicates = {
  readonly crawlerId: number;
  readonly runId: number;
  readonly now: number;
  readonly duplicates: readonly { readonly urlId: number; readonly url: string; readonly keeperId: number }[];
};

type DuplicateRecord = { readonly id: number; readonly url: string; readonly duplicateOf: string };

type VisitCount = { readonly outcome: Outcome; readonly reason: Reason; readonly count: number };

const LIVE = URL_STATES.indexOf('live');
const DUPLICATE = URL_STATES.indexOf('duplicate');
const ALIAS = URL_STATES.indexOf('alias');
const SAME_CONTENT = 10;
const WOKEN = 1_000;
const DECLARING = 100;

type HashRow = { id: number; content_high: number; content_low: number; similar_high: number; similar_low: number };
type ContentRow = { id: number; url: string; origin: number; first_seen_at: number };

/** Upper and lower 32 bits of a signed 64-bit column. */
function upperAndLower(column: 'content_hash' | 'similarity', high: string, low: string) {
  const hash = sql.ref(column);
  return sql`(${hash} >> 32) & 4294967295 AS ${sql.ref(high)}, ${hash} & 4294967295 AS ${sql.ref(low)}`;
}

export const duplicateStatements = {
  declaring: statement<
    { urlId: number },
    { id: number; url: string; depth: number; reason: number; pattern_id: number | null; similarity: string | null }
  >((p) =>
    engineSql
      .selectFrom('urls')
      .select([
        'id',
        'url',
        'depth',
        'reason',
        'pattern_id',
        sql<string | null>`cast(similarity AS TEXT)`.as('similarity'),
      ])
      .where('target_id', '=', p.urlId)
      .limit(DECLARING),
  ),
  contentAfter: statement<ContentAfter, HashRow>((p) =>
    rawQuery(sql<HashRow>`SELECT id, ${upperAndLower('content_hash', 'content_high', 'content_low')},
      ${upperAndLower('similarity', 'similar_high', 'similar_low')} FROM urls
      WHERE id > ${p.after} AND +crawler_id = ${p.crawlerId} AND state = ${LIVE} AND content_hash IS NOT NULL AND unconfirmed = 0
      AND similarity IS NOT NULL AND content_chars >= ${p.minChars} ORDER BY id LIMIT ${p.limit}`),
  ),
  contentUrls: statement<{ ids: string }, ContentRow>((p) =>
    rawQuery(sql<ContentRow>`SELECT id, url, origin, first_seen_at FROM urls
      WHERE id IN ${listedNumbers(p.ids)}`),
  ),
  contentOf: statement<{ id: number }, { content_hash: string }>((p) =>
    rawQuery(sql<{ content_hash: string }>`SELECT cast(content_hash AS TEXT) AS content_hash FROM urls
      WHERE id = ${p.id} AND content_hash IS NOT NULL AND state = ${LIVE}`),
  ),
  list: statement<
    { crawlerId: number; after: number; limit: number },
    { id: number; url: string; duplicate_of: string }
  >((p) =>
    engineSql
      .selectFrom('urls')
      .innerJoin('urls as target', 'target.id', 'urls.target_id')
      .select(['urls.id', 'urls.url', 'target.url as duplicate_of'])
      .where('urls.crawler_id', '=', p.crawlerId)
      .where('urls.state', '=', DUPLICATE)
      .where('urls.reason', '=', REASONS.indexOf('duplicate'))
      .where('urls.id', '>', p.after)
      .orderBy('urls.id')
      .limit(p.limit),
  ),
  countVisits: statement<
    { crawlerId: number; runId: number; since: number },
    { outcome: number; reason: number; count: number }
  >((p) =>
    engineSql
      .selectFrom('visits')
      .select((row) => ['outcome', 'reason', row.fn.countAll<number>().as('count')])
      .where('crawler_id', '=', p.crawlerId)
      .where('at', '>=', p.since)
      .where('run_id', '=', p.runId)
      .groupBy(['outcome', 'reason']),
  ),
  sameContent: statement<{ crawlerId: number; contentHash: bigint }, ContentRow>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['id', 'url', 'origin', 'first_seen_at'])
      .where('crawler_id', '=', p.crawlerId)
      .where('content_hash', '=', p.contentHash)
      .where('unconfirmed', '=', 0)
      .where('state', '=', LIVE)
      .limit(SAME_CONTENT),
  ),
  becomeDuplicate: statement<{ urlId: number; keeperId: number; contentHash: bigint }>((p) =>
    engineSql
      .updateTable('urls')
      .set({ state: DUPLICATE, reason: REASONS.indexOf('duplicate'), target_id: p.keeperId })
      .where('id', '=', p.urlId)
      .where('state', '=', LIVE)
      .where('content_hash', '=', p.contentHash),
  ),
  /** What points to a keeper that steps back points to the new one. */
  pointAgain: statement<{ urlId: number; keeperId: number }>((p) =>
    engineSql
      .updateTable('urls')
      .set({ target_id: p.keeperId })
      .where('target_id', '=', p.urlId)
      .where('state', '=', DUPLICATE),
  ),
  duplicatesOf: statement<{ urlId: number }, { url: string; depth: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['url', 'depth'])
      .where('target_id', '=', p.urlId)
      .where('state', '=', DUPLICATE)
      .limit(WOKEN),
  ),
  allOf: statement<{ urlId: number }, { url: string; depth: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['url', 'depth'])
      .where('target_id', '=', p.urlId)
      .where((row) =>
        row.or([
          row('state', '=', DUPLICATE),
          row.and([row('state', '=', ALIAS), row('reason', '=', REASONS.indexOf('canonical'))]),
        ]),
      )
      .limit(WOKEN),
  ),
};

export const duplicateStore = defineStore<DuplicateStore>()(
  {
    *sameContent(crawlerId, contentHash) {
      return (yield* fetchAll(duplicateStatements.sameContent, { crawlerId, contentHash: BigInt(contentHash) })).map(
        contentUrlOf,
      );
    },
    *declaringUrls(urlId) {
      return (yield* fetchAll(duplicateStatements.declaring, { urlId })).map(
        ({ id, url, depth, reason, pattern_id, similarity }) => ({
          id,
          url,
          depth,
          reason: REASONS[reason] as Reason,
          patternId: pattern_id ?? undefined,
          similarity: similarity ?? undefined,
        }),
      );
    },
    *contentAfter(of) {
      return (yield* fetchAll(duplicateStatements.contentAfter, of)).map((row) => ({
        id: row.id,
        content: [row.content_high, row.content_low],
        similarity: [row.similar_high, row.similar_low],
      }));
    },
    *contentUrls(ids) {
      return (yield* fetchAll(duplicateStatements.contentUrls, { ids: JSON.stringify(ids) })).map(contentUrlOf);
    },
    *listDuplicates(of) {
      return (yield* fetchAll(duplicateStatements.list, of)).map(({ id, url, duplicate_of: duplicateOf }) => ({
        id,
        url,
        duplicateOf,
      }));
    },
    *countVisits({ id: runId, crawlerId, since }) {
      return (yield* fetchAll(duplicateStatements.countVisits, { runId, crawlerId, since })).map(
        ({ outcome, reason, count }) => ({
          outcome: OUTCOMES[outcome] as Outcome,
          reason: REASONS[reason] as Reason,
          count,
        }),
      );
    },
  },
  {
    collapseDuplicates,
  },
);

function contentUrlOf({ id, url, origin, first_seen_at: firstSeenAt }: ContentRow): ContentUrl {
  return { id, url, firstSeenAt, origin: URL_ORIGINS[origin] as UrlOrigin };
}

/** Write operation: resolves with how many became duplicates; those whose content has changed since do not. */
function* collapseDuplicates({ duplicates, ...position }: CollapseDuplicates): Operation<number> {
  let collapsed = 0;
  for (const { urlId, url, keeperId } of duplicates) {
    const content = (yield* fetchFirst(duplicateStatements.contentOf, { id: keeperId }))?.content_hash;
    if (content === undefined) continue;
    if (yield* supersede({ urlId, url, contentHash: content }, { ...position, keeperId })) collapsed++;
  }
  return collapsed;
}

/** Inside a write: the record becomes a duplicate of the keeper, which takes its duplicates; its document leaves. */
export function* supersede(
  { urlId, url, contentHash }: SupersededUrl,
  { keeperId, ...position }: Omit<RemovalTarget, 'urlId'> & { readonly keeperId: number },
): Operation<boolean> {
  const changed = yield* execute(duplicateStatements.becomeDuplicate, {
    urlId,
    keeperId,
    contentHash: BigInt(contentHash),
  });
  if (changed.changes === 0) return false;
  yield* execute(duplicateStatements.pointAgain, { urlId, keeperId });
  // Nothing is lost: the keeper has the same content, so that the guard neither holds nor counts it.
  const removal = { remove: url, class: 'moved', cause: 'duplicate', firstAt: position.now, approved: true } as const;
  yield* removeOrHold({ ...position, urlId }, { ...removal, guard: undefined });
  return true;
}
