import type { DueRow, RecordedVisit } from '../../storage/frontier-store.ts';
import type { Decision } from './decision.ts';

/**
 * URLs that point to this one are looked at again when it no longer stands for them: twins when its content changed,
 * twins and those that name it as canonical when it is not live, or turned out to be something else. (crawling 16)
 */
export function wakesOf({ record: before, visits }: DueRow, { record, next }: Decision): RecordedVisit['wakes'] {
  if (record === undefined || next !== 'done') return undefined;
  if (record.state === 'suspected') return undefined;
  if (record.state !== 'live') return before.state === 'live' || visits === 0 ? 'all' : undefined;
  const hadContent = before.state === 'live' && before.contentHash !== undefined;
  return hadContent && before.contentHash !== record.contentHash ? 'twins' : undefined;
}
