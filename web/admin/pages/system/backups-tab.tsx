import { useAdmin } from '../../client/client-context.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { Backup } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatBytes } from '../../parts/format.ts';
import { StatusPill, type Tone } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useAction } from '../../parts/use-action.ts';

const EVERY_MS = 5_000;

/** Copies of everything, written while all goes on. */
export function BackupsTab() {
  const client = useAdmin();
  const { answer, error, reload } = useAnswer<{ readonly items: readonly Backup[] }>('/backups', { everyMs: EVERY_MS });
  const act = useAction(reload);
  const start = (
    <button
      type="button"
      class="main"
      onClick={() => void act({ work: () => client.post('/backups', { body: {} }), done: 'A backup is under way' })}
    >
      Back up now
    </button>
  );
  return (
    <>
      <div class="spread">
        <p class="quiet">
          Bring one back with <code>fossick restore &lt;file&gt;</code>, on this machine or another.
        </p>
        {start}
      </div>
      <DataTable
        label="Backups, the newest first"
        columns={COLUMNS}
        rows={answer?.items}
        error={error}
        onRetry={reload}
        keyOf={({ id }) => id}
        empty={
          <section class="card">
            <EmptyState icon="save" title="There is no backup yet">
              “Back up now” writes the first one. Others are written every <code>BACKUP_EVERY_HOURS</code> hours.
            </EmptyState>
          </section>
        }
      />
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = { done: 'good', failed: 'bad', waiting: 'busy', running: 'busy' };

const COLUMNS: readonly Column<Backup>[] = [
  { title: 'Begun', show: ({ askedAt }) => <TimeText at={askedAt} /> },
  {
    title: 'State',
    show: ({ state, problem }) => (
      <>
        <StatusPill tone={TONES[state] ?? 'idle'}>{state}</StatusPill>
        {problem !== null && <p class="small any">{problem}</p>}
      </>
    ),
  },
  { title: 'Asked by', isSecondary: true, show: ({ startedBy }) => <bdi class="any">{startedBy}</bdi> },
  { title: 'Ended', isSecondary: true, show: ({ endedAt }) => <TimeText at={endedAt} never="–" /> },
  { title: 'Size', isNumber: true, show: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)) },
  { title: 'File', isSecondary: true, show: ({ file }) => <code class="any">{file ?? '–'}</code> },
];
