import { z } from 'zod';
import { OUTCOMES, REASONS, URL_STATES } from '../../../core/crawl-words.ts';
import type { BrowseFilter } from '../../../crawl/browse-urls.ts';
import { URL_GROUPINGS, type UrlCursor } from '../../../storage/url-browser.ts';
import { LIST_QUERY } from '../requests.ts';

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
export const EXPLAIN = z.strictObject({ url: z.string().max(MAX_URL_CHARS) });

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

export function cursorText({ state, reason, id }: UrlCursor): string {
  return `${state}-${reason}-${id}`;
}

/** What is asked of the records, without the members of a list. */
export function filterOf(query: z.infer<typeof URL_FILTER>): BrowseFilter {
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
