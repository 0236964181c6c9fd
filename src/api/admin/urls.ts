import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { z } from 'zod';
import { OUTCOMES, REASONS, URL_KINDS, URL_ORIGINS, URL_STATES } from '../../core/crawl-words.ts';
import {
  type Browse,
  type BrowseFilter,
  browseUrls,
  groupUrls,
  streamUrls,
  type UrlList,
} from '../../crawl/browse-urls.ts';
import { URL_GROUPINGS, type UrlCursor, type UrlRow } from '../../storage/engine/url-browser.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { REASON } from './crawl-responses.ts';
import { csvRow } from './csv.ts';
import { crawlerOf, LIST_QUERY, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';
import { shownExplanation, type UrlExplanationDeps } from './url-explanation.ts';

export type UrlRouteDeps = UrlExplanationDeps & { readonly store: Pick<AccountStore, 'findCrawler'> };

const DEADLINE_MS = 30_000;
const CSV_DEADLINE_MS = 600_000;

/** What a crawler knows: its URL records, counted, whole as CSV, and all about one URL. */
export function urlRoutes(deps: UrlRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers/:crawlerId/urls', { config: { access: 'editor' } }, async (request, reply) => {
      const { id, engineId } = await crawlerOf(deps.store, request);
      const { limit, after, group, ...filter } = queryOf(URL_LIST, request);
      const signal = requestSignal(reply, DEADLINE_MS);
      const browse: Browse = { engineId, crawlerId: id, filter: filterOf(filter) };
      if (group !== undefined) {
        return (await groupUrls(deps, { ...browse, by: group }, signal)) satisfies Shown<typeof URL_GROUPS_BODY>;
      }
      return urlListBody(await browseUrls(deps, { ...browse, after, limit }, signal));
    });

    app.get('/crawlers/:crawlerId/urls.csv', { config: { access: 'editor' } }, async (request, reply) => {
      const { id, engineId } = await crawlerOf(deps.store, request);
      const filter = filterOf(queryOf(URL_FILTER, request));
      return sendCsv(deps, { engineId, crawlerId: id, filter }, reply);
    });

    app.get('/crawlers/:crawlerId/explain', { config: { access: 'editor' } }, async (request) => {
      const crawler = await crawlerOf(deps.store, request);
      return shownExplanation(deps, crawler, queryOf(URL_EXPLANATION, request).url);
    });
  };
}

function sendCsv(deps: UrlRouteDeps, browse: Browse, reply: FastifyReply): FastifyReply {
  const signal = requestSignal(reply, CSV_DEADLINE_MS);
  reply.header('Content-Disposition', `attachment; filename="crawler-${browse.crawlerId}-urls.csv"`);
  return reply.type('text/csv; charset=utf-8').send(Readable.from(csv(deps, browse, signal)));
}

async function* csv(deps: UrlRouteDeps, browse: Browse, signal: AbortSignal): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const rows of streamUrls(deps, browse, signal)) yield csvRows(rows);
}

const MAX_TEXT_CHARS = 2_048;
const text = z.string().min(1).max(MAX_TEXT_CHARS);
const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, { message: `must be one of ${words.join(', ')}` });

const FILTER = {
  state: oneOf(URL_STATES).optional(),
  reason: oneOf(REASONS).optional(),
  outcome: oneOf(OUTCOMES).optional(),
  host: text.optional(),
  pattern: text.optional(),
  status: z
    .string()
    .regex(/^[1-5](?:\d\d|xx)$/, 'must be an HTTP status such as 404 or 4xx')
    .transform(statusRange)
    .optional(),
  text: text.optional(),
  visitedBefore: z.iso
    .datetime({ offset: true, message: 'must be a time such as 2026-01-31T00:00:00Z' })
    .transform((time) => Date.parse(time))
    .optional(),
};

const MAX_URL_CHARS = 8_000;
export const URL_EXPLANATION = z.strictObject({ url: z.string().max(MAX_URL_CHARS) });

export const URL_FILTER = z.strictObject(FILTER);

