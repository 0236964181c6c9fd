import { nextIntervalMs } from '../rules/recrawl-policy.ts';
import type { VisitFacts } from './decision.ts';

/** Time from this visit to the next one by itself. */
export function intervalAfter(
  { row, rules, fetched }: Pick<VisitFacts, 'row' | 'rules' | 'fetched'>,
  changed: boolean,
): number {
  const { kind, intervalMs: beforeMs } = row.record;
  const isFile = fetched?.isFile ?? kind === 'file';
  return nextIntervalMs(rules.settings, {
    beforeMs,
    changed,
    patternMs: row.patternIntervalMs,
    kind: isFile && fetched?.status !== 304 ? 'file' : kind,
  });
}
