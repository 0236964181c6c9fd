import { sql } from 'kysely';
import { REASONS, URL_STATES } from '../../core/crawl-words.ts';
import { positionIn } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';

/**
 * Part of the port `EngineStore`: URL templates of a host, and what was learned of them. Promises:
 * 1. every URL record belongs to the pattern of its URL on its host, from the moment it is known; a pattern belongs to
 *    its URL template, which is a pattern of its own kind, where it has one;
 * 2. `evidence` of a visit counts once in the pattern of its URL and once in that one's URL template;
 * 3. a new link of a closed pattern is known as `skipped`/`trap` and does not wait; what a seed, a list of URLs or the
 *    API names waits all the same, and so does, of a pattern without a query closed for `nothing-new`, a link that a
 *    page of an open pattern names; 1 in 100 is a sample of each later run;
 * 4. rows of a closed pattern are taken with the rule that closed it (`closedBy`), with the same exceptions;
 * 5. closing a URL template closes its patterns of which less than half of the pages (with a query: less than 3) brought
 *    anything, and those that are found later; opening it opens them, and what was refused meanwhile is visited by the
 *    run under way, else by the next one;
 * 6. lessons about rendering are learned one after another, whichever process recorded them, finished pairs by the
 *    URL template of the pattern, too; one that settles a claim makes the pages due that waited for it.
 */
export interface PatternStore {
  findPattern(patternId: number): Promise<UrlPatternRecord | undefined>;
  /** Ascending by id after `after`. */
  listPatterns(input: ListPatterns): Promise<readonly UrlPatternRecord[]>;
  changePattern(change: PatternChange): Promise<void>;
}

export type ListPatterns = {
  readonly crawlerId: number;
  readonly after: number;
  readonly limit: number;
  readonly closed?: boolean;
};

/** Rules that close a pattern; `kept-open` stands beside an open one that no rule may close. */
export const CLOSE_RULES = ['nothing-new', 'same-text', 'operator', 'kept-open'] as const;
export type CloseRule = (typeof CLOSE_RULES)[number];

export type PatternChange = {
  readonly patternId: number;
  readonly to: 'open' | 'quarantine' | 'closed';
  readonly rule: CloseRule | undefined;
  readonly at: number;
  /** What its pages said, by which a later sample is judged. */
  readonly seen?: Uint8Array | undefined;
  /** URLs of pages that brought nothing. */
  readonly examples?: readonly string[];
};

export type UrlPatternRecord = {
  readonly id: number;
  readonly crawlerId: number;
  readonly hostId: number;
  /** `/blog/{date}/{s}.html?page`, or a URL template (`core/url.ts`). */
  readonly pattern: string;
  readonly urlTemplateId: number | undefined;
  /** URLs known (of a URL template: patterns), and first visits made. */
  readonly known: number;
  readonly visited: number;
  /** First visits that brought something of their own. */
  readonly informative: number;
  /** Bit ring of the last 20 first visits, newest lowest: 1 = informative. */
  readonly recent: number;
  /** The same for visits that brought the text of another page. */
  readonly sameText: number;
  /** Brought so little that its URLs come last. */
  readonly quarantine: boolean;
  readonly closedAt: number | undefined;
  readonly closeRule: CloseRule | undefined;
  readonly seen: Uint8Array | undefined;
  /** Of a closed one: URLs of pages that brought nothing. */
  readonly examples: readonly string[];
  /** JSON: verdict about rendering. */
  readonly render: string | undefined;
};

/** What decides about a pattern after a visit of it. */
export type CountedPattern = Omit<UrlPatternRecord, 'crawlerId' | 'known' | 'seen' | 'examples' | 'render'>;

/** What a first visit says about the pattern of its URL. */
export type PatternStatistics = { readonly informative: boolean; readonly sameText: boolean };

/** Pages of a pattern that its rings remember. */
export const RING_PAGES = 20;

type PatternRow = {
  id: number;
  crawler_id: number;
  host_id: number;
  pattern: string;
  template_id: number | null;
  known: number;
  visited: number;
  informative: number;
  recent: number;
  same_text: number;
  quarantine: number;
  closed_at: number | null;
  close_rule: string | null;
  seen: Uint8Array | null;
  examples: string | null;
  render: string | null;
};

type CountedRow = Omit<PatternRow, 'crawler_id' | 'known' | 'seen' | 'examples' | 'render'>;

export type PatternState = {
  id: number;
  pattern: string;
  quarantine: number;
  closed_at: number | null;
  close_rule: string | null;
};

const COLUMNS = [
  'id',
  'crawler_id',
  'host_id',
  'pattern',
  'template_id',
  'known',
  'visited',
  'informative',
  'recent',
  'same_text',
  'quarantine',
  'closed_at',
  'close_rule',
  'seen',
  'examples',
  'render',
] as const;
/** What a visit may change of what is decided about the pattern. */
const COUNTED = [
  'id',
  'host_id',
  'pattern',
  'template_id',
  'visited',
  'informative',
  'recent',
  'same_text',
  'quarantine',
  'closed_at',
  'close_rule',
] as const;
const STATE = ['id', 'pattern', 'quarantine', 'closed_at', 'close_rule'] as const;
/** A pattern of a closed URL template stays open when 1 of so many of its pages brought something. */
const KEPT_RATIO = 2;
/** A set of query names has proved itself with that many pages of its own. */
const RETAINED_QUERY_PAGES = 3;
const RING_MASK = 2 ** RING_PAGES - 1;

