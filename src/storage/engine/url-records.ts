import { type Expression, sql } from 'kysely';
import { REASONS, type Reason, URL_KINDS, URL_STATES, type UrlKind, type UrlState } from '../../core/crawl-words.ts';
import { fetchFirst, type Operation, submit } from '../sql/operation.ts';
import { engineSql, type Parameters, statement } from '../sql/statement.ts';
import type { UrlFacts } from './urls.ts';

/** Columns of a URL record that a visit reads and changes; hashes as text, because they exceed a JavaScript number. */
export type FactsRow = {
  kind: number;
  state: number;
  reason: number;
  http_status: number | null;
  etag: string | null;
  last_modified: string | null;
  extract_version: number | null;
  body_hash: string | null;
  content_hash: string | null;
  similarity: string | null;
  content_chars: number | null;
  changed_at: number | null;
  interval_ms: number | null;
  next_at: number | null;
  misses: number;
  missed_at: number | null;
  rendered_at: number | null;
  asks_password: number;
  has_end_tag: number;
  unconfirmed: number;
};

export const FACT_COLUMNS = [
  'urls.kind',
  'urls.state',
  'urls.reason',
  'urls.http_status',
  'urls.etag',
  'urls.last_modified',
  'urls.extract_version',
  'urls.content_chars',
  'urls.changed_at',
  'urls.interval_ms',
  'urls.next_at',
  'urls.misses',
  'urls.missed_at',
  'urls.rendered_at',
  'urls.asks_password',
  'urls.has_end_tag',
  'urls.unconfirmed',
] as const;

export const HASH_COLUMNS = [
  sql<string | null>`cast(urls.body_hash as text)`.as('body_hash'),
  sql<string | null>`cast(urls.content_hash as text)`.as('content_hash'),
  sql<string | null>`cast(urls.similarity as text)`.as('similarity'),
] as const;

type NewUrlRow = {
  crawlerId: number;
  hostId: number;
  key: bigint;
  url: string;
  kind: number;
  origin: number;
  depth: number;
  foundOn: number | null;
  patternId: number;
  state: number;
  reason: number;
  now: number;
};

type FactsValues = {
  id: number;
  kind: number;
  state: number;
  reason: number;
  httpStatus: number | null;
  etag: string | null;
  lastModified: string | null;
  extractVersion: number | null;
  bodyHash: bigint | null;
  contentHash: bigint | null;
  similarity: bigint | null;
  contentChars: number | null;
  changedAt: number | null;
  intervalMs: number | null;
  nextAt: number | null;
  misses: number;
  missedAt: number | null;
  renderedAt: number | null;
  asksPassword: number;
  hasEndTag: number;
  isUnconfirmed: number;
  targetId: number | null;
  now: number;
};

type UrlRow = FactsRow & {
  id: number;
  url: string;
  origin: number;
  depth: number;
  found_on: number | null;
  target_url: string | null;
  first_seen_at: number;
  visited_at: number | null;
  visits: number;
  sitemap_lastmod: number | null;
  waiting: number | null;
};

/** What decides what becomes of a URL that is named again. */
export type FoundUrl = {
  id: number;
  depth: number;
  host_id: number;
  origin: number;
  state: number;
  reason: number;
  pattern_id: number | null;
};

/** What the visits of a URL have shown. */
export type ChangeHistory = {
  id: number;
  visits: number;
  link_ring: number;
  hub: number | null;
  pattern_id: number | null;
  interval_ms: number | null;
};

/** A page with a document of its own points to the URL that too many name, also when nothing has changed. */
function keptTarget(p: Parameters<FactsValues>, present: Expression<number | null>) {
  const isShared = sql`${p.reason} = ${sql.lit(REASONS.indexOf('canonical-shared'))}`;
  return sql<number | null>`CASE WHEN ${isShared} THEN coalesce(${p.targetId}, ${present}) ELSE ${p.targetId} END`;
}

