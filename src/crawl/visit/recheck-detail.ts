import type { DueRow } from '../../storage/frontier-store.ts';
import { isQueued } from './decision.ts';

/** The text that the first visit at a suspicious change saw; undefined when there was none in this run. */
export function textBeforeRecheck({ detail }: DueRow): string | undefined {
  if (detail === undefined) return undefined;
  const { doubted } = JSON.parse(detail) as { readonly doubted?: unknown };
  return typeof doubted === 'string' ? doubted : undefined;
}

/** A queued URL at its first visit: its sender says that it has changed, and nothing says that it will stay so. */
export function awaitsRecheck(row: DueRow): boolean {
  return isQueued(row) && textBeforeRecheck(row) === undefined;
}

/** The detail of a row that waits for its recheck. */
export function recheckDetail(similarity: string): string {
  return JSON.stringify({ doubted: similarity });
}

/** What one stage leaves for the next, with the doubt that goes through all of them. */
export function keepRecheck(row: DueRow, detail: string): string {
  const doubted = textBeforeRecheck(row);
  return doubted === undefined ? detail : JSON.stringify({ ...(JSON.parse(detail) as object), doubted });
}
