import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAnswer } from '../../client/use-answer.ts';
import type { ContentGaps } from '../../generated-types.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { QueryLinks } from './query-links.tsx';
import { daysQuery, useVisitorRange } from './visitor-range.ts';
import type { ViewProps } from './visitors-page.tsx';

const LIMIT = 50;

/** What visitors wanted to know and no page says, those of most visitors first. */
export function GapsView({ engineId }: ViewProps) {
  const days = daysQuery(useVisitorRange());
  const path = `/engines/${engineId}/statistics/gaps`;
  const { answer, error, reload } = useAnswer<ContentGaps>(
    `${path}?${new URLSearchParams({ ...days, limit: String(LIMIT) })}`,
  );
  return (
    <div class="stack">
      <div class="spread">
        <p class="quiet">Questions that were not answered, or whose answer did not help.</p>
        <DownloadButton
          path={`${path}?${new URLSearchParams({ ...days, limit: String(LIMIT), format: 'csv' })}`}
          file="gaps.csv"
          label="CSV"
        />
      </div>
      <DataTable
        label="Gaps"
        rows={answer?.items}
        error={error}
        onRetry={reload}
        keyOf={({ question }) => question}
        empty={<EmptyState icon="check" title="No gap in these days" />}
        columns={[
          {
            title: 'Question',
            show: ({ question, wordings, closed }) => (
              <>
                <p dir="auto">
                  {question} {closed && <StatusPill tone="good">Answered now</StatusPill>}
                </p>
                {wordings.length > 0 && (
                  <p class="quiet small" dir="auto">
                    also: {wordings.join(' · ')}
                  </p>
                )}
              </>
            ),
          },
          { title: 'Visitors', isNumber: true, show: ({ visitors }) => formatCount(visitors) },
          {
            title: 'Nearest pages',
            show: ({ nearest }) => (
              <ul>
                {nearest.map(({ url, title }) => (
                  <li key={url}>
                    <SafeLink address={url}>{title === '' ? url : title}</SafeLink>
                  </li>
                ))}
                {nearest.length === 0 && <li class="quiet">none</li>}
              </ul>
            ),
          },
          { title: 'Last', isSecondary: true, show: ({ lastAt }) => <TimeText at={lastAt} /> },
          {
            title: 'What to do',
            isActions: true,
            show: ({ question }) => <QueryLinks engineId={engineId} query={question} />,
          },
        ]}
      />
    </div>
  );
}
