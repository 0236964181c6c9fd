import { useQueryState } from '../../client/query-state.ts';
import { usePages } from '../../client/use-pages.ts';
import type { QueryStatistics } from '../../generated-types.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { counterColumns } from './counters.tsx';
import { QueryLinks } from './query-links.tsx';
import { Segments } from './segments.tsx';
import { rangeQuery, useVisitorRange } from './visitor-range.ts';
import type { ViewProps } from './visitors-page.tsx';

const ORDERS = [
  { value: 'searches', label: 'Searched most' },
  { value: 'without-results', label: 'Without results' },
  { value: 'low-click', label: 'Seldom clicked' },
  { value: 'clicks', label: 'Clicked most' },
] as const;

export function QueriesView({ engineId }: ViewProps) {
  const state = useQueryState();
  const range = rangeQuery(useVisitorRange());
  const path = `/engines/${engineId}/statistics/queries`;
  const asked = { ...range, order: state.query['order'] ?? 'searches', text: state.query['text'] };
  const pages = usePages<QueryStatistics['items'][number]>(path, { query: asked });
  const all = new URLSearchParams({ ...range, order: asked.order, format: 'csv' });
  return (
    <div class="stack visitor-list">
      <div class="spread">
        <Segments label="Order" name="order" options={ORDERS} />
        <div class="row">
          <FilterText
            label="Words of a query"
            value={state.query['text'] ?? ''}
            onChange={(text) => state.replace({ text, after: undefined })}
          />
          <DownloadButton path={`${path}?${all}`} file="queries.csv" label="CSV" />
        </div>
      </div>
      <DataTable
        {...pages}
        label="Queries"
        keyOf={({ query }) => query}
        empty={<EmptyState icon="search" title="No such query in these days" />}
        columns={[
          {
            title: 'Query',
            show: ({ query }) => (
              <a
                dir="auto"
                href={`/admin/engines/${engineId}/visitors/query?${new URLSearchParams({ query, ...range })}`}
              >
                {query}
              </a>
            ),
          },
          ...counterColumns<QueryStatistics['items'][number]>(),
          {
            title: 'What to do',
            isActions: true,
            show: ({ query }) => <QueryLinks engineId={engineId} query={query} />,
          },
        ]}
      />
    </div>
  );
}
