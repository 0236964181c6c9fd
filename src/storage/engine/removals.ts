import { sql } from 'kysely';
import { REASONS, type Reason, type RemovalClass, type RemovalState } from '../../core/crawl-words.ts';
import type { DocumentKind, DocumentOrigin } from '../../core/document.ts';
import { defineStore, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, rawQuery, statement } from '../sql/statement.ts';
import {
  applyRemovals,
  askRemovals,
  countRemoved,
  expireRemovals,
  findDocumentHead,
  findHeldRemoval,
  hasAsked,
} from './apply-removals.ts';

/**
 * Part of the port `EngineStore`: documents that left, and documents that wait for an operator. Promises:
 * 1. a visit that removes a document keeps it for an undo, in the same transaction;
 * 2. once the guard's number of documents has left, a document stays and is held, whoever records at the same time;
 * 3. a held removal leaves the list when a visit finds the page well, or its document is deleted;
 * 4. `askRemovals` marks held (approve) or held and removed (undo) ones at once and durably; `applyRemovals` does
 *    what is asked in steps, each document once, whatever dies between them;
 * 5. an undo brings kind, language, fields, structure, origin and times back as they were, under a new `seq`; a newer
 *    document of the same id stays as it is;
 * 6. an explicit deletion of a document is final: nothing of it is kept for an undo;
 * 7. `expireRemovals` drops what was removed or undone before a time.
 */
export interface RemovalStore {
  /** Documents that left without an operator since then. */
  countRemoved(crawlerId: number, since: number): Promise<number>;
  findHeldRemoval(crawlerId: number, documentId: string): Promise<HeldRemoval | undefined>;
  findDocumentHead(crawlerId: number, documentId: string): Promise<DocumentHead | undefined>;
  countRemovals(crawlerId: number): Promise<ReadonlyMap<RemovalState, number>>;
  /** Those that wait for an operator, of each of the crawlers. */
  countHeldRemovals(crawlerIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Ascending by rid. */
  listRemovals(of: ListRemovals): Promise<readonly Removal[]>;
  /** Removals of a state by class, cause, host and pattern; the largest groups first. */
  groupRemovals(of: { crawlerId: number; state: RemovalState; limit: number }): Promise<readonly RemovalGroup[]>;
  /** Resolves with how many were marked. */
  askRemovals(input: AskRemovals): Promise<number>;
  /** Whether something is asked that is not done. */
  hasAskedRemovals(crawlerId: number): Promise<boolean>;
  /** Does at most `limit` of what is asked. */
  applyRemovals(input: ApplyRemovals): Promise<AppliedRemovals>;
  /** Resolves with how many were dropped. */
  expireRemovals(crawlerId: number, before: number, limit: number): Promise<number>;
}

export type HeldRemoval = {
  readonly class: RemovalClass;
  readonly cause: Reason;
  /** When it was held, and in how many full runs of a healthy host its page was seen missing since. */
  readonly heldAt: number;
  readonly sightings: number;
};

export type DocumentHead = { readonly kind: DocumentKind; readonly origin: DocumentOrigin };

export type Removal = {
  readonly rid: number;
  readonly url: string;
  readonly class: RemovalClass;
  readonly cause: Reason;
  readonly state: RemovalState;
  readonly runId: number | undefined;
  /** First sighting, and the last change of state. */
  readonly firstAt: number;
  readonly at: number;
  /** What an operator asked for and is not done yet. */
  readonly asked: RemovalAction | undefined;
  /** An operator agreed to it. */
  readonly approved: boolean;
  readonly origin: string;
  /** `/blog/{date}/{s}.html` */
  readonly pattern: string;
};

type ListRemovals = {
  readonly crawlerId: number;
  readonly state: RemovalState;
  readonly after: number;
  readonly limit: number;
};

type RemovalGroup = Pick<Removal, 'class' | 'cause' | 'origin' | 'pattern'> & {
  readonly count: number;
  /** URLs, at most three. */
  readonly samples: readonly string[];
};

export const REMOVAL_ACTIONS = ['approve', 'undo'] as const;
export type RemovalAction = (typeof REMOVAL_ACTIONS)[number];

/** Members that are there narrow the choice; none of them: all. */
export type RemovalChoice = {
  readonly rids?: readonly number[] | undefined;
  readonly runId?: number | undefined;
  readonly class?: RemovalClass | undefined;
  readonly cause?: Reason | undefined;
  readonly origin?: string | undefined;
  readonly pattern?: string | undefined;
};

export type AskRemovals = {
  readonly crawlerId: number;
  readonly action: RemovalAction;
  readonly choice: RemovalChoice;
};

export type ApplyRemovals = {
  readonly crawlerId: number;
  readonly now: number;
  readonly limit: number;
  /** When the pages of approved removals are looked at again. */
  readonly lookAgainAt: number;
};

export type AppliedRemovals = { readonly approved: number; readonly undone: number };

/** Documents that left or wait for an operator: reads on this thread, writes on the write thread. */
export const removalStore = defineStore<RemovalStore>()(
  {
    countRemoved,
    findHeldRemoval,
    findDocumentHead,
    countRemovals,
    countHeldRemovals,
    listRemovals,
    groupRemovals,
    hasAskedRemovals: hasAsked,
  },
  {
    askRemovals,
    applyRemovals,
    expireRemovals,
  },
);

type RemovalRow = {
  rid: number;
  url: string;
  class: string;
  cause: number;
  state: string;
  run_id: number | null;
  first_at: number;
  at: number;
  asked: string | null;
  approved: number;
  origin: string;
  pattern: string | null;
};

type GroupRow = {
  class: string;
  cause: number;
  origin: string;
  pattern: string | null;
  url: string;
  size: number;
};

const SAMPLES = sql.lit(3);

export const removalListStatements = {
  list: statement<{ crawlerId: number; state: string; after: number; limit: number }, RemovalRow>((p) =>
    engineSql
      .selectFrom('removals')
      .innerJoin('urls', 'urls.id', 'removals.url_id')
      .innerJoin('hosts', 'hosts.id', 'urls.host_id')
      .leftJoin('url_patterns', 'url_patterns.id', 'urls.pattern_id')
      .select(['removals.rid', 'urls.url', 'removals.class', 'removals.cause', 'removals.state', 'removals.run_id'])
      .select(['removals.first_at', 'removals.at', 'removals.asked', 'removals.approved'])
      .select(['hosts.origin', 'url_patterns.pattern'])
      .where('removals.crawler_id', '=', p.crawlerId)
      .where('removals.state', '=', p.state)
      .where('removals.rid', '>', p.after)
      .orderBy('removals.rid')
      .limit(p.limit),
  ),
  groups: statement<{ crawlerId: number; state: string; limit: number }, GroupRow>((p) =>
    rawQuery(sql<GroupRow>`WITH members AS (
        SELECT removals.class AS class, removals.cause AS cause, hosts.origin AS origin,
          url_patterns.pattern AS pattern, urls.url AS url,
          row_number() OVER (PARTITION BY removals.class, removals.cause, urls.host_id, urls.pattern_id
            ORDER BY removals.rid) AS place,
          count(*) OVER (PARTITION BY removals.class, removals.cause, urls.host_id, urls.pattern_id) AS size
        FROM removals JOIN urls ON urls.id = removals.url_id JOIN hosts ON hosts.id = urls.host_id
        LEFT JOIN url_patterns ON url_patterns.id = urls.pattern_id
        WHERE removals.crawler_id = ${p.crawlerId} AND removals.state = ${p.state})
      SELECT class, cause, origin, pattern, url, size FROM members WHERE place <= ${SAMPLES}
      ORDER BY size DESC, origin, pattern, class, cause, place LIMIT ${p.limit} * ${SAMPLES}`),
  ),
  count: statement<{ crawlerId: number }, { state: string; count: number }>((p) =>
    engineSql
      .selectFrom('removals')
      .select((row) => ['state', row.fn.countAll<number>().as('count')])
      .where('crawler_id', '=', p.crawlerId)
      .groupBy('state'),
  ),
  held: statement<{ crawlerId: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('removals')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .where('state', '=', 'held'),
  ),
};

function* countRemovals(crawlerId: number): Operation<ReadonlyMap<RemovalState, number>> {
  const rows = yield* fetchAll(removalListStatements.count, { crawlerId });
  return new Map(rows.map(({ state, count }) => [state as RemovalState, count]));
}

function* countHeldRemovals(crawlerIds: readonly number[]): Operation<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const crawlerId of crawlerIds) {
    counts.set(crawlerId, (yield* fetchFirst(removalListStatements.held, { crawlerId }))?.count ?? 0);
  }
  return counts;
}

