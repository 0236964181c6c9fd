import { useAnswer } from '../../client/use-answer.ts';
import type { QueryStatistics, Statistics } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCount } from '../../parts/format.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { CounterFigures, counterColumns, shareText } from './counters.tsx';
import { DayPlots } from './day-plots.tsx';
import { rangeQuery, useVisitorRange } from './visitor-range.ts';
import type { ViewProps } from './visitors-page.tsx';

/** How much is searched, and whether visitors find something. */
export function OverviewView({ engineId }: ViewProps) {
  const range = rangeQuery(useVisitorRange());
  const path = `/engines/${engineId}/statistics`;
  const { answer, error, reload } = useAnswer<Statistics>(`${path}?${new URLSearchParams(range)}`);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (answer === undefined) return <Skeleton lines={10} />;
  if (answer.total.searches === 0) return <NoSearches />;
  return (
    <>
      <Card
        title="In these days"
        actions={
          <DownloadButton
            path={`${path}?${new URLSearchParams({ ...range, format: 'csv' })}`}
            file="searches-per-day.csv"
            label="CSV"
          />
        }
      >
        <CounterFigures total={answer.total} />
      </Card>
      <DayPlots from={answer.from} to={answer.to} days={answer.days} />
      <div class="cards">
        <TopQueries engineId={engineId} title="Searched most" order="searches" />
        <TopQueries engineId={engineId} title="Without results" order="without-results" />
        <TopQueries engineId={engineId} title="Seldom clicked" order="low-click" />
      </div>
      {answer.devices.length > 1 && (
        <Card title="Devices">
          <DataTable
            label="Searches by device"
            rows={answer.devices}
            keyOf={({ device }) => device}
            empty={null}
            columns={[{ title: 'Device', show: ({ device }) => device }, ...counterColumns()]}
          />
        </Card>
      )}
    </>
  );
}

function NoSearches() {
  return (
    <EmptyState icon="visitors" title="Nobody has searched in these days">
      Searches count as soon as the search page or the widget is used. What is tried here in the admin pages does not
      count.
    </EmptyState>
  );
}

type Order = 'searches' | 'without-results' | 'low-click';

const SHOWN = 8;

type TopProps = ViewProps & { readonly title: string; readonly order: Order };

function TopQueries({ engineId, title, order }: TopProps) {
  const range = rangeQuery(useVisitorRange());
  const asked = new URLSearchParams({ ...range, order, limit: String(SHOWN) });
  const { answer, error, reload } = useAnswer<QueryStatistics>(`/engines/${engineId}/statistics/queries?${asked}`);
  const all = new URLSearchParams({ view: 'queries', order, ...range });
  return (
    <Card title={title} actions={<a href={`/admin/engines/${engineId}/visitors?${all}`}>All</a>}>
      <ErrorNotice error={error} onRetry={reload} />
      {answer === undefined && error === undefined && <Skeleton lines={5} />}
      {answer?.items.length === 0 && <p class="quiet">None.</p>}
      <ol class="top-queries">
        {answer?.items.map((row) => (
          <li key={row.query}>
            <a
              class="cut"
              dir="auto"
              href={`/admin/engines/${engineId}/visitors/query?${new URLSearchParams({ query: row.query, ...range })}`}
            >
              {row.query}
            </a>
            <span class="quiet">
              {order === 'low-click'
                ? `${shareText(row.clickThroughRatio)} of ${formatCount(row.searches)}`
                : formatCount(order === 'searches' ? row.searches : row.withoutResults)}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
