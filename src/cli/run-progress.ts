import { type Row, textOf } from './print.ts';
import { durationBetween, durationText, timeShown } from './shown-times.ts';

const COUNTS = ['added', 'changed', 'unchanged', 'skipped', 'failed', 'suspected', 'removed'] as const;
const HOSTS = 8;
const MEGABYTE = 1_000_000;

/** The state of a run as lines that fit a screen. */
export function progressLines(progress: Row, { columns, now }: { readonly columns: number; readonly now: number }) {
  const hosts = (progress['hosts'] as readonly Row[]).slice(0, HOSTS);
  const visits = progress['lastVisits'] as readonly Row[];
  const lines = [
    `${headOf(progress)}, ${durationText(Math.max(0, now - Date.parse(String(progress['startedAt'] ?? progress['createdAt']))))}`,
    `${count(progress['visited'])} visited, ${count(progress['open'])} waiting, ${progress['pagesPerSecond']} pages/s, ${megabytes(progress['bytes'])}`,
    outcomes(progress),
    ...(hosts.length === 0 ? [] : ['', 'hosts', ...hosts.map((host) => `  ${hostText(host)}`)]),
    ...(visits.length === 0 ? [] : ['', 'newest visits', ...visits.map((visit) => `  ${visitText(visit)}`)]),
  ];
  return lines.map((line) => cut(line, columns - 1));
}

/** The state of a run as one line of a log. */
export function progressLine(progress: Row, now: number): string {
  const time = new Date(now).toISOString().slice(11, 19);
  const { visited, open, failed, state, pagesPerSecond } = progress;
  return `${time} ${state}: ${count(visited)} visited, ${count(open)} waiting, ${count(failed)} failed, ${pagesPerSecond} pages/s`;
}

/** What a run has done, in one sentence. */
export function summaryLine(run: Row): string {
  const took = durationBetween(run['startedAt'] ?? run['createdAt'], run['endedAt']);
  return `${headOf(run)} after ${took}: ${count(run['visited'])} visited: ${outcomes(run)}`;
}

function headOf({ kind, runId, state, crawler }: Row): string {
  return `${kind} run ${runId} of crawler ${crawler}: ${state}`;
}

function outcomes(run: Row): string {
  const unchanged = Number(run['unchanged']) + Number(run['notModified']);
  const held = Number(run['removalsHeld']) > 0 ? `, ${count(run['removalsHeld'])} removals held` : '';
  return `${COUNTS.map((name) => `${count(name === 'unchanged' ? unchanged : run[name])} ${name}`).join(', ')}${held}`;
}

function hostText({ origin, waiting, heldUntil, reason }: Row): string {
  const held = heldUntil === null ? '' : `, left alone until ${timeShown(heldUntil)} (${reason ?? 'held'})`;
  return `${textOf(origin)}: ${count(waiting)} waiting${held}`;
}

function visitText({ outcome, reason, status, millis, url }: Row): string {
  const took = millis === null ? '' : `${millis} ms`;
  return `${textOf(outcome).padEnd(12)} ${textOf(reason).padEnd(16)} ${textOf(status).padEnd(3)} ${took.padStart(8)}  ${textOf(url)}`;
}

function count(value: unknown): string {
  return Number(value ?? 0).toLocaleString('en');
}

function megabytes(bytes: unknown): string {
  return `${(Number(bytes) / MEGABYTE).toFixed(1)} MB`;
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
