import { useState } from 'preact/hooks';
import { useAdmin, useSignedIn } from '../../client/client-context.ts';
import { ROLE_NAMES } from '../../client/role-names.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { usePages } from '../../client/use-pages.ts';
import type { Customer, NewLink, Person } from '../../generated-types.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopiedText } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill, type Tone } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useAction } from '../../parts/use-action.ts';
import { PersonDialog } from './person-dialog.tsx';

type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'change' | 'remove'; readonly person: Person }
  | { readonly kind: 'link'; readonly email: string; readonly link: NewLink };

/** Who may sign in, and what for. */
export function PeopleTab() {
  const client = useAdmin();
  const people = usePages<Person>('/people');
  const customers = useAnswer<{ readonly items: readonly Customer[] }>('/customers?limit=100').answer?.items ?? [];
  const act = useAction(people.reload);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const showLink = (email: string, link: NewLink) => {
    people.reload();
    setOpen({ kind: 'link', email, link });
  };
  const makeLink = ({ id, email }: Person) =>
    act({
      work: async () => showLink(email, (await client.post<NewLink>(`/people/${id}/link`, { body: {} })).body),
      done: 'A link was made; earlier ones are void',
    });
  const endSessions = ({ id }: Person) =>
    act({ work: () => client.delete(`/people/${id}/sessions`), done: 'The person is signed out everywhere' });
  const actions: Column<Person> = {
    title: 'Actions',
    isActions: true,
    show: (person) =>
      person.managedBy === null && (
        <span class="row">
          <button type="button" onClick={() => setOpen({ kind: 'change', person })}>
            Change
          </button>
          <button type="button" onClick={() => void makeLink(person)}>
            {person.state === 'invited' ? 'New link' : 'New password'}
          </button>
          {person.sessions > 0 && (
            <button type="button" onClick={() => void endSessions(person)}>
              Sign out
            </button>
          )}
          <button type="button" class="danger" onClick={() => setOpen({ kind: 'remove', person })}>
            Remove
          </button>
        </span>
      ),
  };
  const invite = (
    <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
      <Icon name="plus" /> Invite a person
    </button>
  );
  return (
    <>
      <div class="spread">
        <p class="quiet">Operators do everything. Editors keep the search of customers, readers see statistics.</p>
        {invite}
      </div>
      <DataTable
        {...people}
        label="People"
        columns={[...columns(customers), actions]}
        keyOf={({ id }) => id}
        empty={
          <section class="card">
            <EmptyState icon="visitors" title="Nobody signs in by name yet" actions={invite}>
              Who is invited gets a link, sets a password, and stands in the audit log with what was changed.
            </EmptyState>
          </section>
        }
      />
      {(open?.kind === 'new' || open?.kind === 'change') && (
        <PersonDialog
          person={open.kind === 'change' ? open.person : undefined}
          customers={customers}
          onClose={close}
          onSaved={people.reload}
          onInvited={showLink}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={`Remove ${open.person.email}?`}
          action="Remove"
          isDangerous
          onConfirm={() => client.delete(`/people/${open.person.id}`).finally(people.reload)}
          onClose={close}
        >
          <p>The person is signed out at once. What was changed stays in the audit log under this name.</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'link' && <LinkDialog email={open.email} link={open.link} onClose={close} />}
    </>
  );
}

function LinkDialog({
  email,
  link,
  onClose,
}: {
  readonly email: string;
  readonly link: NewLink;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Give this link to the person" onClose={onClose}>
      <p>
        It is shown this once, opens once, and is for <strong>{email}</strong> alone. It ends{' '}
        <TimeText at={link.expiresAt} />.
      </p>
      <CopiedText text={link.url ?? `${location.origin}${link.path}`} />
      <div class="dialog-foot">
        <button type="button" class="main" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

const STATES: Readonly<Record<Person['state'], { readonly tone: Tone; readonly label: string }>> = {
  invited: { tone: 'busy', label: 'Invited' },
  active: { tone: 'good', label: 'Active' },
  disabled: { tone: 'idle', label: 'Disabled' },
};

function columns(customers: readonly Customer[]): readonly Column<Person>[] {
  const nameOf = (id: number) => customers.find((customer) => customer.id === id)?.name ?? String(id);
  return [
    { title: 'Person', show: (person) => <PersonName person={person} /> },
    { title: 'Role', show: ({ role }) => ROLE_NAMES[role] },
    {
      title: 'Customers',
      isSecondary: true,
      show: ({ role, customers: ids }) => (role === 'operator' ? 'all' : ids.map(nameOf).join(', ')),
    },
    { title: 'State', show: ({ state }) => <StatusPill tone={STATES[state].tone}>{STATES[state].label}</StatusPill> },
    { title: 'Last sign-in', isSecondary: true, show: ({ lastSignInAt }) => <TimeText at={lastSignInAt} /> },
  ];
}

function PersonName({ person: { id, name, email, managedBy } }: { readonly person: Person }) {
  const { session } = useSignedIn();
  const more = [...(name === null ? [] : [email]), ...(managedBy === null ? [] : [`managed by ${managedBy}`])];
  return (
    <>
      <bdi>{name ?? email}</bdi>
      {session.person?.id === id && <span class="quiet"> (you)</span>}
      {more.length > 0 && <p class="small quiet any">{more.join(', ')}</p>}
    </>
  );
}
