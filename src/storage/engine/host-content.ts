import { sql } from 'kysely';
import { type Reason, URL_STATES } from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import { all, defineStore, execute, fetchAll, fetchFirst, mapTogether, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { type DocumentRow, decodeDocument } from './document-rows.ts';
import { findRow } from './document-writes.ts';
import { CONTENT_COLUMNS, type ContentColumns, contentOf, type Hold, type HostContent, suspendHost } from './hosts.ts';
import type { UrlFacts } from './urls.ts';

/**
 * Part of the port `EngineStore`: what hosts answer beside their pages, so that a broken site is not taken for a
 * changed one. Promises:
 * 1. `livePages` are live pages of the host whose text is known, from a place in their order on that the caller
 *    chooses, the first ones after the last, of at most 64 that are looked at;
 * 2. what was noted of a host is seen by all processes as soon as it is written;
 * 3. a released host is not held any more, also by a look that was under way, and its suspicious changes are believed
 *    until the time given;
 * 4. hosts are listed once each, in the order of their ids.
 */
export interface HostContentStore {
  livePages(input: LivePagesOf): Promise<readonly LivePage[]>;
  /**
   * `hold`: of a host that does not look like itself, in the same write. False, and nothing is stored, when somebody
   * vouches for what the host answered at `probe.at`.
   */
  noteProbe(hostId: number, probe: HostProbe, hold: Hold | undefined): Promise<boolean>;
  noteNotFound(hostId: number, page: NotFoundPage): Promise<void>;
  /** Is there another live URL of the crawler with this content? */
  hasSameContent(input: { crawlerId: number; urlId: number; contentHash: string }): Promise<boolean>;
  /** Families of URLs that lead to this one, at most 50 URLs looked at. */
  countTemplatesLeadingTo(crawlerId: number, url: string): Promise<number>;
  listHosts(input: { crawlerId: number; after: number; limit: number }): Promise<readonly HostState[]>;
  releaseHost(hostId: number, believedUntil: number): Promise<void>;
  /** The copy of robots.txt is asked for anew with the next visit. */
  forgetRobots(hostId: number): Promise<void>;
}

type LivePagesOf = {
  readonly hostId: number;
  /** A signed 64-bit integer as decimal text. */
  readonly from: string;
  /** Pages that were visited since are left out. */
  readonly visitedBefore: number;
  readonly limit: number;
};

export type LivePage = {
  readonly url: string;
  readonly title: string;
  readonly facts: Pick<UrlFacts, 'similarity' | 'extractVersion' | 'asksPassword'>;
};

/** The last look at live pages of a host before a run visits it. */
export type HostProbe = {
  readonly at: number;
  /** Since when none of them is as it is stored. */
  readonly failedSince: number | undefined;
  /** What they answer instead; absent where nothing is known but that they differ, or where they do not. */
  readonly cause?: Reason | undefined;
};

/** What a host answers to a path that cannot exist. */
export type NotFoundPage = {
  readonly at: number;
  /** Where such paths are redirected to, in normal form. */
  readonly target: string | undefined;
  /** Similarity of the text without its own URL, 16 hexadecimal digits; undefined: an answer of 404 or so. */
  readonly similarity: string | undefined;
};

export type HostState = {
  readonly id: number;
  readonly origin: string;
  readonly waiting: number;
  readonly heldUntil: number;
  readonly holdReason: Reason | undefined;
  readonly failures: number;
  /** As `Host.health`. */
  readonly health: string;
  readonly robotsStatus: number | undefined;
  readonly robotsAt: number | undefined;
  readonly content: HostContent;
};

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
      .where('key', '>=', sql<bigint>`cast(${p.from} as bigint)`)
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
function* noteNotFound(hostId: number, page: NotFoundPage): Operation<void> {
  yield* execute(hostContentStatements.noteNotFound, { id: hostId, page: JSON.stringify(page) });
}

function* releaseHost(hostId: number, believedUntil: number): Operation<void> {
  yield* execute(hostContentStatements.release, { id: hostId, until: believedUntil });
}

function* forgetRobots(hostId: number): Operation<void> {
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
function* noteProbe(hostId: number, probe: HostProbe, hold: Hold | undefined): Operation<boolean> {
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
  const [after, first] = yield* all([pagesFrom(from), pagesFrom(FIRST_KEY)]);
  const rows = new Map([...after, ...(after.length < LOOKED_AT ? first : [])].map((row) => [row.url, row]));
  const wanted = [...rows.values()].filter(({ visited_at }) => (visited_at ?? 0) < visitedBefore);
  return yield* mapTogether(wanted.slice(0, limit), function* (row): Operation<LivePage> {
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
