import { useState } from 'preact/hooks';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAdmin, useMay } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { usePages } from '../../client/use-pages.ts';
import type { Removal, RemovalGroups } from '../../generated-types.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ReasonText } from './reason-text.tsx';
import { useSite } from './site-context.ts';

type Group = RemovalGroups['groups'][number];
type State = Removal['state'];

const STATES: readonly { readonly value: State; readonly label: string }[] = [
  { value: 'held', label: 'Held: waiting for your word' },
  { value: 'removed', label: 'Removed' },
  { value: 'undone', label: 'Undone' },
];

/** Documents whose pages are gone: held ones wait for a decision, removed ones can be brought back. */
export function RemovalsTab() {
  const { query, set } = useQueryState();
  const state = STATES.find(({ value }) => value === query['state'])?.value ?? 'held';
  return (
    <>
      <div class="row">
        <select
          class="narrow"
          aria-label="State"
          value={state}
          onChange={(event) => set({ state: event.currentTarget.value, after: undefined })}
        >
          {STATES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {state === 'held' && <HeldGroups />}
      <RemovalTable state={state} />
    </>
  );
}

type Asked = { readonly group: Group; readonly action: 'approve' | 'undo' };

/** Together, as they came: by cause, host and pattern. */
function HeldGroups() {
  const { crawler, reload } = useSite();
  const client = useAdmin();
  const isOperator = useMay('operator');
  const path = `/crawlers/${crawler.id}/removals/groups`;
  const groups = useAnswer<RemovalGroups>(path);
  const [asked, setAsked] = useState<Asked>();
  const decide = async ({ group, action }: Asked) => {
    const { class: kind, cause, host, pattern } = group;
    await client.post(`/crawlers/${crawler.id}/${action}-removals`, {
      body: { group: { class: kind, cause, host, pattern } },
    });
    groups.reload();
    reload();
  };
  const columns: readonly Column<Group>[] = [
    {
      title: 'Pages',
      show: ({ pattern, samples }) => (
        <>
          <code class="any">{pattern}</code>
          <br />
          <span class="small quiet any">{samples[0]}</span>
        </>
      ),
    },
    { title: 'Why', show: ({ cause }) => <ReasonText reason={cause} /> },
    { title: 'Documents', isNumber: true, show: ({ count }) => formatCount(count) },
    {
      title: 'Decision',
      isActions: true,
      show: (group) =>
        isOperator && (
          <span class="row">
            <button type="button" onClick={() => setAsked({ group, action: 'undo' })}>
              Keep
            </button>
            <button type="button" class="danger" onClick={() => setAsked({ group, action: 'approve' })}>
              Remove
            </button>
          </span>
        ),
    },
  ];
  return (
    <>
      <DataTable
        label="Held removals"
        columns={columns}
        rows={groups.answer?.groups}
        error={groups.error}
        onRetry={groups.reload}
        keyOf={({ class: kind, cause, host, pattern }) => `${kind} ${cause} ${host} ${pattern}`}
        empty={
          <section class="card">
            <EmptyState icon="check" title="Nothing waits for your word">
              When more pages are gone at once than is usual, their documents wait here instead of leaving.
            </EmptyState>
          </section>
        }
      />
      {asked !== undefined && (
        <ConfirmDialog
          title={asked.action === 'approve' ? 'Remove these documents?' : 'Keep these documents?'}
          action={asked.action === 'approve' ? 'Remove' : 'Keep'}
          isDangerous={asked.action === 'approve'}
          onConfirm={() => decide(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {formatCounted(asked.group.count, 'document')} of <code class="any">{asked.group.pattern}</code>
            {asked.action === 'approve'
              ? ` leave the search. They can be brought back for as long as the setting “removal.undoDays” says.`
              : ' stay in the search, and their pages are visited again.'}
          </p>
          <ul class="small quiet">
            {asked.group.samples.map((url) => (
              <li key={url} class="any">
                {url}
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  );
}

function RemovalTable({ state }: { readonly state: State }) {
  const { crawler, reload } = useSite();
  const client = useAdmin();
  const isOperator = useMay('operator');
  const removals = usePages<Removal>(`/crawlers/${crawler.id}/removals`, { query: { state } });
  const act = useAction(() => {
    removals.reload();
    reload();
  });
  const undo = ({ rid }: Removal) =>
    act({
      work: () => client.post(`/crawlers/${crawler.id}/undo-removals`, { body: { rids: [rid] } }),
      done: 'The document comes back',
    });
  const columns: readonly Column<Removal>[] = [
    {
      title: 'URL',
      show: ({ url }) => (
        <bdi>
          <SafeLink address={url}>{url}</SafeLink>
        </bdi>
      ),
    },
    { title: 'Why', show: ({ cause }) => <ReasonText reason={cause} /> },
    { title: 'Missing since', isSecondary: true, show: ({ firstAt }) => <TimeText at={firstAt} /> },
    { title: 'Decided', isSecondary: true, show: ({ at }) => <TimeText at={at} /> },
    {
      title: 'Decision',
      isActions: true,
      show: (removal) =>
        isOperator &&
        state !== 'undone' &&
        (removal.asked === null ? (
          <button type="button" onClick={() => void undo(removal)}>
            {state === 'held' ? 'Keep' : 'Bring back'}
          </button>
        ) : (
          <span class="quiet">under way</span>
        )),
    },
  ];
  return (
    <DataTable
      {...removals}
      label="Removals"
      columns={columns}
      keyOf={({ rid }) => rid}
      empty={
        state === 'held' ? null : (
          <EmptyState title={state === 'removed' ? 'Nothing was removed' : 'Nothing was undone'} />
        )
      }
    />
  );
}
