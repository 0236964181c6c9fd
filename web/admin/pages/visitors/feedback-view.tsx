import { SafeLink } from '../../../parts/safe-link.tsx';
import { useQueryState } from '../../client/query-state.ts';
import { usePages } from '../../client/use-pages.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { Segments } from './segments.tsx';
import { daysQuery, useVisitorRange } from './visitor-range.ts';
import type { ViewProps } from './visitors-page.tsx';

type Feedback = {
  readonly id: number | string;
  readonly at: string;
  readonly kind: 'answer' | 'summary' | 'result';
  readonly rating: 'positive' | 'negative' | null;
  readonly reason: string | null;
  readonly comment: string | null;
  readonly question: string | null;
  readonly url: string | null;
};

const RATINGS = [
  { value: 'all', label: 'All' },
  { value: 'negative', label: 'Not helpful' },
  { value: 'positive', label: 'Helpful' },
] as const;

/** What visitors said about answers and results. */
export function FeedbackView({ engineId }: ViewProps) {
  const { query } = useQueryState();
  const range = daysQuery(useVisitorRange());
  const path = `/engines/${engineId}/statistics/feedback`;
  const rating = RATINGS.find(({ value }) => value === query['rating'] && value !== 'all')?.value;
  const asked = { ...range, ...(rating !== undefined && { rating }) };
  const pages = usePages<Feedback>(path, { query: asked });
  return (
    <div class="stack">
      <div class="spread">
        <Segments label="Rating" name="rating" options={RATINGS} />
        <DownloadButton
          path={`${path}?${new URLSearchParams({ ...asked, format: 'csv' })}`}
          file="feedback.csv"
          label="CSV"
        />
      </div>
      <DataTable
        {...pages}
        label="Feedback"
        keyOf={({ id }) => id}
        empty={<EmptyState icon="visitors" title="Nobody has said anything in these days" />}
        columns={[
          {
            title: 'Rating',
            show: ({ rating: given }) =>
              given !== null && (
                <StatusPill tone={given === 'positive' ? 'good' : 'bad'}>
                  {given === 'positive' ? 'Helpful' : 'Not helpful'}
                </StatusPill>
              ),
          },
          {
            title: 'What was said',
            show: ({ comment, reason }) => (
              <>
                {comment !== null && <p dir="auto">{comment}</p>}
                {reason !== null && (
                  <p class="quiet small" dir="auto">
                    {reason}
                  </p>
                )}
              </>
            ),
          },
          {
            title: 'About',
            show: ({ kind, question, url }) => (
              <>
                <p dir="auto">{question}</p>
                <p class="quiet small any">
                  {kind} {url !== null && <SafeLink address={url}>{url}</SafeLink>}
                </p>
              </>
            ),
          },
          { title: 'When', isSecondary: true, show: ({ at }) => <TimeText at={at} /> },
        ]}
      />
    </div>
  );
}
