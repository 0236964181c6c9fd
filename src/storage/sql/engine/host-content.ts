import { sql } from 'kysely';
import { type Reason, URL_STATES } from '../../../core/crawl-words.ts';
import { keyOfUrl } from '../../../core/url.ts';
import type {
  Hold,
  HostContentStore,
  HostProbe,
  HostState,
  LivePage,
  LivePagesOf,
  NotFoundPage,
} from '../../host-store.ts';
import { defineStore, execute, fetchAll, fetchFirst, mapSeries, type Operation } from '../operation.ts';
import { engineSql, statement } from '../statement.ts';
import { type DocumentRow, decodeDocument } from './document-rows.ts';
import { findRow } from './documents.ts';
import { CONTENT_COLUMNS, type ContentColumns, contentOf, suspendHost } from './hosts.ts';

const LIVE = URL_STATES.indexOf('live');
const FIRST_KEY = '-9223372036854775808';
/** Sources of a target that are looked at. */
const MOST_SOURCES = 50;
/** Live pages that are looked at for some that were not visited lately. */
const LOOKED_AT = 64;

type PageRow = {
  crawler_id: number;
  url: string;
  similarity: string;
  extract_version: number | null;
  asks_password: number;
  visited_at: number | null;
};
type StateRow = ContentColumns & {
  id: number;
  origin: string;
  waiting: number;
  held_until: number;
  hold_reason: string | null;
  failures: number;
  health: string | null;
  robots_status: number | null;
  robots_at: number | null;
};

export const hostContentStatements = {
  livePages: statement<{ hostId: number; from: string; limit: number }, PageRow>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['crawler_id', 'url', 'extract_version', 'asks_password', 'visited_at'])
      .select(sql<string>`cast(similarity as text)`.as('similarity'))
      .where('host_id', '=', p.hostId)
      .where('state', '=', sql.lit(LIVE))
      .where('kind', '=', sql.lit(0))
      .where('similarity', 'is not', null)
      // What a browser has read does not come over HTTP.
      .where(sql<boolean>`coalesce(rendered_at, 0) = 0`)
      .where('key', '>=', sql<bigint>`cast(${p.from} as integer)`)
      .orderBy('key')
      .limit(p.limit),
  ),
  noteNotFound: statement<{ id: number; page: string }>((p) =>
    engineSql.updateTable('hosts').set({ not_found: p.page }).where('id', '=', p.id),
  ),
  sameContent: statement<{ crawlerId: number; urlId: number; contentHash: bigint }, { id: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .select('id')
      .where('crawler_id', '=', p.crawlerId)
      .where('content_hash', '=', p.contentHash)
      .where('state', '=', LIVE)
      .where('id', '!=', p.urlId)
      .limit(sql.lit(1)),
  ),
  sources: statement<{ crawlerId: number; key: bigint; limit: number }, { pattern_id: number | null }>((p) =>
    engineSql
      .selectFrom('urls as source')
      .innerJoin('urls', 'urls.id', 'source.target_id')
      .select('source.pattern_id')
      .where('urls.crawler_id', '=', p.crawlerId)
      .where('urls.key', '=', p.key)
      .limit(p.limit),
  ),
  list: statement<{ crawlerId: number; after: number; limit: number }, StateRow>((p) =>
    engineSql
      .selectFrom('hosts')
      .select(['id', 'origin', 'waiting', 'held_until', 'hold_reason', 'failures', 'health'])
      .select(['robots_status', 'robots_at'])
      .select(CONTENT_COLUMNS)
      .where('crawler_id', '=', p.crawlerId)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
  release: statement<{ id: number; until: number }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({ held_until: 0, hold_reason: null, failures: 0, believed_until: p.until, probe: null })
      .where('id', '=', p.id),
  ),
  forgetRobots: statement<{ id: number }>((p) =>
    engineSql.updateTable('hosts').set({ robots_at: null }).where('id', '=', p.id),
  ),
};

/** Write operations. */
export function* noteNotFound(hostId: number, page: NotFoundPage): Operation<void> {
  yield* execute(hostContentStatements.noteNotFound, { id: hostId, page: JSON.stringify(page) });
}

export function* releaseHost(hostId: number, believedUntil: number): Operation<void> {
  yield* execute(hostContentStatements.release, { id: hostId, until: believedUntil });
}

export function* forgetRobots(hostId: number): Operation<void> {
  yield* execute(hostContentStatements.forgetRobots, { id: hostId });
}

export const probeStatements = {
  note: statement<{ id: number; probe: string; at: number }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({ probe: p.probe })
      .where('id', '=', p.id)
      .where((row) => row.or([row('believed_until', 'is', null), row('believed_until', '<=', p.at)])),
  ),
};

/** Write operation. */
export function* noteProbe(hostId: number, probe: HostProbe, hold: Hold | undefined): Operation<boolean> {
  const values = { id: hostId, probe: JSON.stringify(probe), at: probe.at };
  if ((yield* execute(probeStatements.note, values)).changes === 0) return false;
  if (hold !== undefined) yield* suspendHost(hostId, hold);
  return true;
}

export const hostContentStore = defineStore<HostContentStore>()(
  {
    livePages,
    *hasSameContent({ contentHash, ...of }) {
      return (
        (yield* fetchFirst(hostContentStatements.sameContent, { ...of, contentHash: BigInt(contentHash) })) !==
        undefined
      );
    },
    *countTemplatesLeadingTo(crawlerId, url) {
      const values = { crawlerId, key: keyOfUrl(url), limit: MOST_SOURCES };
      return new Set((yield* fetchAll(hostContentStatements.sources, values)).map((row) => row.pattern_id)).size;
    },
    *listHosts(of) {
      return (yield* fetchAll(hostContentStatements.list, of)).map(stateOf);
    },
  },
  {
    noteProbe,
    noteNotFound,
    releaseHost,
    forgetRobots,
  },
);

function* livePages({ hostId, from, visitedBefore, limit }: LivePagesOf): Operation<readonly LivePage[]> {
  const pagesFrom = (key: string) => fetchAll(hostContentStatements.livePages, { hostId, from: key, limit: LOOKED_AT });
  const after = yield* pagesFrom(from);
  const first = after.length < LOOKED_AT ? yield* pagesFrom(FIRST_KEY) : [];
  const rows = new Map([...after, ...first].map((row) => [row.url, row]));
  const wanted = [...rows.values()].filter(({ visited_at }) => (visited_at ?? 0) < visitedBefore);
  return yield* mapSeries(wanted.slice(0, limit), function* (row): Operation<LivePage> {
    return {
      url: row.url,
      title: titleOf(yield* fetchFirst(findRow, { crawlerId: row.crawler_id, id: row.url })),
      facts: {
        similarity: row.similarity,
        extractVersion: row.extract_version ?? undefined,
        asksPassword: row.asks_password === 1,
      },
    };
  });
}

function titleOf(row: DocumentRow | undefined): string {
  return row === undefined ? '' : (decodeDocument(row).fields.get('Title')?.[0] ?? '');
}

function stateOf(row: StateRow): HostState {
  return {
    id: row.id,
    origin: row.origin,
    waiting: row.waiting,
    heldUntil: row.held_until,
    holdReason: (row.hold_reason as Reason | null) ?? undefined,
    failures: row.failures,
    health: row.health ?? '',
    robotsStatus: row.robots_status ?? undefined,
    robotsAt: row.robots_at ?? undefined,
    content: contentOf(row),
  };
}
