/** Figures of one row by their names; shares are 0 to 1. */
export type Row = { readonly name: string; readonly count: number; readonly figures: Readonly<Record<string, number>> };
export type SetReport = { readonly set: string; readonly note: string; readonly rows: readonly Row[] };

/** Set → row → figure. */
export type Baseline = { readonly [set: string]: { readonly [row: string]: Readonly<Record<string, number>> } };

/** Figures that are better when they are lower. */
const LOWER = new Set(['must-not', 'invented', 'crashed', 'none', 'wrong']);
/** Half a point: less is chance. */
export const TOLERANCE = 0.005;

const FIGURE_CHARS = 10;

/** The table of a set, one line per row. */
export function printedReport({ set, note, rows }: SetReport): string {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const width = Math.max(12, set.length, ...rows.map(({ name }) => name.length));
  const head = [set.padEnd(width), 'pages'.padStart(7), ...names.map((name) => name.padStart(FIGURE_CHARS))].join(' ');
  const lines = rows.map(({ name, count, figures }) => {
    const values = names.map((figure) => shown(figures[figure]).padStart(Math.max(FIGURE_CHARS, figure.length)));
    return [name.padEnd(width), String(count).padStart(7), ...values].join(' ');
  });
  return [head, ...lines, `(${note})`].join('\n');
}

/** The baseline with the sets of the reports in place of its own. */
export function withReports(baseline: Baseline, reports: readonly SetReport[]): Baseline {
  const sets = reports.map(({ set, rows }) => {
    const entries = rows.map(({ name, figures }) => [name, rounded(figures)] as const);
    return [set, Object.fromEntries(entries)] as const;
  });
  return { ...baseline, ...Object.fromEntries(sets) };
}

/** A sentence for each figure that is worse than in the baseline by more than the tolerance. */
export function fallsBelow(
  baseline: Baseline,
  reports: readonly SetReport[],
  tolerance = TOLERANCE,
): readonly string[] {
  return reports.flatMap(({ set, rows }) =>
    rows.flatMap(({ name, figures }) =>
      Object.entries(baseline[set]?.[name] ?? {}).flatMap(([figure, before]) => {
        const now = figures[figure] ?? Number.NaN;
        const loss = LOWER.has(figure) ? now - before : before - now;
        return loss <= tolerance ? [] : [`${set}, ${name}: ${figure} ${before.toFixed(4)} → ${now.toFixed(4)}`];
      }),
    ),
  );
}

/** Shares with four places, counts without. */
function shown(value: number | undefined): string {
  if (value === undefined) return '';
  return value > 1 ? String(value) : value.toFixed(4);
}

function rounded(figures: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
}
