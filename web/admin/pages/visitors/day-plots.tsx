import { useMemo } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { type Curve, Plot } from '../../parts/plot.tsx';
import type { Counters } from './counters.tsx';
import { daysBetween } from './visitor-range.ts';

type Props = {
  readonly from: string;
  readonly to: string;
  /** Days without a search are left out of them. */
  readonly days: readonly ({ readonly day: string } & Counters)[];
};

/** Searches of each day, and the shares that tell whether visitors find something. */
export function DayPlots({ from, to, days }: Props) {
  const { all, counts, shares } = useMemo(() => curvesOf({ from, to, days }), [from, to, days]);
  return (
    <div class="cards">
      <Card title="Searches per day">
        <Plot label="Searches and searches without results per day" days={all} curves={counts} />
      </Card>
      <Card title="Shares per day, in %">
        <Plot label="Share of searches without results and with a click, in percent" days={all} curves={shares} />
      </Card>
    </div>
  );
}

function curvesOf({ from, to, days }: Props) {
  const all = daysBetween(from, to);
  const byDay = new Map(days.map((day) => [day.day, day]));
  const values = (read: (counters: Counters) => number | null, none: number | null) =>
    all.map((day) => {
      const counters = byDay.get(day);
      return counters === undefined ? none : read(counters);
    });
  const percent = (ratio: number | null) => (ratio === null ? null : Math.round(ratio * 1_000) / 10);
  const counts: readonly Curve[] = [
    { name: 'Searches', values: values(({ searches }) => searches, 0) },
    { name: 'Without results', values: values(({ withoutResults }) => withoutResults, 0) },
  ];
  const shares: readonly Curve[] = [
    { name: 'Clicked', values: values(({ clickThroughRatio }) => percent(clickThroughRatio), null) },
    { name: 'Without results', values: values(({ withoutResultsRatio }) => percent(withoutResultsRatio), null) },
  ];
  return { all, counts, shares };
}
