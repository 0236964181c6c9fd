import { useRoute } from 'preact-iso/router';
import { useMay } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { CounterFigures, type Counters, counterColumns, rankText } from './counters.tsx';
import { DayPlots } from './day-plots.tsx';
import { RangeBar } from './range-bar.tsx';
import { rangeQuery, useVisitorRange } from './visitor-range.ts';
import './visitors-page.css';

type QueryDetail = {
  readonly query: string;
  readonly from: string;
  readonly to: string;
  readonly total: Counters;
  readonly days: readonly ({ readonly day: string } & Counters)[];
  readonly devices: readonly ({ readonly device: string } & Counters)[];
  readonly fixedQueries: readonly { readonly query: string; readonly searches: number }[];
  readonly results: { readonly least: number; readonly most: number; readonly last: number } | null;
  readonly hits: readonly {
    readonly url: string;
    readonly title: string;
    readonly clicks: number;
    readonly meanRank: number | null;
  }[];
  readonly searches: readonly {
    readonly at: string;
    readonly text: string;
    readonly results: number | null;
    readonly device: string;
    readonly clicks: number;
  }[];
};

/** One query of visitors: its days, what they clicked, and its last searches. */
export function VisitorQueryPage() {
  const { params } = useRoute();
  const state = useQueryState();
  const engineId = params['engineId'] ?? '';
  const query = state.query['query'] ?? '';
  const range = rangeQuery(useVisitorRange());
  const path = `/engines/${engineId}/statistics/query?${new URLSearchParams({ query, ...range })}`;
  const { answer, error, reload } = useAnswer<QueryDetail>(path);
  return (
    <>
      <PageHead
        title={`“${query}”`}
        about={
          <a href={`/admin/engines/${engineId}/visitors?${new URLSearchParams({ view: 'queries', ...range })}`}>
            All queries
          </a>
        }
      >
        <Acts engineId={engineId} query={query} />
      </PageHead>
      <RangeBar />
      <ErrorNotice error={error} onRetry={reload} />
      {answer === undefined && error === undefined && <Skeleton lines={10} />}
      {answer !== undefined && <Detail engineId={engineId} detail={answer} />}
    </>
  );
}

function Acts({ engineId, query }: { readonly engineId: string; readonly query: string }) {
  const mayEdit = useMay('editor');
  if (!mayEdit) return null;
  const preview = (more: Record<string, string> = {}) =>
    `/admin/engines/${engineId}/preview?${new URLSearchParams({ q: query, ...more })}`;
  return (
    <>
      <a class="button" href={preview({ add: 'synonym' })}>
        Add a synonym
      </a>
      <a class="button" href={preview({ add: 'page' })}>
        Pin a page
      </a>
      <a class="button main" href={preview()}>
        Preview
      </a>
    </>
  );
}

function Detail({ engineId, detail }: { readonly engineId: string; readonly detail: QueryDetail }) {
  const { results, fixedQueries, hits, searches, devices } = detail;
  return (
    <>
      <Card title="In these days">
        <CounterFigures total={detail.total} />
        {results !== null && (
          <p class="quiet">
            The last search had {formatCounted(results.last, 'result')}
            {results.least !== results.most && `; between ${results.least} and ${results.most} in these days`}.
          </p>
        )}
        {fixedQueries.length > 0 && (
          <p class="quiet">
            Corrected to <bdi>{fixedQueries.map((fixed) => `“${fixed.query}”`).join(', ')}</bdi>
          </p>
        )}
      </Card>
      <DayPlots from={detail.from} to={detail.to} days={detail.days} />
      <div class="cards">
        <Card title="Clicked pages">
          <DataTable
            label="Pages that were clicked"
            rows={hits}
            keyOf={({ url }) => url}
            empty={<p class="quiet">Nobody clicked anything.</p>}
            columns={[
              {
                title: 'Page',
                show: ({ url, title }) => (
                  <a dir="auto" href={`/admin/engines/${engineId}/visitors/page?${new URLSearchParams({ url })}`}>
                    {title === '' ? url : title}
                  </a>
                ),
              },
              { title: 'Clicks', isNumber: true, show: ({ clicks }) => formatCount(clicks) },
              { title: 'Mean place', isNumber: true, show: ({ meanRank }) => rankText(meanRank) },
            ]}
          />
        </Card>
        <Card title="Last searches">
          <DataTable
            label="Searches of visitors"
            rows={searches}
            keyOf={({ at, text }) => `${at} ${text}`}
            empty={<p class="quiet">There are none.</p>}
            columns={[
              { title: 'When', show: ({ at }) => <TimeText at={at} /> },
              { title: 'Typed', show: ({ text }) => <bdi>{text}</bdi> },
              { title: 'Results', isNumber: true, show: ({ results: count }) => count ?? '–' },
              { title: 'Clicks', isNumber: true, show: ({ clicks }) => clicks },
              { title: 'Device', isSecondary: true, show: ({ device }) => device },
            ]}
          />
        </Card>
      </div>
      {devices.length > 1 && (
        <Card title="Devices">
          <DataTable
            label="Searches by device"
            rows={devices}
            keyOf={({ device }) => device}
            empty={null}
            columns={[{ title: 'Device', show: ({ device }) => device }, ...counterColumns<(typeof devices)[number]>()]}
          />
        </Card>
      )}
    </>
  );
}