/** State and reason of a new URL that waits, and of one that is refused as a trap. */
export const FRESH = { state: URL_STATES.indexOf('known'), reason: REASONS.indexOf('none') };
export const REFUSED = { state: URL_STATES.indexOf('skipped'), reason: REASONS.indexOf('trap') };

export const patternStatements = {
  find: statement<{ hostId: number; pattern: string }, PatternState>((p) =>
    engineSql.selectFrom('url_patterns').select(STATE).where('host_id', '=', p.hostId).where('pattern', '=', p.pattern),
  ),
  insert: statement<{ crawlerId: number; hostId: number; pattern: string }>((p) =>
    engineSql.insertInto('url_patterns').values({ crawler_id: p.crawlerId, host_id: p.hostId, pattern: p.pattern }),
  ),
  addKnown: statement<{ id: number; count: number }>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set((row) => ({ known: row('known', '+', p.count) }))
      .where('id', '=', p.id),
  ),
  join: statement<{ id: number; urlTemplateId: number; closedAt: number | null; rule: string | null }>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set({ template_id: p.urlTemplateId, closed_at: p.closedAt, close_rule: p.rule })
      .where('id', '=', p.id),
  ),
  state: statement<{ id: number }, PatternState>((p) =>
    engineSql.selectFrom('url_patterns').select(STATE).where('id', '=', p.id),
  ),
  /** The pattern of the page on which a URL was found. */
  ofUrl: statement<{ urlId: number }, PatternState>((p) =>
    engineSql
      .selectFrom('urls')
      .innerJoin('url_patterns as template', 'template.id', 'urls.pattern_id')
      .select(['template.id', 'template.pattern', 'template.quarantine', 'template.closed_at', 'template.close_rule'])
      .where('urls.id', '=', p.urlId),
  ),
  read: statement<{ id: number }, PatternRow>((p) =>
    engineSql.selectFrom('url_patterns').select(COLUMNS).where('id', '=', p.id),
  ),
  list: statement<{ crawlerId: number; after: number; limit: number }, PatternRow>((p) =>
    engineSql
      .selectFrom('url_patterns')
      .select(COLUMNS)
      .where('crawler_id', '=', p.crawlerId)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
  listClosed: statement<{ crawlerId: number; after: number; limit: number }, PatternRow>((p) =>
    engineSql
      .selectFrom('url_patterns')
      .select(COLUMNS)
      .where('crawler_id', '=', p.crawlerId)
      .where('closed_at', 'is not', null)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
  addStatistics: statement<{ id: number; informative: number; sameText: number }, CountedRow>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set((row) => ({
        visited: row('visited', '+', 1),
        informative: row('informative', '+', p.informative),
        recent: sql<number>`((recent << 1) | ${p.informative}) & ${sql.lit(RING_MASK)}`,
        same_text: sql<number>`((same_text << 1) | ${p.sameText}) & ${sql.lit(RING_MASK)}`,
      }))
      .where((row) =>
        row.or([
          row('id', '=', p.id),
          row('id', '=', sql<number>`(SELECT template_id FROM url_patterns WHERE id = ${p.id})`),
        ]),
      )
      .returning(COUNTED),
  ),
  quarantine: statement<{ id: number; quarantine: number }>((p) =>
    engineSql.updateTable('url_patterns').set({ quarantine: p.quarantine }).where('id', '=', p.id),
  ),
  close: statement<{ id: number; at: number; rule: string; seen: Uint8Array | null; examples: string }>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set({ closed_at: p.at, close_rule: p.rule, seen: p.seen, examples: p.examples, quarantine: 0 })
      .where('id', '=', p.id)
      .where('closed_at', 'is', null),
  ),
  closeMembers: statement<{ id: number; at: number; rule: string }>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set({ closed_at: p.at, close_rule: p.rule, quarantine: 0 })
      .where('template_id', '=', p.id)
      .where(sql<boolean>`(informative = 0 OR informative * ${sql.lit(KEPT_RATIO)} < visited
        OR (informative < ${sql.lit(RETAINED_QUERY_PAGES)} AND ${positionIn(sql.ref('pattern'), sql.lit('?'))} > 0))`)
      .where('closed_at', 'is', null)
      .where('close_rule', 'is', null),
  ),
  /** A ring of good visits: it takes 20 others in a row to close it again. */
  open: statement<{ id: number; rule: string | null }>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set({ closed_at: null, close_rule: p.rule, seen: null, quarantine: 0, recent: RING_MASK, same_text: 0 })
      .where('id', '=', p.id),
  ),
  /** What was refused while the pattern, or the URL template of its pattern, was closed is to be visited: it never was. */
  forgive: statement<{ id: number; at: number }>((p) =>
    engineSql
      .updateTable('urls')
      .set({ state: sql.lit(FRESH.state), reason: sql.lit(FRESH.reason), next_at: p.at, visited_at: null })
      .where('crawler_id', '=', (row) => row.selectFrom('url_patterns').select('crawler_id').where('id', '=', p.id))
      .where('state', '=', sql.lit(REFUSED.state))
      .where('reason', '=', sql.lit(REFUSED.reason))
      .where('pattern_id', 'in', (row) =>
        row
          .selectFrom('url_patterns')
          .select('id')
          .where((either) => either.or([either('id', '=', p.id), either('template_id', '=', p.id)])),
      ),
  ),
  reopenPlans: statement<{ id: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ plan_done: 0 })
      .where('crawler_id', '=', (row) => row.selectFrom('url_patterns').select('crawler_id').where('id', '=', p.id))
      .where('state', '=', 'running')
      .where('kind', '!=', 'urls'),
  ),
  openMembers: statement<{ id: number; rule: string | null }>((p) =>
    engineSql
      .updateTable('url_patterns')
      .set({ closed_at: null, close_rule: p.rule, quarantine: 0, recent: RING_MASK, same_text: 0 })
      .where('template_id', '=', p.id)
      .where('closed_at', 'is not', null),
  ),
};

