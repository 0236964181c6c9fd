import type { Run } from '../storage/run-store.ts';
import type { RunSummary } from './summarize-run.ts';

/** Pages that the newest full run left out because it held as many as its crawler allows. */
export type LeftPages = {
  readonly sentence: string;
  /** The setting that has room for them. */
  readonly setting: string;
};

/** @param pageLimit of now: where it was raised, the next run has room */
export function leftPages(scheduled: readonly Run[], pageLimit: number): LeftPages | undefined {
  const run = lastFullRun(scheduled);
  if (run === undefined || run.visited < pageLimit) return undefined;
  const count = summaryOf(run).left?.['page-limit'];
  if (count === undefined) return undefined;
  const sentence = `Run ${run.id} of crawler ${run.crawlerId} left about ${count} pages out (page-limit), because it held as many as \`limits.pages\` allows`;
  return { sentence, setting: `limits.pages=${run.visited + count}` };
}

/** The newest full run that has ended. @param scheduled newest first */
export function lastFullRun(scheduled: readonly Run[]): Run | undefined {
  return scheduled.find(({ kind, state }) => kind === 'full' && state === 'finished');
}

export function summaryOf({ summary }: Run): Partial<RunSummary> {
  return summary === undefined ? {} : (JSON.parse(summary) as Partial<RunSummary>);
}
