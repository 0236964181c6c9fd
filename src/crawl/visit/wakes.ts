import type { DueRow, RecordedVisit } from '../../storage/frontier-store.ts';
import { type Decision, hasDocument } from './decision.ts';

/**
 * URLs that point to this one are looked at again when it no longer stands for them: duplicates when its content changed,
 * duplicates and those that name it as canonical when it is not live, or turned out to be something else; what names a URL
 * that too many name. (crawling 16)
 */
export function wakesOf(row: DueRow, { record, next, sharedTarget }: Decision): RecordedVisit['wakes'] {
  const { urlId, record: before, visits } = row;
  if (sharedTarget !== undefined) return { urlId: sharedTarget, which: 'all' };
  if (record === undefined || next !== 'done' || record.state === 'suspected') return undefined;
  if (record.state !== 'live') return hasDocument(row) || visits === 0 ? { urlId, which: 'all' } : undefined;
  const hadContent = hasDocument(row) && before.contentHash !== undefined;
  return hadContent && before.contentHash !== record.contentHash ? { urlId, which: 'duplicates' } : undefined;
}
