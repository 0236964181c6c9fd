import { sql } from 'kysely';
import { type Reason, URL_STATES } from '../../../core/crawl-words.ts';
import { keyOfUrl } from '../../../core/url.ts';
import type {
  HostContent,
  HostContentStore,
  HostProbe,
  HostState,
  LivePage,
  LivePagesOf,
  NotFoundPage,
} from '../../host-store.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { engineSql, statement } from '../statement.ts';
import type { EngineConnection } from '../write-thread.ts';
import { type DocumentRow, decodeDocument } from './document-rows.ts';
import { findRow } from './documents.ts';

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
export type ContentColumns = { not_found: string | null; probe: string | null; believed_until: number | null };
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

export const CONTENT_COLUMNS = ['not_found', 'probe', 'believed_until'] as const;

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
export function noteNotFound(db: SqliteDatabase, { hostId, page }: { hostId: number; page: NotFoundPage }): void {
  db.runOf(hostContentStatements.noteNotFound, { id: hostId, page: JSON.stringify(page) });
}

export function releaseHost(db: SqliteDatabase, input: { hostId: number; believedUntil: number }): void {
  db.runOf(hostContentStatements.release, { id: input.hostId, until: input.believedUntil });
}

export function forgetRobots(db: SqliteDatabase, { hostId }: { hostId: number }): void {
  db.runOf(hostContentStatements.forgetRobots, { id: hostId });
}

/** The columns are written by this file only. */
export function contentOf({ not_found, probe, believed_until }: ContentColumns): HostContent {
  return {
    probe: probe === null ? undefined : (JSON.parse(probe) as HostProbe),
    notFound: not_found === null ? undefined : (JSON.parse(not_found) as NotFoundPage),
    believedUntil: believed_until ?? 0,
  };
}

export function hostContentStore({ engineId, read, thread }: EngineConnection): HostContentStore {
  return {
    livePages: async (of) => livePages(read, of),
    noteProbe: (hostId, probe, hold) => thread.engine(engineId, 'noteProbe', { hostId, probe, hold }),
    noteNotFound: (hostId, page) => thread.engine(engineId, 'noteNotFound', { hostId, page }),
    hasSameContent: async ({ contentHash, ...of }) =>
      read.firstOf(hostContentStatements.sameContent, { ...of, contentHash: BigInt(contentHash) }) !== undefined,
    countTemplatesLeadingTo: async (crawlerId, url) => {
      const values = { crawlerId, key: keyOfUrl(url), limit: MOST_SOURCES };
      return new Set(read.allOf(hostContentStatements.sources, values).map((row) => row.pattern_id)).size;
    },
    listHosts: async (of) => read.allOf(hostContentStatements.list, of).map(stateOf),
    releaseHost: (hostId, believedUntil) => thread.engine(engineId, 'releaseHost', { hostId, believedUntil }),
    forgetRobots: (hostId) => thread.engine(engineId, 'forgetRobots', { hostId }),
  };
}

function livePages(db: SqliteDatabase, { hostId, from, visitedBefore, limit }: LivePagesOf): readonly LivePage[] {
  const read = (key: string) => db.allOf(hostContentStatements.livePages, { hostId, from: key, limit: LOOKED_AT });
  const after = read(from);
  const first = after.length < LOOKED_AT ? read(FIRST_KEY) : [];
  const rows = new Map([...after, ...first].map((row) => [row.url, row]));
  const wanted = [...rows.values()].filter(({ visited_at }) => (visited_at ?? 0) < visitedBefore);
  return wanted.slice(0, limit).map((row) => ({
    url: row.url,
    title: titleOf(db.firstOf(findRow, { crawlerId: row.crawler_id, id: row.url })),
    facts: {
      similarity: row.similarity,
      extractVersion: row.extract_version ?? undefined,
      asksPassword: row.asks_password === 1,
    },
  }));
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
