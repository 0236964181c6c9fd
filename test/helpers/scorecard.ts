import { appendFileSync } from 'node:fs';

/** Whether experiments run in their long form (`npm run scorecard`). */
export const isLongForm = process.env['SCORECARD'] === 'full';

/** Tells the scorecard what was measured for the row `id`; outside of `npm run scorecard` it does nothing. */
export function reportFigure(id: string, figure: string): void {
  const path = process.env['SCORECARD_FIGURES'];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ id, figure })}\n`);
}
