import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { parseDate } from '../../core/field-values.ts';
import type { Crawler } from '../../core/records.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { knownId } from '../route-table.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** A whole number in a query string. */
export function digits(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined });
}

/** Members of every list: `after` is the `next` of the page before. */
export const LIST_QUERY = {
  limit: digits(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  after: digits(0, Number.MAX_SAFE_INTEGER).optional().describe('The `next` of the page before.'),
};

export type ListQuery = { readonly limit: number; readonly after?: number | undefined };

const DATE = z
  .string()
  .refine((text) => parseDate(text) !== undefined, 'must be a date such as 2026-01-31 or 2026-01')
  .optional();
/** Days, or times, from and to which a list goes; both are in it. */
export const SPAN = { from: DATE, to: DATE };

/** @throws AppError `request.invalid` when `from` is after `to` */
export function spanOf(sent: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const from = sent.from === undefined ? undefined : parseDate(sent.from)?.from;
  const to = sent.to === undefined ? undefined : parseDate(sent.to)?.to;
  requireOrder(from, to);
  return { from, to };
}

/** @throws AppError `request.invalid` */
export function requireOrder(from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): void {
  if (from > to) throw invalidRequest([{ path: 'from', message: 'from: must not be after "to"' }]);
}

/** @throws AppError `request.invalid` for unknown and wrong members */
export function queryOf<T>(schema: z.ZodType<T>, request: FastifyRequest): T {
  return parseStrictly(schema, request.query);
}

/** An id of the path. @throws AppError `record.not-found` when no record can have it */
export function idOf(request: FastifyRequest, name: string): number {
  const id = knownId((request.params as Readonly<Record<string, string>>)[name]);
  if (id === undefined) throw new AppError('record.not-found', 'There is no such record');
  return id;
}

/** One page of records that ascend by `id`. */
export function pageOf<T extends { readonly id: number }, Shown>(
  records: readonly T[],
  { limit, after = 0 }: ListQuery,
  show: (record: T) => Shown,
): { readonly items: readonly Shown[]; readonly next: number | null } {
  const rest = records.filter(({ id }) => id > after);
  const page = rest.slice(0, limit);
  return { items: page.map(show), next: rest.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

/** The crawler of the path. @throws AppError `record.not-found` */
export async function crawlerOf(store: Pick<AccountStore, 'findCrawler'>, request: FastifyRequest): Promise<Crawler> {
  const id = idOf(request, 'crawlerId');
  return requireRecord('crawler', id, await store.findCrawler(id));
}
