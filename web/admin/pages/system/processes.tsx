import { useAnswer } from '../../client/use-answer.ts';
import type { Processes as Answer } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatBytes, formatCount, formatDuration } from '../../parts/format.ts';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';

type Process = Answer['items'][number];

const EVERY_MS = 10_000;
/** The largest; the others are small files. */
const MAX_PARTS = 8;

/** Every process with its memory, and what lies on the disk. */
export function Processes() {
  const { answer, error, reload } = useAnswer<Answer>('/processes', { everyMs: EVERY_MS });
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      <DataTable label="Processes" columns={COLUMNS} rows={answer?.items} keyOf={({ name }) => name} empty={null} />
      <Card title="Disk">{answer === undefined ? <Skeleton /> : <Disk disk={answer.disk} />}</Card>
    </>
  );
}

function Disk({ disk: { freeBytes, totalBytes, parts } }: Pick<Answer, 'disk'>) {
  return (
    <div class="stack">
      <ProgressBar
        label="Used disk"
        value={totalBytes - freeBytes}
        max={totalBytes}
        text={`${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free`}
      />
      <dl class="facts">
        {[...parts]
          .sort((a, b) => b.bytes - a.bytes)
          .slice(0, MAX_PARTS)
          .map(({ name, bytes }) => (
            <div class="contents" key={name}>
              <dt>{name}</dt>
              <dd>{formatBytes(bytes)}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

const COLUMNS: readonly Column<Process>[] = [
  { title: 'Process', show: ({ name }) => <code>{name}</code> },
  {
    title: 'State',
    show: ({ ready }) => {
      if (ready === null) return <StatusPill tone="idle">Runs alone</StatusPill>;
      return ready ? <StatusPill tone="good">Ready</StatusPill> : <StatusPill tone="busy">Starting</StatusPill>;
    },
  },
  {
    title: 'Memory',
    isNumber: true,
    show: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatBytes(memoryBytes)),
  },
  {
    title: 'Processor time',
    isNumber: true,
    isSecondary: true,
    show: ({ cpuSeconds }) => (cpuSeconds === null ? '–' : formatDuration(cpuSeconds * 1_000)),
  },
  {
    title: 'Restarts',
    isNumber: true,
    show: ({ restarts, lastCause }) => <span title={lastCause ?? ''}>{formatCount(restarts)}</span>,
  },
  { title: 'Begun', isSecondary: true, show: ({ startedAt }) => <TimeText at={startedAt} never="–" /> },
];
