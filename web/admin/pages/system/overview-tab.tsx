import { useAnswer } from '../../client/use-answer.ts';
import type { Home, Status } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCount } from '../../parts/format.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { FindingList } from '../findings/finding-list.tsx';
import { Processes } from './processes.tsx';

const EVERY_MS = 10_000;

/** What runs, how full the disk is, and how far the indexes are. */
export function OverviewTab() {
  const { answer, error, reload } = useAnswer<Status>('/status', { everyMs: EVERY_MS });
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      <Findings />
      <Processes />
      <div class="cards">
        <Card title="Roles">{answer === undefined ? <Skeleton /> : <Roles roles={answer.roles} />}</Card>
        <Card title="Version">{answer === undefined ? <Skeleton lines={2} /> : <Version status={answer} />}</Card>
      </div>
      <DataTable
        label="Indexes"
        columns={ENGINE_COLUMNS}
        rows={answer?.engines}
        keyOf={({ id }) => id}
        empty={
          <section class="card">
            <EmptyState title="There is no engine yet" />
          </section>
        }
      />
    </>
  );
}

/** Those of no site. */
function Findings() {
  const { answer, reload } = useAnswer<Home>('/home', { everyMs: EVERY_MS });
  const findings = answer?.findings.filter(({ crawler }) => crawler === null) ?? [];
  if (findings.length === 0) return null;
  return (
    <Card title="Needs attention">
      <FindingList findings={findings} onDone={reload} />
    </Card>
  );
}

function Roles({ roles }: Pick<Status, 'roles'>) {
  return (
    <dl class="facts">
      {roles.map(({ role, holder }) => (
        <div class="contents" key={role}>
          <dt>{role}</dt>
          <dd>
            {holder === null ? (
              <StatusPill tone="bad">Nobody does it</StatusPill>
            ) : (
              <StatusPill tone="good">{holder}</StatusPill>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Version({ status: { version, node } }: { readonly status: Status }) {
  return (
    <dl class="facts">
      <dt>Fossick</dt>
      <dd>{version}</dd>
      <dt>Node</dt>
      <dd>{node}</dd>
    </dl>
  );
}

const ENGINE_COLUMNS: readonly Column<Status['engines'][number]>[] = [
  {
    title: 'Engine',
    show: ({ id, name }) => (
      <a href={`/admin/sites/${id}`}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { title: 'Documents', isNumber: true, show: ({ documents }) => formatCount(documents) },
  {
    title: 'Active crawlers',
    isNumber: true,
    isSecondary: true,
    show: ({ crawlers, activeCrawlers }) => `${formatCount(activeCrawlers)} of ${formatCount(crawlers)}`,
  },
  {
    title: 'Index',
    show: ({ seq, visibleSeq, problem }) => {
      if (problem !== undefined) return <StatusPill tone="bad">{problem}</StatusPill>;
      const behind = seq - visibleSeq;
      if (behind <= 0) return <StatusPill tone="good">Up to date</StatusPill>;
      return <StatusPill tone="busy">{formatCount(behind)} changes behind</StatusPill>;
    },
  },
];
