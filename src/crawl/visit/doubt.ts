import type { DueRow } from '../../storage/frontier-store.ts';

/** The text that the first look at a suspicious change saw; undefined when there was none in this run. */
export function doubtedText({ detail }: DueRow): string | undefined {
  if (detail === undefined) return undefined;
  const { doubted } = JSON.parse(detail) as { readonly doubted?: unknown };
  return typeof doubted === 'string' ? doubted : undefined;
}

/** The detail of a row that waits for its second look. */
export function doubtDetail(similarity: string): string {
  return JSON.stringify({ doubted: similarity });
}
