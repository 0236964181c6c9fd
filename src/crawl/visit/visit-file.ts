import { CRASH_BUDGET } from '../rules/retry-policy.ts';
import { decideCrashed } from './decide-failure.ts';
import { goesBackToFetch, readWaitingFile } from './decide-file.ts';
import type { Decision } from './decision.ts';
import { sourceHeaders } from './source-headers.ts';
import { factsOf, judgeRead, type VisitDeps, type Visited, type VisitRow } from './visit-url.ts';

/**
 * One try at a file that was fetched: read it from the spool, extract, decide. Its body is dropped when that is
 * recorded. A row whose body is gone goes back to be fetched. Records nothing.
 */
export const visitFile: VisitRow = async (deps, visit, signal) => {
  const { row, rules } = visit;
  const file = readWaitingFile(row);
  // What the fetch was for counts, as if the file had been read there.
  const refreshed = { ...row, detail: file?.came };
  const facts = factsOf(deps, { row: refreshed, rules, host: await deps.store.findHost(row.hostId) });
  if (file === undefined) return withoutHost({ decision: goesBackToFetch(facts, undefined), extraction: undefined });
  const { spooled, fetched } = file;
  const ended = (visited: Visited): Visited => ({
    ...withoutHost(visited),
    recorded: () => dropOf(deps, spooled, visited),
  });
  const known = { ...facts, fetched };
  if (row.crashes >= CRASH_BUDGET) return ended({ decision: decideCrashed(known), extraction: undefined });
  try {
    const body = await deps.spool?.read(spooled);
    if (body === undefined) return ended({ decision: goesBackToFetch(facts, file.came), extraction: undefined });
    const input = {
      url: row.url,
      body,
      headers: sourceHeaders(fetched, rules.extract),
      settings: rules.extract,
      now: facts.now,
    };
    return ended(await judgeRead(deps, { crawlerId: visit.crawlerId, known, input }, signal));
  } catch (error) {
    if (signal.aborted) return undefined;
    return ended({ decision: decideCrashed(known), extraction: undefined, error });
  }
};

/** The host was heard when the file was fetched. */
function withoutHost(visited: Visited): Visited {
  const decision: Decision = { ...visited.decision, answer: undefined, pace: 'unused' };
  return { ...visited, decision };
}

/** A row that stays in this stage needs its body again. */
async function dropOf({ spool }: VisitDeps, spooled: string, { decision: { next } }: Visited): Promise<void> {
  if (next === 'done' || next.to !== undefined) await spool?.drop(spooled);
}
