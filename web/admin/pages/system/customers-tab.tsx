import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import { usePages } from '../../client/use-pages.ts';
import { useEngines } from '../../frame/engines.ts';
import type { Customer } from '../../generated-types.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';

type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'rename'; readonly customer: Customer }
  | { readonly kind: 'remove'; readonly customer: Customer };

/** Who owns engines, keys and search tools. */
export function CustomersTab() {
  const client = useAdmin();
  const engines = useEngines();
  const customers = usePages<Customer>('/customers');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const saved = () => {
    customers.reload();
    close();
  };
  const make = (
    <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
      <Icon name="plus" /> Add a customer
    </button>
  );
  const actions: Column<Customer> = {
    title: 'Actions',
    isActions: true,
    show: (customer) =>
      customer.managedBy === null && (
        <span class="row">
          <button type="button" onClick={() => setOpen({ kind: 'rename', customer })}>
            Rename
          </button>
          <button type="button" class="danger" onClick={() => setOpen({ kind: 'remove', customer })}>
            Remove
          </button>
        </span>
      ),
  };
  return (
    <>
      <div class="spread">
        <p class="quiet">
          A customer owns engines, keys and search tools; editors and readers see their customers alone.
        </p>
        {make}
      </div>
      <DataTable
        {...customers}
        label="Customers"
        columns={[...COLUMNS, actions]}
        keyOf={({ id }) => id}
        empty={
          <section class="card">
            <EmptyState icon="sites" title="There is no customer yet" actions={make}>
              The first site that is added makes one, too.
            </EmptyState>
          </section>
        }
      />
      {open?.kind === 'new' && (
        <NameDialog
          title="Add a customer"
          action="Add it"
          name=""
          onSave={(name) => client.post('/customers', { body: { name } })}
          onSaved={saved}
          onClose={close}
        />
      )}
      {open?.kind === 'rename' && (
        <NameDialog
          title="Rename the customer"
          action="Save"
          name={open.customer.name}
          onSave={(name) => client.patch(`/customers/${open.customer.id}`, { body: { name } })}
          onSaved={saved}
          onClose={close}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={`Remove the customer “${open.customer.name}”?`}
          action="Remove the customer"
          isDangerous
          typed={open.customer.name}
          onConfirm={() =>
            client.delete(`/customers/${open.customer.id}`).finally(() => {
              customers.reload();
              engines.reload();
            })
          }
          onClose={close}
        >
          <p>
            Its engines, crawlers, documents, keys and search tools leave for good. A backup brings them back, nothing
            else does.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

type NameProps = {
  readonly title: string;
  readonly action: string;
  readonly name: string;
  readonly onSave: (name: string) => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onClose: () => void;
};

function NameDialog({ title, action, name: before, onSave, onSaved, onClose }: NameProps) {
  const change = useChange();
  const [name, setName] = useState(before);
  const save = async () => {
    if (await change.run(() => onSave(name.trim()))) onSaved();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ErrorNotice error={change.error} shownPaths={['name']} />
        <TextField label="Name" value={name} problem={change.problemOf('name')} onInput={setName} isRequired />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={change.isRunning}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const COLUMNS: readonly Column<Customer>[] = [
  {
    title: 'Customer',
    show: ({ id, name, managedBy }) => (
      <>
        <bdi class="any">{name}</bdi>
        <p class="small quiet any">
          {`Id ${id}`}
          {managedBy !== null && `, managed by ${managedBy}`}
        </p>
      </>
    ),
  },
];
