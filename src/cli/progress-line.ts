import type { Context } from './command.ts';

const BYTES_PER_MB = 1e6;
const TICK_MS = 1_000;

/** One line that is drawn again on a terminal, and taken away by an empty one; nothing elsewhere. */
export function lineOf({ print, terminal }: Context): (line: string) => void {
  let shown = '';
  return (line) => {
    if (terminal === undefined || print.isJson || line === shown) return;
    shown = line;
    print.raw(`\r\u001b[K${line}`);
  };
}

/** `12 of 80 MB` */
export function megabytesOf({ doneBytes, totalBytes }: { doneBytes: number; totalBytes: number }): string {
  const megabytes = (bytes: number) => Math.round(bytes / BYTES_PER_MB);
  return `${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`;
}

/** Shows what is waited for, and how long already, until the work is done. */
export async function showWaiting<Result>(context: Context, what: string, work: Promise<Result>): Promise<Result> {
  const show = lineOf(context);
  const began = performance.now();
  const draw = () => show(`${what}: ${Math.round((performance.now() - began) / 1_000)} s`);
  draw();
  const ticks = setInterval(draw, TICK_MS);
  try {
    return await work;
  } finally {
    clearInterval(ticks);
    show('');
  }
}
