import type { UrlGroup, UrlList } from '../../../crawl/browse-urls.ts';
import type { UrlRow } from '../../../storage/url-browser.ts';
import { timeText } from '../responses.ts';
import { cursorText } from './schemas.ts';

const CUT = 'The search looked at 100,000 URLs and ended: go on with `after`, or narrow it';

export function urlListBody({ rows, next, isCut }: UrlList) {
  return {
    items: rows.map(urlRow),
    next: next === undefined ? null : cursorText(next),
    note: isCut ? CUT : null,
  };
}

export function urlGroupsBody({ groups, other }: { readonly groups: readonly UrlGroup[]; readonly other: number }) {
  return { groups, other };
}

function urlRow(row: UrlRow) {
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
] as const satisfies readonly (keyof ReturnType<typeof urlRow>)[];

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** Rows of RFC 4180; a cell that a spreadsheet would take for a formula starts with an apostrophe. */
export function csvRows(rows: readonly UrlRow[]): string {
  return rows
    .map(urlRow)
    .map((row) => `${COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`)
    .join('');
}

function csvCell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
