import { useState } from 'preact/hooks';
import { useAdmin, useSignedIn } from '../client/client-context.ts';
import { ROLE_NAMES } from '../client/role-names.ts';
import { useChange } from '../client/use-change.ts';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { TextField } from '../parts/fields.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TimeText } from '../parts/time-text.tsx';
import { useToast } from '../parts/toasts.tsx';

/** Who is signed in, and the own password. */
export function AccountPage() {
  const { session } = useSignedIn();
  const { person, role, expiresAt } = session;
  return (
    <>
      <PageHead title="Account" />
      {person === null ? (
        <EmptyState icon="why" title="The operator token is no person">
          Invite yourself as a person: then the audit log shows your name.
        </EmptyState>
      ) : (
        <div class="cards">
          <Card title="Signed in">
            <dl class="facts">
              <dt>Name</dt>
              <dd>
                <bdi>{person.name ?? '–'}</bdi>
              </dd>
              <dt>Mail address</dt>
              <dd>{person.email}</dd>
              <dt>Role</dt>
              <dd>{ROLE_NAMES[role]}</dd>
              <dt>Until</dt>
              <dd>
                <TimeText at={expiresAt} isAbsolute />
              </dd>
            </dl>
          </Card>
          <Card title="Password">
            {person.hasPassword ? <PasswordForm /> : <p class="quiet">You sign in through your organisation.</p>}
          </Card>
        </div>
      )}
    </>
  );
}

function PasswordForm() {
  const client = useAdmin();
  const change = useChange();
  const toast = useToast();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const save = async () => {
    const body = { current, password };
    if (!(await change.run(() => client.put('/session/password', { body })))) return;
    toast({ text: 'The password is changed; other sessions of yours have ended' });
    setCurrent('');
    setPassword('');
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <ErrorNotice error={change.error} shownPaths={['current', 'password']} />
      <TextField
        label="Present password"
        type="password"
        autoComplete="current-password"
        value={current}
        problem={change.problemOf('current')}
        onInput={setCurrent}
        isRequired
      />
      <TextField
        label="New password"
        type="password"
        hint="At least 10 characters."
        autoComplete="new-password"
        value={password}
        problem={change.problemOf('password')}
        onInput={setPassword}
        isRequired
      />
      <div>
        <button type="submit" class="main" disabled={change.isRunning}>
          Change the password
        </button>
      </div>
    </form>
  );
}
