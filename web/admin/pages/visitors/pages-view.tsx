import { useQueryState } from '../../client/query-state.ts';
import { usePages } from '../../client/use-pages.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { formatCount } from '../../parts/format.ts';
import { rankText } from './counters.tsx';
import { daysQuery, useVisitorRange } from './visitor-range.ts';
import type { ViewProps } from './visitors-page.tsx';

type ClickedPage = {
  readonly url: string;
  readonly title: string;
  readonly clicks: number;
  readonly searches: number;
  readonly meanRank: number | null;
};

/** Pages that visitors clicked. */
export function PagesView({ engineId }: ViewProps) {
  const state = useQueryState();
  const range = daysQuery(useVisitorRange());
  const path = `/engines/${engineId}/statistics/pages`;
  const pages = usePages<ClickedPage>(path, { query: { ...range, text: state.query['text'] } });
  return (
    <div class="stack visitor-list">
      <div class="spread">
        <FilterText
          label="URL or title"
          value={state.query['text'] ?? ''}
          onChange={(text) => state.replace({ text, after: undefined })}
        />
        <DownloadButton
          path={`${path}?${new URLSearchParams({ ...range, format: 'csv' })}`}
          file="clicked-pages.csv"
          label="CSV"
        />
      </div>
      <DataTable
        {...pages}
        label="Clicked pages"
        keyOf={({ url }) => url}
        empty={<EmptyState icon="documents" title="No page was clicked in these days" />}
        columns={[
          {
            title: 'Page',
            show: ({ url, title }) => (
              <>
                <a
                  dir="auto"
                  href={`/admin/engines/${engineId}/visitors/page?${new URLSearchParams({ url, ...range })}`}
                >
                  {title === '' ? url : title}
                </a>
                <div class="small quiet" dir="ltr">
                  {url}
                </div>
              </>
            ),
          },
          { title: 'Clicks', isNumber: true, show: ({ clicks }) => formatCount(clicks) },
          { title: 'Searches', isNumber: true, isSecondary: true, show: ({ searches }) => formatCount(searches) },
          { title: 'Mean place', isNumber: true, show: ({ meanRank }) => rankText(meanRank) },
        ]}
      />
    </div>
  );
}
