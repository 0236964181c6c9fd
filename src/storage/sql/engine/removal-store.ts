import { sql } from 'kysely';
import { REASONS, type Reason, type RemovalClass, type RemovalState } from '../../../core/crawl-words.ts';
import type { ListRemovals, Removal, RemovalAction, RemovalGroup, RemovalStore } from '../../removal-store.ts';
import { defineStore, fetchAll, type Operation } from '../operation.ts';
import { engineSql, rawQuery, statement } from '../statement.ts';
import {
  applyRemovals,
  askRemovals,
  countRemoved,
  expireRemovals,
  findDocumentHead,
  findHeldRemoval,
  hasAsked,
} from './removals.ts';

/** Documents that left or wait for an operator: reads on this thread, writes on the write thread. */
export const removalStore = defineStore<RemovalStore>()(
  {
    countRemoved,
    findHeldRemoval,
    findDocumentHead,
    countRemovals,
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
};

function* countRemovals(crawlerId: number): Operation<ReadonlyMap<RemovalState, number>> {
  const rows = yield* fetchAll(removalListStatements.count, { crawlerId });
  return new Map(rows.map(({ state, count }) => [state as RemovalState, count]));
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
