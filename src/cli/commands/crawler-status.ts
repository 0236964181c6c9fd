import type { Row } from '../command.ts';
import { durationBetween, timeShown } from '../shown-times.ts';

const ENDED = ['finished', 'stopped', 'failed'];

/** A crawler of the admin API, with its `status`, as lines for people. */
export function crawlerLines(crawler: Row): Row {
  const { id, name, active } = crawler;
  const status = crawler['status'] as Row;
  const run = status['lastRun'] as Row | null;
  return {
    crawler: `${id} ${name}`,
    state: active === true ? workOf(run) : `inactive: fossick crawler activate ${id}`,
    ...warningLine(status['warnings'] as readonly string[]),
    documents: status['documents'],
    URLs: countsOf(Object.entries(status['urls'] as Row)),
    ...heldLine(id, status['removals'] as Row),
    ...hostLine(id, status['hosts'] as readonly Row[]),
    waiting: status['waiting'],
    'last run': run === null ? 'none yet' : runText(run),
    ...(run !== null && { 'its visits': visitsText(run) }),
    'next run': nextText(status['nextRuns'] as readonly Row[]),
  };
}

function warningLine(warnings: readonly string[]): Row {
  return warnings.length === 0 ? {} : { warning: warnings.join('; ') };
}

/** Only when the operator has something to decide. */
function heldLine(id: unknown, { held }: Row): Row {
  return held === 0 ? {} : { 'held removals': `${held}: fossick crawler removals ${id} --groups` };
}

function hostLine(id: unknown, hosts: readonly Row[]): Row {
  if (hosts.length === 0) return {};
  const shown = hosts.slice(0, 3).map(({ origin, concern, cause }) => `${origin} (${concern}: ${cause})`);
  const rest = hosts.length > shown.length ? `, ${hosts.length - shown.length} more: fossick crawler hosts ${id}` : '';
  return { 'hosts to look at': `${shown.join(', ')}${rest}` };
}

function workOf(run: Row | null): string {
  if (run === null || ENDED.includes(String(run['state']))) return 'active, waits for its next run';
  const why = (run['summary'] as Row | null)?.['why'];
  return `active, ${run['kind']} run ${run['id']} is ${run['state']}${why === undefined ? '' : `: ${why}`}`;
}

function runText(run: Row): string {
  const { id, kind, state, startedAt, endedAt } = run;
  const began = startedAt === null ? '' : `, started ${timeShown(startedAt)}`;
  const took = endedAt === null ? '' : `, took ${durationBetween(startedAt ?? run['createdAt'], endedAt)}`;
  return `${id} (${kind}) ${state}${began}${took}`;
}

function visitsText(run: Row): string {
  const { visited, added, changed, skipped, failed, suspected, removed } = run;
  const counts = { added, changed, unchanged: unchangedOf(run), skipped, failed };
  const absent = Object.entries({ suspected, removed }).filter(([, count]) => count !== 0);
  const outcomes = [...Object.entries(counts), ...absent];
  return `${visited}: ${countsOf(outcomes)}`;
}

/** Pages that are as before: by their content, or because the server said so. */
export function unchangedOf({ unchanged, notModified }: Row): number {
  return Number(unchanged) + Number(notModified);
}

function countsOf(counts: readonly (readonly [string, unknown])[]): string {
  return counts.length === 0 ? 'none' : counts.map(([name, count]) => `${count} ${name}`).join(', ');
}

function nextText(runs: readonly Row[]): string {
  return runs.length === 0 ? '-' : runs.map(({ kind, at }) => `${kind} at ${timeShown(at)}`).join(', ');
}
