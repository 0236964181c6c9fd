import { z } from 'zod';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { type Decision, decision, type FetchedFacts } from './decision.ts';

const fileDetail = z.object({
  spooled: z.string().regex(/^[0-9a-f]{64}-[0-9a-f-]{36}$/),
  fetched: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    wireBytes: z.number(),
    millis: z.number(),
    detail: z.string().optional(),
    bodyHash: z.string().optional(),
  }),
  came: z.string().optional(),
});

/** A file between its fetch and its parser. */
export type WaitingFile = {
  /** Name in the spool. */
  readonly spooled: string;
  readonly fetched: FetchedFacts;
  /** Detail with which its row came to the fetch. */
  readonly came: string | undefined;
};

type Waits = {
  readonly row: Pick<DueRow, 'priority' | 'attempts' | 'detail'>;
  readonly now: number;
};

/** Headers that say something about a file or its next visit. */
const KEPT_HEADERS = [
  'content-type',
  'content-language',
  'content-disposition',
  'last-modified',
  'etag',
  'link',
  'x-robots-tag',
] as const;
const ROOM_MS = 60_000;

/** Undefined for a row that has no file. */
export function readWaitingFile({ detail }: Pick<DueRow, 'detail'>): WaitingFile | undefined {
  const read = detail === undefined ? undefined : fileDetail.safeParse(JSON.parse(detail)).data;
  if (read === undefined) return undefined;
  const { spooled, came, fetched } = read;
  const { status, headers, wireBytes, millis, detail: way, bodyHash } = fetched;
  return {
    spooled,
    came,
    fetched: {
      status,
      headers: new Map(Object.entries(headers)),
      wireBytes,
      millis,
      detail: way,
      bodyHash,
      isFile: true,
    },
  };
}

/** The row goes on to the parsers; nothing of the file is recorded yet. */
export function goesToParser(
  { row, now, rules }: Waits & { readonly rules: Pick<CrawlRules, 'extract'> },
  spooled: string,
  fetched: FetchedFacts,
): Decision {
  const { headers, status, wireBytes, millis, detail: way, bodyHash } = fetched;
  const kept = [...KEPT_HEADERS, ...rules.extract.headers].flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const detail = JSON.stringify({
    spooled,
    fetched: { status, headers: Object.fromEntries(kept), wireBytes, millis, detail: way, bodyHash },
    came: row.detail,
  } satisfies z.infer<typeof fileDetail>);
  const next = { dueAt: now, priority: row.priority, attempts: 0, to: { stage: 'file', detail } } as const;
  return decision({ log: undefined, answer: 'good', next });
}

/** The spool has no room: the file is fetched later. */
export function waitsForRoom({ row, now }: Waits): Decision {
  const next = { dueAt: now + ROOM_MS, priority: row.priority, attempts: row.attempts };
  return decision({ log: undefined, next, pace: 'unused' });
}

/** The body is on another machine or was cleaned: the file is fetched again. */
export function goesBackToFetch({ row, now }: Waits, came: string | undefined): Decision {
  const detail = JSON.stringify({ ...(came !== undefined && (JSON.parse(came) as object)), lost: true });
  const next = { dueAt: now, priority: row.priority, attempts: row.attempts, to: { stage: 'page', detail } } as const;
  return decision({ log: undefined, next, pace: 'unused' });
}

/** A file that was lost once is read where it is fetched, so that it is not lost for ever. */
export function wasLost({ detail }: Pick<DueRow, 'detail'>): boolean {
  return detail !== undefined && (JSON.parse(detail) as { readonly lost?: unknown }).lost === true;
}
