import type { DueRow, RecordedVisit } from '../../storage/frontier-store.ts';
import { type Decision, hasDocument } from './decision.ts';

/**
 * URLs that point to this one are looked at again when it no longer stands for them: twins when its content changed,
 * twins and those that name it as canonical when it is not live, or turned out to be something else. (crawling 16)
 */
export function wakesOf(row: DueRow, { record, next }: Decision): RecordedVisit['wakes'] {
  const { record: before, visits } = row;
  if (record === undefined || next !== 'done' || record.state === 'suspected') return undefined;
  if (record.state !== 'live') return hasDocument(row) || visits === 0 ? 'all' : undefined;
  const hadContent = hasDocument(row) && before.contentHash !== undefined;
  return hadContent && before.contentHash !== record.contentHash ? 'twins' : undefined;
}
