import { AppError } from '../core/errors.ts';
import type { Client } from './client.ts';
import type { Context } from './command.ts';
import type { Row } from './print.ts';
import { progressLine, progressLines, summaryLine } from './run-progress.ts';

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