export const urlStatements = {
  find: statement<{ crawlerId: number; key: bigint }, FoundUrl>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['id', 'depth', 'host_id', 'origin', 'state', 'reason', 'pattern_id'])
      .where('crawler_id', '=', p.crawlerId)
      .where('key', '=', p.key),
  ),
  insert: statement<NewUrlRow>((p) =>
    engineSql.insertInto('urls').values({
      crawler_id: p.crawlerId,
      host_id: p.hostId,
      key: p.key,
      url: p.url,
      kind: p.kind,
      state: p.state,
      reason: p.reason,
      origin: p.origin,
      found_on: p.foundOn,
      depth: p.depth,
      pattern_id: p.patternId,
      first_seen_at: p.now,
    }),
  ),
  setOrigin: statement<{ id: number; origin: number; foundOn: number | null }>((p) =>
    engineSql.updateTable('urls').set({ origin: p.origin, found_on: p.foundOn }).where('id', '=', p.id),
  ),
  lowerDepth: statement<{ id: number; depth: number }>((p) =>
    engineSql.updateTable('urls').set({ depth: p.depth }).where('id', '=', p.id).where('depth', '>', p.depth),
  ),
  change: statement<FactsValues, ChangeHistory>((p) =>
    engineSql
      .updateTable('urls')
      .set((row) => ({
        kind: p.kind,
        state: p.state,
        reason: p.reason,
        http_status: p.httpStatus,
        etag: p.etag,
        last_modified: p.lastModified,
        extract_version: p.extractVersion,
        body_hash: p.bodyHash,
        content_hash: p.contentHash,
        similarity: p.similarity,
        content_chars: p.contentChars,
        changed_at: p.changedAt,
        interval_ms: p.intervalMs,
        next_at: p.nextAt,
        misses: p.misses,
        missed_at: p.missedAt,
        rendered_at: p.renderedAt,
        asks_password: p.asksPassword,
        has_end_tag: p.hasEndTag,
        unconfirmed: p.isUnconfirmed,
        target_id: keptTarget(p, row.ref('target_id')),
        visits: row('visits', '+', 1),
        visited_at: p.now,
      }))
      .where('id', '=', p.id)
      .returning(['id', 'visits', 'link_ring', 'hub', 'pattern_id', 'interval_ms']),
  ),
  /** A page that was not asked for. */
  touch: statement<{ id: number; reason: number; intervalMs: number | null; nextAt: number | null }>((p) =>
    engineSql
      .updateTable('urls')
      .set({ reason: p.reason, interval_ms: p.intervalMs, next_at: p.nextAt })
      .where('id', '=', p.id),
  ),
  read: statement<{ crawlerId: number; key: bigint }, UrlRow>((p) =>
    engineSql
      .selectFrom('urls')
      .leftJoin('urls as target', 'target.id', 'urls.target_id')
      .leftJoin('frontier', 'frontier.url_id', 'urls.id')
      .select(FACT_COLUMNS)
      .select(HASH_COLUMNS)
      .select(['urls.id', 'urls.url', 'urls.origin', 'urls.depth', 'urls.found_on', 'target.url as target_url'])
      .select(['urls.first_seen_at', 'urls.visited_at', 'urls.visits', 'frontier.url_id as waiting'])
      .select('urls.sitemap_lastmod')
      .where('urls.crawler_id', '=', p.crawlerId)
      .where('urls.key', '=', p.key),
  ),
  countStates: statement<{ crawlerId: number }, { state: number; count: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .select((row) => ['state', row.fn.countAll<number>().as('count')])
      .where('crawler_id', '=', p.crawlerId)
      .groupBy('state'),
  ),
  countSome: statement<{ crawlerId: number; state: number; limit: number }, { count: number }>((p) =>
    engineSql
      .selectFrom((input) =>
        input
          .selectFrom('urls')
          .select('urls.id')
          .where('urls.crawler_id', '=', p.crawlerId)
          .where('urls.state', '=', p.state)
          .limit(p.limit)
          .as('some'),
      )
      .select((row) => row.fn.countAll<number>().as('count')),
  ),
  /** Sitemaps and feeds are few: an index of their own holds them. */
  countLists: statement<{ crawlerId: number }, { state: number; count: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .select((row) => ['state', row.fn.countAll<number>().as('count')])
      .where('crawler_id', '=', p.crawlerId)
      .where('kind', '>=', sql.lit(URL_KINDS.indexOf('sitemap')))
      .groupBy('state'),
  ),
};

/** Inside a write: what the record tells of its visits, this one included. */
export function* changeUrl(change: {
  id: number;
  facts: UrlFacts;
  targetId: number | undefined;
  now: number;
}): Operation<ChangeHistory | undefined> {
  const { id, facts, targetId, now } = change;
  return yield* fetchFirst(urlStatements.change, {
    id,
    now,
    targetId: targetId ?? null,
    kind: URL_KINDS.indexOf(facts.kind),
    state: URL_STATES.indexOf(facts.state),
    reason: REASONS.indexOf(facts.reason),
    httpStatus: facts.httpStatus ?? null,
    etag: facts.etag ?? null,
    lastModified: facts.lastModified ?? null,
    extractVersion: facts.extractVersion ?? null,
    bodyHash: hashValue(facts.bodyHash),
    contentHash: hashValue(facts.contentHash),
    similarity: hashValue(facts.similarity),
    contentChars: facts.contentChars ?? null,
    changedAt: facts.changedAt ?? null,
    intervalMs: facts.intervalMs ?? null,
    nextAt: facts.nextAt ?? null,
    misses: facts.misses,
    missedAt: facts.missedAt ?? null,
    renderedAt: facts.renderedAt ?? null,
    asksPassword: facts.asksPassword ? 1 : 0,
    hasEndTag: facts.hasEndTag ? 1 : 0,
    isUnconfirmed: facts.isUnconfirmed ? 1 : 0,
  });
}

/** Inside a write: the page is as its sitemap says; the time of its last visit stays. */
export function* touchUrl(id: number, { reason, intervalMs, nextAt }: UrlFacts): Operation<void> {
  yield* submit(urlStatements.touch, {
    id,
    reason: REASONS.indexOf(reason),
    intervalMs: intervalMs ?? null,
    nextAt: nextAt ?? null,
  });
}

function hashValue(text: string | undefined): bigint | null {
  return text === undefined ? null : BigInt(text);
}

export function factsOf(row: FactsRow): UrlFacts {
  return {
    kind: URL_KINDS[row.kind] as UrlKind,
    state: URL_STATES[row.state] as UrlState,
    reason: REASONS[row.reason] as Reason,
    httpStatus: row.http_status ?? undefined,
    etag: row.etag ?? undefined,
    lastModified: row.last_modified ?? undefined,
    extractVersion: row.extract_version ?? undefined,
    bodyHash: row.body_hash ?? undefined,
    contentHash: row.content_hash ?? undefined,
    similarity: row.similarity ?? undefined,
    contentChars: row.content_chars ?? undefined,
    changedAt: row.changed_at ?? undefined,
    intervalMs: row.interval_ms ?? undefined,
    nextAt: row.next_at ?? undefined,
    misses: row.misses,
    missedAt: row.missed_at ?? undefined,
    renderedAt: row.rendered_at ?? undefined,
    asksPassword: row.asks_password === 1,
    hasEndTag: row.has_end_tag === 1,
    isUnconfirmed: row.unconfirmed === 1,
  };
}
