import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { useChange } from '../../client/use-change.ts';
import { usePages } from '../../client/use-pages.ts';
import type { ApiKey, Customer, NewApiKey } from '../../generated-types.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopiedText } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';

type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'made'; readonly key: NewApiKey }
  | { readonly kind: 'revoke'; readonly key: ApiKey };

type Scope = NonNullable<ApiKey['scopes']>[number];

const SCOPES: readonly { readonly scope: Scope; readonly label: string }[] = [
  { scope: 'search', label: 'Searches and answers' },
  { scope: 'documents', label: 'Documents: push and delete' },
  { scope: 'urls', label: 'URLs: visit now' },
  { scope: 'tools', label: 'Search tools' },
  { scope: 'statistics', label: 'Statistics' },
];

/** Keys of customers for programs on servers. */
export function KeysTab() {
  const { query, set } = useQueryState();
  const customers = useAnswer<{ readonly items: readonly Customer[] }>('/customers?limit=100');
  const items = customers.answer?.items ?? [];
  const customer = items.find(({ id }) => String(id) === query['customer']) ?? items[0];
  const path = customer && `/customers/${customer.id}/keys`;
  const keys = usePages<ApiKey>(path);
  const [open, setOpen] = useState<Open>();
  const client = useAdmin();
  const close = () => setOpen(undefined);
  const make = (
    <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
      <Icon name="plus" /> Make a key
    </button>
  );
  const revoke: Column<ApiKey> = {
    title: 'Actions',
    isActions: true,
    show: (key) =>
      key.revokedAt === null &&
      key.managedBy === null && (
        <button type="button" class="danger" onClick={() => setOpen({ kind: 'revoke', key })}>
          Revoke
        </button>
      ),
  };
  return (
    <>
      <ErrorNotice error={customers.error} onRetry={customers.reload} />
      <div class="spread">
        <select
          class="narrow"
          aria-label="Customer"
          value={customer?.id}
          onChange={(event) => set({ customer: event.currentTarget.value, after: undefined })}
        >
          {items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name} ({id})
            </option>
          ))}
        </select>
        {make}
      </div>
      <DataTable
        {...keys}
        label="API keys"
        columns={[...COLUMNS, revoke]}
        keyOf={({ id }) => id}
        empty={
          <section class="card">
            <EmptyState icon="embed" title="There is no key yet" actions={make}>
              Programs on your servers push documents and queue URLs with one. Browsers need none.
            </EmptyState>
          </section>
        }
      />
      {open?.kind === 'new' && path !== undefined && (
        <NewKeyDialog
          path={path}
          onClose={close}
          onMade={(key) => {
            keys.reload();
            setOpen({ kind: 'made', key });
          }}
        />
      )}
      {open?.kind === 'made' && (
        <Dialog title="The new key" onClose={close}>
          <p>It is shown this once: only its digest is stored.</p>
          <CopiedText text={open.key.key} />
          <div class="dialog-foot">
            <button type="button" class="main" onClick={close}>
              Done
            </button>
          </div>
        </Dialog>
      )}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={`Revoke the key “${open.key.name}”?`}
          action="Revoke"
          isDangerous
          onConfirm={() => client.delete(`${path}/${open.key.id}`).finally(keys.reload)}
          onClose={close}
        >
          <p>Programs that use it are refused from now on. This cannot be undone: make a new key instead.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type NewKeyProps = { readonly path: string; readonly onClose: () => void; readonly onMade: (key: NewApiKey) => void };

function NewKeyDialog({ path, onClose, onMade }: NewKeyProps) {
  const client = useAdmin();
  const change = useChange();
  const [name, setName] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const make = () =>
    change.run(async () => {
      const body = {
        name: name.trim(),
        ...(scopes.length > 0 && { scopes }),
        ...(lastDay !== '' && { expiresAt: new Date(`${lastDay}T23:59:59`).toISOString() }),
      };
      onMade((await client.post<NewApiKey>(path, { body })).body);
    });
  return (
    <Dialog title="Make a key" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <ErrorNotice error={change.error} shownPaths={['name', 'scopes', 'expiresAt']} />
        <TextField
          label="Name"
          hint="What uses it: the audit log shows it."
          value={name}
          problem={change.problemOf('name')}
          onInput={setName}
          isRequired
        />
        <ScopeFields scopes={scopes} problem={change.problemOf('scopes')} onChange={setScopes} />
        <TextField
          label="Last day"
          hint="Empty: until it is revoked."
          type="date"
          value={lastDay}
          problem={change.problemOf('expiresAt')}
          onInput={setLastDay}
        />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={change.isRunning}>
            Make it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type ScopeFieldsProps = {
  readonly scopes: readonly Scope[];
  readonly problem: string | undefined;
  readonly onChange: (scopes: readonly Scope[]) => void;
};

function ScopeFields({ scopes, problem, onChange }: ScopeFieldsProps) {
  return (
    <fieldset class="field">
      <legend>Opens</legend>
      <span class="hint">Nothing chosen: all of the public API.</span>
      {SCOPES.map(({ scope, label }) => (
        <label class="check" key={scope}>
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
            }
          />
          {label}
        </label>
      ))}
      {problem !== undefined && <span class="fault">{problem}</span>}
    </fieldset>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: 'Name',
    show: ({ name, managedBy }) => (
      <>
        <bdi class="any">{name}</bdi>
        {managedBy !== null && <p class="small quiet any">managed by {managedBy}</p>}
      </>
    ),
  },
  { title: 'Ends with', isSecondary: true, show: ({ last4 }) => <code>…{last4}</code> },
  { title: 'Opens', isSecondary: true, show: ({ scopes }) => scopes?.join(', ') ?? 'all' },
  { title: 'State', show: (key) => <KeyState apiKey={key} /> },
  { title: 'Last used', isSecondary: true, show: ({ lastUsedOn }) => lastUsedOn ?? <span class="quiet">never</span> },
  { title: 'Made', isSecondary: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
  { title: 'Expires', isSecondary: true, show: ({ expiresAt }) => <TimeText at={expiresAt} /> },
];

function KeyState({ apiKey: { revokedAt, expiresAt } }: { readonly apiKey: ApiKey }) {
  if (revokedAt !== null) return <StatusPill tone="idle">Revoked</StatusPill>;
  if (expiresAt !== null && Date.parse(expiresAt) < Date.now()) return <StatusPill tone="idle">Expired</StatusPill>;
  return <StatusPill tone="good">Valid</StatusPill>;
}