export const URL_LIST = z.strictObject({
  ...FILTER,
  limit: LIST_QUERY.limit,
  after: z
    .string()
    .regex(/^\d{1,2}-\d{1,3}-\d{1,15}$/, 'must be the `next` of the page before')
    .transform(cursorOf)
    .optional(),
  group: oneOf(URL_GROUPINGS).optional(),
});

function cursorText({ state, reason, id }: UrlCursor): string {
  return `${state}-${reason}-${id}`;
}

/** What is asked of the records, without the members of a list. */
function filterOf(query: z.infer<typeof URL_FILTER>): BrowseFilter {
  const { state, reason, outcome, host, pattern, status, text: part, visitedBefore } = query;
  return { state, reason, outcome, host, pattern, status, text: part, visitedBefore };
}

function statusRange(status: string): readonly [number, number] {
  const from = Number(status.replace('xx', '00'));
  return [from, status.endsWith('xx') ? from + 99 : from];
}

function cursorOf(cursor: string): UrlCursor {
  const [state = 0, reason = 0, id = 0] = cursor.split('-').map(Number);
  return { state, reason, id };
}

const CUT = 'The search looked at 100,000 URLs and ended: go on with `after`, or narrow it';

const URL_BODY = z
  .object({
    url: z.string(),
    kind: z.enum(URL_KINDS),
    state: z.enum(URL_STATES),
    reason: REASON,
    origin: z.enum(URL_ORIGINS).describe('How it became known.'),
    depth: z.int().describe('Links from a seed.'),
    pattern: z.string().nullable(),
    status: z.int().nullable().describe('Of HTTP.'),
    chars: z.int().nullable().describe('Of its text.'),
    visits: z.int(),
    firstSeenAt: TIME,
    visitedAt: TIME.nullable(),
    changedAt: TIME.nullable(),
    nextAt: TIME.nullable(),
  })
  .meta({ id: 'UrlRecord' });
const URL_LIST_BODY = z
  .object({
    items: z.array(URL_BODY),
    next: z.string().nullable().describe('The `after` of the next page; null on the last one.'),
    note: z.string().nullable().describe('Why the list ends early.'),
  })
  .meta({ id: 'UrlList' });
const URL_GROUPS_BODY = z
  .object({
    groups: z.array(z.object({ value: z.string().nullable(), count: z.int() })),
    other: z.int().describe('URLs in no group that is shown.'),
  })
  .meta({ id: 'UrlGroups' });
/** A list, or with `group` counts. */
export const URLS_BODY = z.union([URL_LIST_BODY, URL_GROUPS_BODY]);

function urlListBody({ rows, next, isCut }: UrlList): Shown<typeof URL_LIST_BODY> {
  return {
    items: rows.map(urlBody),
    next: next === undefined ? null : cursorText(next),
    note: isCut ? CUT : null,
  };
}

function urlBody(row: UrlRow): Shown<typeof URL_BODY> {
  return {
    url: row.url,
    kind: row.kind,
    state: row.state,
    reason: row.reason,
    origin: row.origin,
    depth: row.depth,
    pattern: row.pattern ?? null,
    status: row.httpStatus ?? null,
    chars: row.contentChars ?? null,
    visits: row.visits,
    firstSeenAt: timeText(row.firstSeenAt),
    visitedAt: timeText(row.visitedAt),
    changedAt: timeText(row.changedAt),
    nextAt: timeText(row.nextAt),
  };
}

const COLUMNS = [
  'url',
  'kind',
  'state',
  'reason',
  'origin',
  'depth',
  'pattern',
  'status',
  'chars',
  'visits',
  'firstSeenAt',
  'visitedAt',
  'changedAt',
  'nextAt',
] as const satisfies readonly (keyof Shown<typeof URL_BODY>)[];

const CSV_HEAD = csvRow(COLUMNS);

function csvRows(rows: readonly UrlRow[]): string {
  return rows
    .map(urlBody)
    .map((row) => csvRow(COLUMNS.map((column) => row[column])))
    .join('');
}
