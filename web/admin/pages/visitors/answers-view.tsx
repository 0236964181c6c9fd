import { SafeLink } from '../../../parts/safe-link.tsx';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { usePages } from '../../client/use-pages.ts';
import type { AnswerUsage } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { formatCount } from '../../parts/format.ts';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { Segments } from './segments.tsx';
import { daysQuery, useVisitorRange } from './visitor-range.ts';
import type { ViewProps } from './visitors-page.tsx';

type Exchange = {
  readonly id: number | string;
  readonly at: string;
  readonly question: string;
  readonly rewritten: string | null;
  readonly answer: string;
  readonly couldAnswer: boolean;
  readonly refusal: string | null;
  readonly reason: string | null;
  readonly rating: 'positive' | 'negative' | null;
  readonly comment: string | null;
  readonly sources: readonly { readonly url: string; readonly title: string }[];
};

const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'refused', label: 'Refused' },
  { value: 'negative', label: 'Not helpful' },
  { value: 'degraded', label: 'Without the model' },
] as const;

/** What visitors asked, and what they were answered. */
export function AnswersView({ engineId }: ViewProps) {
  const state = useQueryState();
  const days = daysQuery(useVisitorRange());
  const base = `/engines/${engineId}/statistics`;
  const show = SHOWN.find(({ value }) => value === state.query['show'])?.value ?? 'all';
  const asked = { ...days, show };
  const pages = usePages<Exchange>(`${base}/exchanges`, { query: { ...asked, text: state.query['text'] } });
  return (
    <div class="stack visitor-list">
      <Usage path={`${base}/answers?${new URLSearchParams(days)}`} />
      <div class="spread">
        <Segments label="Answers" name="show" options={SHOWN} />
        <div class="row">
          <FilterText
            label="Words of question or answer"
            value={state.query['text'] ?? ''}
            onChange={(text) => state.replace({ text, after: undefined })}
          />
          <DownloadButton
            path={`${base}/exchanges?${new URLSearchParams({ ...asked, format: 'csv' })}`}
            file="answers.csv"
            label="CSV"
          />
        </div>
      </div>
      <DataTable
        {...pages}
        label="Questions and answers"
        keyOf={({ id }) => id}
        empty={<EmptyState icon="search" title="No such question in these days" />}
        columns={[
          {
            title: 'Question and answer',
            show: (exchange) => <ExchangeText exchange={exchange} />,
          },
          { title: 'State', show: (exchange) => <ExchangeState exchange={exchange} /> },
          { title: 'When', isSecondary: true, show: ({ at }) => <TimeText at={at} /> },
        ]}
      />
    </div>
  );
}

function Usage({ path }: { readonly path: string }) {
  const { answer, error, reload } = useAnswer<AnswerUsage>(path);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  const total = answer?.total;
  const figures = [
    { label: 'Answers', value: total?.answers },
    { label: 'Refused', value: total?.refused },
    { label: 'Summaries', value: total?.summaries },
    { label: 'Tokens read', value: total?.inputTokens },
    { label: 'Tokens written', value: total?.outputTokens },
  ];
  return (
    <Card title="In these days">
      <dl class="figures">
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value === undefined ? '–' : formatCount(value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function ExchangeText({ exchange }: { readonly exchange: Exchange }) {
  const { question, rewritten, answer, sources, comment } = exchange;
  return (
    <div class="exchange">
      <p dir="auto">
        <strong>{question}</strong>
      </p>
      {rewritten !== null && rewritten !== question && (
        <p class="quiet small" dir="auto">
          read as: {rewritten}
        </p>
      )}
      <details>
        <summary class="exchange-answer" dir="auto">
          {answer === '' ? 'No answer' : answer}
        </summary>
        <ol class="sources">
          {sources.map(({ url, title }) => (
            <li key={url} class="any">
              <SafeLink address={url}>{title === '' ? url : title}</SafeLink>
            </li>
          ))}
          {sources.length === 0 && <li class="quiet">No sources</li>}
        </ol>
      </details>
      {comment !== null && <blockquote dir="auto">{comment}</blockquote>}
    </div>
  );
}

function ExchangeState({ exchange: { couldAnswer, refusal, reason, rating } }: { readonly exchange: Exchange }) {
  return (
    <span class="states">
      {!couldAnswer && <StatusPill tone="warn">Refused</StatusPill>}
      {refusal !== null && <span class="quiet small">{refusal}</span>}
      {rating === 'negative' && <StatusPill tone="bad">Not helpful</StatusPill>}
      {rating === 'positive' && <StatusPill tone="good">Helpful</StatusPill>}
      {reason !== null && <span class="quiet small">{reason}</span>}
    </span>
  );
}
