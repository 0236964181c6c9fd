import { SafeLink } from '../../../parts/safe-link.tsx';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { usePages } from '../../client/use-pages.ts';
import type { Run, Visit } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatBytes, formatCount, formatDuration } from '../../parts/format.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { RUN_KINDS, RunPill } from '../sites/crawler-state.tsx';
import { CountList } from './count-list.tsx';
import { LiveRun } from './live-run.tsx';
import { ReasonText } from './reason-text.tsx';
import { useSite } from './site-context.ts';
import { OUTCOMES } from './url-states.ts';

const EVERY_MS = 10_000;
const NEWEST = 50;

/** Runs, and what one of them did. */
export function RunsTab() {
  const { query } = useQueryState();
  const run = query['run'];
  return run === undefined ? <RunTable /> : <RunDetails runId={run} />;
}

function RunTable() {
  const { crawler } = useSite();
  const { addressOf } = useQueryState();
  const { answer, error, reload } = useAnswer<{ readonly items: readonly Run[] }>(
    `/crawlers/${crawler.id}/runs?limit=${NEWEST}`,
    { everyMs: EVERY_MS },
  );
  const columns: readonly Column<Run>[] = [
    { title: 'Run', show: ({ id }) => <a href={addressOf({ run: String(id) })}>{id}</a> },
    { title: 'Kind', show: ({ kind }) => RUN_KINDS[kind] },
    { title: 'State', show: ({ state }) => <RunPill state={state} /> },
    { title: 'Begun', show: ({ startedAt }) => <TimeText at={startedAt} never="not yet" /> },
    {
      title: 'Took',
      isNumber: true,
      isSecondary: true,
      show: ({ summary }) => (summary?.millis === undefined ? '–' : formatDuration(summary.millis)),
    },
    { title: 'Visited', isNumber: true, show: ({ visited }) => formatCount(visited) },
    { title: 'Added', isNumber: true, isSecondary: true, show: ({ added }) => formatCount(added) },
    { title: 'Changed', isNumber: true, isSecondary: true, show: ({ changed }) => formatCount(changed) },
    { title: 'Removed', isNumber: true, isSecondary: true, show: ({ removed }) => formatCount(removed) },
    { title: 'Failed', isNumber: true, show: ({ failed }) => formatCount(failed) },
    { title: 'Asked by', isSecondary: true, show: ({ startedBy }) => <bdi>{startedBy}</bdi> },
  ];
  return (
    <DataTable
      label={`The newest ${NEWEST} runs`}
      columns={columns}
      rows={answer?.items}
      error={error}
      onRetry={reload}
      keyOf={({ id }) => id}
      empty={
        <section class="card">
          <EmptyState icon="play" title="There was no run yet">
            “Run now” starts the first one.
          </EmptyState>
        </section>
      }
    />
  );
}

function RunDetails({ runId }: { readonly runId: string }) {
  const { crawler, reload: reloadSite } = useSite();
  const { addressOf } = useQueryState();
  const { answer, error, reload } = useAnswer<Run>(`/crawlers/${crawler.id}/runs/${runId}`);
  const visits = usePages<Visit>(`/crawlers/${crawler.id}/runs/${runId}/visits`);
  return (
    <>
      <p>
        <a href={addressOf({ run: undefined, after: undefined })}>All runs</a>
      </p>
      <ErrorNotice error={error} onRetry={reload} />
      {answer?.endedAt === null && (
        <LiveRun
          crawlerId={crawler.id}
          runId={answer.id}
          onEnd={() => {
            reload();
            reloadSite();
          }}
        />
      )}
      {answer === undefined && error === undefined && <Skeleton lines={6} />}
      {answer !== undefined && <Summary run={answer} />}
      <DataTable
        {...visits}
        label="Visits of the run, the newest first"
        columns={VISIT_COLUMNS}
        keyOf={({ id }) => id}
        empty={<EmptyState title="It has visited nothing yet" />}
      />
    </>
  );
}

function Summary({ run }: { readonly run: Run }) {
  const { summary } = run;
  const left = Object.entries(summary?.left ?? {}).map(([label, count]) => ({ label, count }));
  const outcomes = Object.entries(summary?.outcomes ?? {}).map(([label, count]) => ({
    label: label in OUTCOMES ? OUTCOMES[label as Visit['outcome']].label : label,
    count,
  }));
  return (
    <div class="cards">
      <Card title={`${RUN_KINDS[run.kind]} run ${run.id}`} actions={<RunPill state={run.state} />}>
        <dl class="facts">
          <dt>Begun</dt>
          <dd>
            <TimeText at={run.startedAt} never="not yet" isAbsolute />
          </dd>
          <dt>Ended</dt>
          <dd>
            <TimeText at={run.endedAt} never="not yet" isAbsolute />
          </dd>
          <dt>Asked by</dt>
          <dd>
            <bdi>{run.startedBy}</bdi>
          </dd>
          <dt>Read</dt>
          <dd>
            {formatBytes(run.bytes)}, {formatCount(run.files)} files, {formatCount(run.rendered)} in a browser
          </dd>
          <dt>Removals held</dt>
          <dd>{formatCount(run.removalsHeld)}</dd>
          {summary?.why !== undefined && (
            <>
              <dt>Why</dt>
              <dd>{summary.why}</dd>
            </>
          )}
        </dl>
      </Card>
      {outcomes.length > 0 && (
        <Card title="Outcomes">
          <CountList counts={outcomes} />
        </Card>
      )}
      {left.length > 0 && (
        <Card title="Found and not visited">
          <CountList counts={left} />
        </Card>
      )}
    </div>
  );
}

const VISIT_COLUMNS: readonly Column<Visit>[] = [
  {
    title: 'URL',
    show: ({ url }) => (
      <bdi>
        <SafeLink address={url}>{url}</SafeLink>
      </bdi>
    ),
  },
  {
    title: 'Outcome',
    show: ({ outcome }) => <StatusPill tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</StatusPill>,
  },
  { title: 'Reason', isSecondary: true, show: ({ reason }) => <ReasonText reason={reason} /> },
  { title: 'HTTP', isNumber: true, isSecondary: true, show: ({ httpStatus }) => httpStatus ?? '–' },
  {
    title: 'Took',
    isNumber: true,
    isSecondary: true,
    show: ({ millis }) => (millis === null ? '–' : formatDuration(millis)),
  },
  { title: 'At', show: ({ at }) => <TimeText at={at} /> },
];
