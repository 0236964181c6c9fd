import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { usePages } from '../../client/use-pages.ts';
import type { AlertTarget, TestedAlertTarget } from '../../generated-types.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useAction } from '../../parts/use-action.ts';
import { AlertDialog } from './alert-dialog.tsx';

type Open = { readonly kind: 'new' } | { readonly kind: 'change' | 'remove'; readonly target: AlertTarget };

/** Who is told when something is wrong, and when all is well again. */
export function AlertsTab() {
  const client = useAdmin();
  const targets = usePages<AlertTarget>('/alert-targets');
  const act = useAction(targets.reload);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const test = ({ id }: AlertTarget) =>
    act({
      work: () => client.post<TestedAlertTarget>(`/alert-targets/${id}/test`, { body: {} }),
      done: ({ body }) => `${body.taken ? 'Taken' : 'Not taken'} after ${body.milliseconds} ms: ${body.said}`,
    });
  const actions: Column<AlertTarget> = {
    title: 'Actions',
    isActions: true,
    show: (target) => (
      <span class="row">
        <button type="button" onClick={() => void test(target)}>
          Test
        </button>
        {target.managedBy === null && (
          <>
            <button type="button" onClick={() => setOpen({ kind: 'change', target })}>
              Change
            </button>
            <button type="button" class="danger" onClick={() => setOpen({ kind: 'remove', target })}>
              Remove
            </button>
          </>
        )}
      </span>
    ),
  };
  const add = (
    <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
      <Icon name="plus" /> Add a target
    </button>
  );
  return (
    <>
      <div class="spread">
        <p class="quiet">Each target is told once when something begins to be wrong, and once when it is over.</p>
        {add}
      </div>
      <DataTable
        {...targets}
        label="Alert targets"
        columns={[...COLUMNS, actions]}
        keyOf={({ id }) => id}
        empty={
          <section class="card">
            <EmptyState icon="alert" title="Nobody is told yet" actions={add}>
              Mail or a webhook tells you that a crawl has died before your visitors do.
            </EmptyState>
          </section>
        }
      />
      {(open?.kind === 'new' || open?.kind === 'change') && (
        <AlertDialog
          target={open.kind === 'change' ? open.target : undefined}
          onClose={close}
          onSaved={targets.reload}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={`Remove the target “${open.target.name}”?`}
          action="Remove"
          isDangerous
          onConfirm={() => client.delete(`/alert-targets/${open.target.id}`).finally(targets.reload)}
          onClose={close}
        >
          <p>It is told nothing any more. To be quiet for a while, make it inactive instead.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const COLUMNS: readonly Column<AlertTarget>[] = [
  {
    title: 'Target',
    show: ({ name, kind, to, address, managedBy }) => (
      <>
        <bdi>{name}</bdi>
        <p class="small quiet any">
          {kind === 'mail' ? to?.join(', ') : address}
          {managedBy !== null && `, managed by ${managedBy}`}
        </p>
      </>
    ),
  },
  {
    title: 'Told',
    show: ({ leastSeverity, changes, digestAt }) => (
      <>
        {changes && (leastSeverity === 'error' ? 'Errors' : 'Warnings and errors')}
        {digestAt !== null && <p class="small quiet">Digest at {digestAt}</p>}
      </>
    ),
  },
  { title: 'Quiet', isSecondary: true, show: ({ quietHours, timeZone }) => quietHours && `${quietHours} ${timeZone}` },
  {
    title: 'State',
    show: ({ active, state }) => {
      if (!active) return <StatusPill tone="idle">Inactive</StatusPill>;
      if (state.failingSince === null) {
        return (
          <>
            <StatusPill tone="good">Active</StatusPill>{' '}
            <span class="small quiet">
              last taken <TimeText at={state.takenAt} />
            </span>
          </>
        );
      }
      return (
        <>
          <StatusPill tone="bad">Not taken</StatusPill> since <TimeText at={state.failingSince} />
          <p class="small any">{state.problem}</p>
        </>
      );
    },
  },
];
