import { AppError } from '../core/errors.ts';
import type { Client } from './client.ts';
import { type Context, type Row, textOf } from './command.ts';
import { durationBetween, durationText, timeShown } from './shown-times.ts';

export type Watched = { readonly crawler: number; readonly run: number };

/** Pause between two lines of a log. */
const LINE_EVERY_MS = 10_000;

/**
 * Shows how a run gets on until it ends: drawn again and again on a terminal, as lines elsewhere, as a JSON text per
 * line with `--json`.
 * @throws AppError `internal` when it failed, was stopped, or nobody watches it to its end
 */
export async function watchRun(
  { print, terminal, interruption }: Context,
  client: Client,
  { crawler, run }: Watched,
): Promise<void> {
  const interrupted = interruption();
  const show = print.isJson ? jsonLines(print.raw) : terminal ? drawn(print.raw, terminal.columns) : logged(print.raw);
  let last: Row | undefined;
  try {
    for await (const { data } of client.events(`/crawlers/${crawler}/runs/${run}/events`, interrupted)) {
      last = data;
      show(data);
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  }
  const goesOn = `run ${run} goes on: fossick run watch ${crawler} ${run} shows it again`;
  if (interrupted.aborted) throw new AppError('internal', `Not watched any more; ${goesOn}`);
  if (last === undefined || last['endedAt'] === null) throw new AppError('internal', `The connection ended; ${goesOn}`);
  print.note(summaryLine(last));
  if (last['state'] === 'finished') return;
  const { reason } = (last['summary'] ?? {}) as Row;
  throw new AppError('internal', `Run ${run} ${last['state']}${reason === undefined ? '' : `: ${reason}`}`);
}

type Show = (progress: Row) => void;
type Out = (text: string) => void;

function jsonLines(out: Out): Show {
  return (progress) => out(`${JSON.stringify(progress)}\n`);
}

/** Moves up over what was drawn before and clears it. */
function drawn(out: Out, columns: () => number): Show {
  let drawnLines = 0;
  return (progress) => {
    const lines = progressLines(progress, { columns: columns(), now: Date.now() });
    const clear = drawnLines === 0 ? '' : `\u001b[${drawnLines}A\u001b[J`;
    out(`${clear}${lines.join('\n')}\n`);
    drawnLines = lines.length;
  };
}

function logged(out: Out): Show {
  let shownAt = 0;
  let state: unknown;
  return (progress) => {
    const now = Date.now();
    if (progress['state'] === state && now - shownAt < LINE_EVERY_MS) return;
    out(`${progressLine(progress, now)}\n`);
    shownAt = now;
    state = progress['state'];
  };
}

const COUNTS = ['added', 'changed', 'unchanged', 'skipped', 'failed', 'suspected', 'removed'] as const;
const HOSTS = 8;
const MEGABYTE = 1_000_000;

/** The state of a run as lines that fit a screen. */
function progressLines(progress: Row, { columns, now }: { readonly columns: number; readonly now: number }) {
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
function progressLine(progress: Row, now: number): string {
  const time = new Date(now).toISOString().slice(11, 19);
  const { visited, open, failed, state, pagesPerSecond } = progress;
  return `${time} ${state}: ${count(visited)} visited, ${count(open)} waiting, ${count(failed)} failed, ${pagesPerSecond} pages/s`;
}

/** What a run has done, in one sentence. */
function summaryLine(run: Row): string {
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