function* listRemovals(input: ListRemovals): Operation<readonly Removal[]> {
  return (yield* fetchAll(removalListStatements.list, input)).map((row) => ({
    rid: row.rid,
    url: row.url,
    class: row.class as RemovalClass,
    cause: REASONS[row.cause] as Reason,
    state: row.state as RemovalState,
    runId: row.run_id ?? undefined,
    firstAt: row.first_at,
    at: row.at,
    asked: (row.asked as RemovalAction | null) ?? undefined,
    approved: row.approved === 1,
    origin: row.origin,
    pattern: row.pattern ?? '',
  }));
}

function* groupRemovals(input: {
  readonly crawlerId: number;
  readonly state: RemovalState;
  readonly limit: number;
}): Operation<readonly RemovalGroup[]> {
  const groups = new Map<string, RemovalGroup & { readonly samples: string[] }>();
  for (const { class: removalClass, cause, origin, pattern, url, size } of yield* fetchAll(
    removalListStatements.groups,
    input,
  )) {
    const key = JSON.stringify([removalClass, cause, origin, pattern]);
    const known = groups.get(key);
    if (known !== undefined) known.samples.push(url);
    else {
      const input = {
        class: removalClass as RemovalClass,
        cause: REASONS[cause] as Reason,
        origin,
        pattern: pattern ?? '',
      };
      groups.set(key, { ...input, count: size, samples: [url] });
    }
  }
  return [...groups.values()].slice(0, input.limit);
}
