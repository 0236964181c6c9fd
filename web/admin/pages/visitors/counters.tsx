import type { Statistics } from '../../generated-types.ts';
import type { Column } from '../../parts/data-table.tsx';
import { formatCount, formatPercent } from '../../parts/format.ts';

/** What is counted of searches. */
export type Counters = Omit<Statistics['total'], 'bannerClicks'>;

const RANK = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function shareText(ratio: number | null): string {
  return ratio === null ? '–' : formatPercent(ratio);
}

export function rankText(rank: number | null): string {
  return rank === null ? '–' : RANK.format(rank);
}

/** The figures of a range, large. */
export function CounterFigures({ total }: { readonly total: Counters }) {
  return (
    <dl class="figures">
      <div>
        <dt>Searches</dt>
        <dd>{formatCount(total.searches)}</dd>
      </div>
      <div>
        <dt>Without results</dt>
        <dd>
          {shareText(total.withoutResultsRatio)} <small>{formatCount(total.withoutResults)}</small>
        </dd>
      </div>
      <div>
        <dt>Clicked</dt>
        <dd>
          {shareText(total.clickThroughRatio)} <small>{formatCount(total.clickedSearches)}</small>
        </dd>
      </div>
      <div>
        <dt>Clicks</dt>
        <dd>{formatCount(total.clicks)}</dd>
      </div>
      <div>
        <dt>Mean place of a click</dt>
        <dd>{rankText(total.meanClickRank)}</dd>
      </div>
    </dl>
  );
}

/** The same as columns of a table. */
export function counterColumns<Row extends Counters>(): readonly Column<Row>[] {
  return [
    { title: 'Searches', isNumber: true, show: ({ searches }) => formatCount(searches) },
    {
      title: 'Without results',
      isNumber: true,
      show: ({ withoutResultsRatio }) => shareText(withoutResultsRatio),
    },
    { title: 'Clicked', isNumber: true, show: ({ clickThroughRatio }) => shareText(clickThroughRatio) },
    { title: 'Clicks', isNumber: true, isSecondary: true, show: ({ clicks }) => formatCount(clicks) },
    { title: 'Mean place', isNumber: true, isSecondary: true, show: ({ meanClickRank }) => rankText(meanClickRank) },
  ];
}
