import { z } from 'zod';
import { parseDate } from '../core/field-values.ts';
import { isAbsoluteUrl } from '../core/url.ts';

/** Members of search tools as editors and provision files write them. */

const MAX_LIST = 1_000;
const HIGHEST_ID = 2_147_483_647;
const MAX_HTML_CHARS = 500_000;
const MAX_ADDRESS_CHARS = 8_000;

/** Codes as they are stored; looked up in any case. Contract: 10. */
export const LANGUAGE_CODE = /^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})?$/;

export const QUERY_TEXT = z.string().trim().min(1).max(300);
const QUERIES = z
  .array(QUERY_TEXT)
  .max(MAX_LIST)
  .default([])
  .describe('Whole queries, in any case; `*` stands for any text, `?` for one character.');
const AUDIENCES = z
  .array(z.unknown().refine((entry) => entry !== null, 'must not be null'))
  .max(MAX_LIST)
  .default([])
  .describe('Traits of visitors; none: everybody.');
const NAME = z.string().trim().min(1).max(200);
const FREE_TEXT = z.string().max(MAX_HTML_CHARS).nullish();

export const PAGE_MEMBERS = {
  url: z.string().trim().min(1).max(MAX_ADDRESS_CHARS).optional(),
  documentId: z.string().min(1).max(MAX_ADDRESS_CHARS).optional(),
};
export const PIN_MEMBERS = {
  ...PAGE_MEMBERS,
  place: z.int().min(1).max(HIGHEST_ID).nullish().describe('From 1; absent: behind the page before it.'),
  hidden: z.boolean().default(false).describe('Takes the page out of the results.'),
};
export const MAX_PINS = MAX_LIST;
export const NOTE = z.string().trim().max(1_000).nullish();

export const RANKING_MEMBERS = { name: NAME, queries: QUERIES, audiences: AUDIENCES };

export const BANNER = z
  .strictObject({
    name: NAME,
    html: z.string().min(1).max(MAX_HTML_CHARS),
    queries: QUERIES,
    disabled: z.boolean().default(false),
    from: timeOf('from').nullish(),
    to: timeOf('to').nullish(),
    audiences: AUDIENCES,
    engines: z
      .array(z.int().min(1).max(HIGHEST_ID))
      .max(MAX_LIST)
      .optional()
      .describe('Engines that show it; absent: its own.'),
    frequency: z.unknown().optional(),
    daysOfWeek: z.unknown().optional(),
    cssCode: FREE_TEXT,
    jsonOption: FREE_TEXT,
    editorType: FREE_TEXT,
  })
  .refine(({ from, to }) => !(Date.parse(from ?? '') > Date.parse(to ?? '')), {
    path: ['from'],
    message: 'must not be after "to"',
  });

export const QUICKLINK = z.strictObject({
  url: z
    .string()
    .trim()
    .min(1)
    .max(MAX_ADDRESS_CHARS)
    .refine(isLink, 'must be an absolute http or https URL, or a path that starts with /'),
  queries: QUERIES,
});

export const SYNONYMS = z.strictObject({
  language: z.string().regex(LANGUAGE_CODE, 'must be a language code like "en" or "en-GB"'),
  words: z
    .array(z.string().max(200))
    .max(MAX_LIST)
    .refine((words) => words.some((word) => word.trim() !== ''), 'must have at least one word'),
});

/** What clients of this time send: a date-time whose zone is stated. It is given back as it came. */
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * ISO 8601 with zone; what names a whole unit means its first instant as `from`, its last as `to`. Undefined for what is
 * no date.
 */
export function instantText(edge: 'from' | 'to', sent: string): string | undefined {
  const span = parseDate(sent);
  if (span === undefined) return undefined;
  return ZONED.test(sent) ? sent : new Date(span[edge]).toISOString();
}

function timeOf(edge: 'from' | 'to') {
  const read = z.string().transform((sent, context): string => {
    const instant = instantText(edge, sent);
    if (instant !== undefined) return instant;
    context.issues.push({ code: 'custom', input: sent, message: 'must be a date or date-time in ISO 8601' });
    return z.NEVER;
  });
  return read.meta({ description: 'Date or date-time in ISO 8601; included.', examples: ['2026-01-31'] });
}

/** Absolute or root-relative. Browsers drop tabs and line ends, so `/<tab>/a` would lead to the host `a`. */
export function isLink(url: string): boolean {
  return url.startsWith('/') ? !/^\/[\t\r\n]*[/\\]/.test(url) : isAbsoluteUrl(url);
}
