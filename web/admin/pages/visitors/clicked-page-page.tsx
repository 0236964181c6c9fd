import { useMemo } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Plot } from '../../parts/plot.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { rankText } from './counters.tsx';
import { QueryLinks } from './query-links.tsx';
import { RangeBar } from './range-bar.tsx';
import { daysAgo, daysBetween, daysQuery, useVisitorRange } from './visitor-range.ts';
import './visitors-page.css';

type PageDetail = {
  readonly url: string;
  readonly clicks: number;
  readonly days: readonly { readonly day: string; readonly clicks: number }[];
  readonly queries: readonly { readonly query: string; readonly clicks: number; readonly meanRank: number | null }[];
};

const DEFAULT_DAYS = 30;

/** One page: when it was clicked, and for which queries. */
export function ClickedPagePage() {
  const { params } = useRoute();
  const state = useQueryState();
  const engineId = params['engineId'] ?? '';
  const url = state.query['url'] ?? '';
  const range = useVisitorRange();
  const asked = new URLSearchParams({ url, ...daysQuery(range) });
  const { answer, error, reload } = useAnswer<PageDetail>(`/engines/${engineId}/statistics/page?${asked}`);
  return (
    <>
      <PageHead title="Clicks on a page" about={<SafeLink address={url}>{url}</SafeLink>}>
        <a
          class="button"
          href={`/admin/engines/${engineId}/visitors?${new URLSearchParams({ view: 'pages', ...daysQuery(range) })}`}
        >
          All pages
        </a>
      </PageHead>
      <RangeBar hasDevice={false} />
      <ErrorNotice error={error} onRetry={reload} />
      {answer === undefined && error === undefined && <Skeleton lines={8} />}
      {answer !== undefined && (
        <>
          <Clicks detail={answer} from={range.from ?? daysAgo(DEFAULT_DAYS)} to={range.to ?? daysAgo(1)} />
          <Card title="Queries">
            <DataTable
              label="Queries that led to it"
              rows={answer.queries}
              keyOf={({ query }) => query}
              empty={<p class="quiet">Nobody clicked it in these days.</p>}
              columns={[
                {
                  title: 'Query',
                  show: ({ query }) => (
                    <a
                      dir="auto"
                      href={`/admin/engines/${engineId}/visitors/query?${new URLSearchParams({ query, ...daysQuery(range) })}`}
                    >
                      {query}
                    </a>
                  ),
                },
                { title: 'Clicks', isNumber: true, show: ({ clicks }) => formatCount(clicks) },
                { title: 'Mean place', isNumber: true, show: ({ meanRank }) => rankText(meanRank) },
                {
                  title: 'What to do',
                  isActions: true,
                  show: ({ query }) => <QueryLinks engineId={engineId} query={query} />,
                },
              ]}
            />
          </Card>
        </>
      )}
    </>
  );
}

type ClicksProps = { readonly detail: PageDetail; readonly from: string; readonly to: string };

function Clicks({ detail, from, to }: ClicksProps) {
  const { days, curves } = useMemo(() => {
    const all = daysBetween(from, to);
    const byDay = new Map(detail.days.map(({ day, clicks }) => [day, clicks]));
    return { days: all, curves: [{ name: 'Clicks', values: all.map((day) => byDay.get(day) ?? 0) }] };
  }, [detail, from, to]);
  return (
    <Card title={formatCounted(detail.clicks, 'click')}>
      <Plot label="Clicks per day" days={days} curves={curves} />
    </Card>
  );
}
