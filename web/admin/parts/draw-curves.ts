import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Curve } from './plot.tsx';

export type DrawnCurves = { readonly remove: () => void };

const HEIGHT = 208;

/** Draws into `place`, as wide as it is, in the colours of now; anew when one of them changes. */
export function drawCurves(place: HTMLElement, days: readonly string[], curves: readonly Curve[]): DrawnCurves {
  const data: UPlot.AlignedData = [
    days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1_000),
    ...curves.map(({ values }) => [...values]),
  ];
  let drawn: UPlot | undefined;
  const draw = () => {
    drawn?.destroy();
    drawn = new UPlot(optionsOf(place, curves), data, place);
  };
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', draw);
  const size = new ResizeObserver(() => drawn?.setSize({ width: place.clientWidth, height: HEIGHT }));
  draw();
  size.observe(place);
  return {
    remove: () => {
      scheme.removeEventListener('change', draw);
      size.disconnect();
      drawn?.destroy();
    },
  };
}

function optionsOf(place: HTMLElement, curves: readonly Curve[]): UPlot.Options {
  const text = colourOf(place, '--quiet');
  const line = colourOf(place, '--line');
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    legend: { show: false },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(most * 1.1, 1)] } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 48 },
    ],
    series: [
      {},
      ...curves.map(({ name }, index) => {
        const stroke = colourOf(place, `--curve-${index + 1}`);
        return { label: name, stroke, width: 2, points: { show: true, size: 5, fill: stroke, filter: alone } };
      }),
    ],
  };
}

/** Places of values without a neighbour: no line shows them. */
function alone({ data }: UPlot, series: number): number[] {
  const values = data[series] ?? [];
  const isThere = (place: number) => values[place] !== null && values[place] !== undefined;
  return [...values.keys()].filter((place) => isThere(place) && !isThere(place - 1) && !isThere(place + 1));
}

/** A canvas knows no custom properties: the browser says what one is here. */
function colourOf(place: HTMLElement, name: string): string {
  const probe = place.appendChild(document.createElement('span'));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
