import { useEffect, useMemo, useState } from 'preact/hooks';
import { createSessionClient } from '../client/admin-client.ts';
import type { Invitation } from '../client/session.ts';
import { useChange } from '../client/use-change.ts';
import { Brand } from '../frame/brand.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { TextField } from '../parts/fields.tsx';
import { Skeleton } from '../parts/skeleton.tsx';

/** The token stands in the fragment, which is sent to nobody. */
export function InvitationPage() {
  const client = useMemo(() => createSessionClient(() => undefined), []);
  const token = useMemo(() => location.hash.slice(1), []);
  const [invitation, setInvitation] = useState<Invitation>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = 'Invitation · Fossick';
    client.post<Invitation>('/invitation', { body: { token } }).then(({ body }) => setInvitation(body), setError);
  }, [client, token]);
  return (
    <main class="alone">
      <Brand />
      <div class="card">
        <h1>{invitation?.kind === 'password' ? 'Choose a new password' : 'Welcome'}</h1>
        {error !== undefined && (
          <>
            <ErrorNotice error={error} />
            <p class="quiet">Ask who invited you for a new link. Each link can be used once, and for some days.</p>
            <a href="/admin">To the sign-in</a>
          </>
        )}
        {error === undefined && invitation === undefined && <Skeleton />}
        {invitation !== undefined && <AcceptForm invitation={invitation} token={token} />}
      </div>
    </main>
  );
}

function AcceptForm({ invitation, token }: { readonly invitation: Invitation; readonly token: string }) {
  const client = useMemo(() => createSessionClient(() => undefined), []);
  const change = useChange();
  const [name, setName] = useState(invitation.name ?? '');
  const [password, setPassword] = useState('');
  const accept = async () => {
    const body = { token, password, ...(name.trim() !== '' && { name: name.trim() }) };
    // The page begins anew, signed in, and without the token in its address.
    if (await change.run(() => client.post('/invitation/accept', { body }))) location.replace('/admin');
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void accept();
      }}
    >
      <p class="quiet">
        You sign in as <strong>{invitation.email}</strong>.
      </p>
      <ErrorNotice error={change.error} shownPaths={['name', 'password']} />
      {invitation.kind === 'invitation' && (
        <TextField
          label="Your name"
          autoComplete="name"
          value={name}
          problem={change.problemOf('name')}
          onInput={setName}
          isRequired
          isFocused
        />
      )}
      {/* For password managers: they keep it with the password. */}
      <input
        type="email"
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        autoComplete="username"
        value={invitation.email}
        readOnly
      />
      <TextField
        label="Password"
        type="password"
        hint="At least 10 characters."
        autoComplete="new-password"
        value={password}
        problem={change.problemOf('password')}
        onInput={setPassword}
        isRequired
        isFocused={invitation.kind === 'password'}
      />
      <button type="submit" class="main" disabled={change.isRunning}>
        {invitation.kind === 'invitation' ? 'Begin' : 'Set the password'}
      </button>
    </form>
  );
}
