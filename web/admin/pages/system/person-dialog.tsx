import { useState } from 'preact/hooks';
import { type Role, useAdmin } from '../../client/client-context.ts';
import { ROLE_NAMES } from '../../client/role-names.ts';
import { useChange } from '../../client/use-change.ts';
import type { Customer, InvitedPerson, NewLink, Person } from '../../generated-types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';

type Props = {
  /** undefined: a new one. */
  readonly person: Person | undefined;
  readonly customers: readonly Customer[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
  readonly onInvited: (email: string, link: NewLink) => void;
};

const ROLE_OPTIONS = (['operator', 'editor', 'reader'] as const).map((value) => ({ value, label: ROLE_NAMES[value] }));
const SHOWN = ['email', 'name', 'role', 'customers'];

/** Invites a person, or changes what one may do. */
export function PersonDialog({ person, customers, onClose, onSaved, onInvited }: Props) {
  const client = useAdmin();
  const change = useChange();
  const [email, setEmail] = useState(person?.email ?? '');
  const [name, setName] = useState(person?.name ?? '');
  const [role, setRole] = useState<Role>(person?.role ?? 'editor');
  const [chosen, setChosen] = useState<readonly number[]>(
    person?.customers ?? customers.slice(0, 1).map(({ id }) => id),
  );
  const [isDisabled, setDisabled] = useState(person?.state === 'disabled');
  const save = async () => {
    const common = {
      role,
      name: name.trim() === '' ? null : name.trim(),
      ...(role !== 'operator' && { customers: chosen }),
    };
    if (person === undefined) {
      const { name: named, ...rest } = common;
      const body = { ...rest, email: email.trim(), ...(named !== null && { name: named }) };
      const { link } = (await client.post<InvitedPerson>('/people', { body })).body;
      return onInvited(email.trim(), link);
    }
    const path = `/people/${person.id}`;
    const body = { ...common, disabled: isDisabled };
    await client.patch(path, { body, ifMatch: (await client.get<Person>(path)).etag });
    onSaved();
    onClose();
  };
  return (
    <Dialog title={person === undefined ? 'Invite a person' : 'Change the person'} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void change.run(save);
        }}
      >
        <ErrorNotice error={change.error} shownPaths={SHOWN} />
        <TextField
          label="Mail address"
          type="email"
          value={email}
          problem={change.problemOf('email')}
          onInput={setEmail}
          isRequired
          isDisabled={person !== undefined}
        />
        <TextField label="Name" value={name} problem={change.problemOf('name')} onInput={setName} />
        <SelectField
          label="Role"
          value={role}
          options={ROLE_OPTIONS}
          problem={change.problemOf('role')}
          onChange={setRole}
        />
        {role !== 'operator' && (
          <CustomerFields
            customers={customers}
            chosen={chosen}
            problem={change.problemOf('customers')}
            onChange={setChosen}
          />
        )}
        {person !== undefined && (
          <CheckField
            label="Disabled"
            hint="Signed out at once, and cannot sign in until it is taken back."
            isChecked={isDisabled}
            onChange={setDisabled}
          />
        )}
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={change.isRunning}>
            {person === undefined ? 'Invite' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type CustomerFieldsProps = {
  readonly customers: readonly Customer[];
  readonly chosen: readonly number[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly number[]) => void;
};

function CustomerFields({ customers, chosen, problem, onChange }: CustomerFieldsProps) {
  return (
    <fieldset class="field">
      <legend>Customers</legend>
      {customers.map(({ id, name }) => (
        <label class="check" key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
          <bdi>{name}</bdi>
        </label>
      ))}
      {problem !== undefined && <span class="fault">{problem}</span>}
    </fieldset>
  );
}