/** A sample of a closed pattern: 1 in 100 URLs, others in each run. */
export function isSample(key: bigint, runId: number): boolean {
  return (key < 0n ? -key : key) % 100n === BigInt(runId % 100);
}

/**
 * Inside a write: the rule that keeps a link from being visited. A page of an open pattern that names it says that it
 * is no part of the trap, but for queries and for pages that repeat others: those are named everywhere.
 */
export function* closedFor(pattern: PatternState, foundOn: number | null): Operation<CloseRule | undefined> {
  if (pattern.closed_at === null) return undefined;
  const rule = (pattern.close_rule ?? 'nothing-new') as CloseRule;
  if (rule !== 'nothing-new' || pattern.pattern.includes('?') || foundOn === null) return rule;
  const finder = yield* fetchFirst(patternStatements.ofUrl, { urlId: foundOn });
  return finder?.closed_at === null ? undefined : rule;
}

/** Inside a write: the patterns as they are with the statistics: of the URL and of its URL template. */
export function* addStatistics(
  patternId: number,
  { informative, sameText }: PatternStatistics,
): Operation<readonly CountedPattern[]> {
  const values = { id: patternId, informative: informative ? 1 : 0, sameText: sameText ? 1 : 0 };
  const counted = (yield* fetchAll(patternStatements.addStatistics, values)).map(countedOf);
  // RETURNING keeps no order, and what closes with its URL template has no examples of its own.
  return counted.sort((a, b) => Number(b.id === patternId) - Number(a.id === patternId));
}

/** Write operation. */
function* changePattern({ patternId: id, to, rule, at, seen, examples = [] }: PatternChange): Operation<void> {
  if (to === 'quarantine') {
    yield* execute(patternStatements.quarantine, { id, quarantine: 1 });
    return;
  }
  if (to === 'open') {
    yield* execute(patternStatements.open, { id, rule: rule ?? null });
    yield* execute(patternStatements.openMembers, { id, rule: rule ?? null });
    const { changes } = yield* execute(patternStatements.forgive, { id, at });
    if (changes > 0) yield* execute(patternStatements.reopenPlans, { id });
    return;
  }
  const closing = { id, at, rule: rule ?? 'nothing-new' };
  yield* execute(patternStatements.close, { ...closing, seen: seen ?? null, examples: JSON.stringify(examples) });
  yield* execute(patternStatements.closeMembers, closing);
}

export const patternStore = defineStore<PatternStore>()(
  {
    *findPattern(patternId) {
      const row = yield* fetchFirst(patternStatements.read, { id: patternId });
      return row === undefined ? undefined : patternOf(row);
    },
    *listPatterns({ crawlerId, after, limit, closed = false }: ListPatterns) {
      const listed = closed ? patternStatements.listClosed : patternStatements.list;
      return (yield* fetchAll(listed, { crawlerId, after, limit })).map(patternOf);
    },
  },
  {
    changePattern,
  },
);

function countedOf(row: CountedRow): CountedPattern {
  const { id, pattern, visited, informative, recent } = row;
  return {
    id,
    pattern,
    visited,
    informative,
    recent,
    hostId: row.host_id,
    urlTemplateId: row.template_id ?? undefined,
    sameText: row.same_text,
    quarantine: row.quarantine === 1,
    closedAt: row.closed_at ?? undefined,
    closeRule: (row.close_rule ?? undefined) as CloseRule | undefined,
  };
}

function patternOf(row: PatternRow): UrlPatternRecord {
  return {
    ...countedOf(row),
    crawlerId: row.crawler_id,
    known: row.known,
    seen: row.seen ?? undefined,
    examples: JSON.parse(row.examples ?? '[]') as readonly string[],
    render: row.render ?? undefined,
  };
}
