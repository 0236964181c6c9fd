import { useEffect, useRef, useState } from 'preact/hooks';
import type { DrawnCurves } from './draw-curves.ts';
import { formatCount } from './format.ts';

export type Curve = {
  readonly name: string;
  /** One for each day; null: nothing is known of it. */
  readonly values: readonly (number | null)[];
};

type Props = {
  /** What is shown, for who cannot see it. */
  readonly label: string;
  /** `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  /** At most three. */
  readonly curves: readonly Curve[];
};

/** Curves over days, drawn by a part that is loaded when the first is shown; the same as a table below. */
export function Plot({ label, days, curves }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    let isLeft = false;
    let drawn: DrawnCurves | undefined;
    import('./draw-curves.ts').then(
      ({ drawCurves }) => {
        if (!isLeft && place.current !== null) drawn = drawCurves(place.current, days, curves);
      },
      () => setFailed(true),
    );
    return () => {
      isLeft = true;
      drawn?.remove();
    };
  }, [days, curves]);
  return (
    <figure class="stack">
      <ul class="plot-keys">
        {curves.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {!isFailed && <div class="plot" ref={place} role="img" aria-label={label} dir="ltr" />}
      <details open={isFailed}>
        <summary class="small quiet">As a table</summary>
        <PlotTable label={label} days={days} curves={curves} />
      </details>
    </figure>
  );
}

function PlotTable({ label, days, curves }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard (WCAG 2.1.1)
    <section class="table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {curves.map(({ name }) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, place) => (
            <tr key={day}>
              <td>{day}</td>
              {curves.map(({ name, values }) => (
                <td key={name} class="number">
                  {values[place] === null || values[place] === undefined ? '–' : formatCount(values[place])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
