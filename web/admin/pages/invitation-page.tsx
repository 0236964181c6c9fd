import { useEffect, useMemo, useState } from 'preact/hooks';
import { createSessionClient } from '../client/admin-client.ts';
import { useChange } from '../client/use-change.ts';
import { Brand } from '../frame/brand.tsx';
import type { InvitationLink } from '../generated-types.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { TextField } from '../parts/fields.tsx';
import { Skeleton } from '../parts/skeleton.tsx';

/** The token stands in the fragment, which is sent to nobody. */
export function InvitationPage() {
  const client = useMemo(() => createSessionClient(() => undefined), []);
  const token = useMemo(() => location.hash.slice(1), []);
  const [invitation, setInvitation] = useState<InvitationLink>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = 'Invitation · Fossick';
    client.post<InvitationLink>('/invitation', { body: { token } }).then(({ body }) => setInvitation(body), setError);
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

function AcceptForm({ invitation, token }: { readonly invitation: InvitationLink; readonly token: string }) {
  const client = useMemo(() => createSessionClient(() => undefined), []);
  const change = useChange();
  const [name, setName] = useState(invitation.name ?? '');
  const [email, setEmail] = useState(invitation.email ?? '');
  const [password, setPassword] = useState('');
  const isFirst = invitation.kind === 'first';
  const accept = async () => {
    const body = {
      token,
      password,
      ...(isFirst && { email: email.trim() }),
      ...(name.trim() !== '' && { name: name.trim() }),
    };
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
      {isFirst ? (
        <p class="quiet">You are the first operator here: you see and do everything, and invite the others.</p>
      ) : (
        <p class="quiet">
          You sign in as <strong>{invitation.email}</strong>.
        </p>
      )}
      <ErrorNotice error={change.error} shownPaths={['email', 'name', 'password']} />
      <TextField
        label="Mail address"
        type="email"
        autoComplete="username"
        value={email}
        problem={change.problemOf('email')}
        onInput={setEmail}
        isRequired
        isDisabled={!isFirst}
        isFocused={isFirst}
      />
      {invitation.kind !== 'password' && (
        <TextField
          label="Your name"
          autoComplete="name"
          value={name}
          problem={change.problemOf('name')}
          onInput={setName}
          isRequired
          isFocused={!isFirst}
        />
      )}
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
        {invitation.kind === 'password' ? 'Set the password' : 'Begin'}
      </button>
    </form>
  );
}
