import { useEffect, useState } from 'preact/hooks';
import type { AdminClient } from '../client/admin-client.ts';
import { useChange } from '../client/use-change.ts';
import type { Session, SignInOptions } from '../generated-types.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { TextField } from '../parts/fields.tsx';

type Props = {
  readonly client: AdminClient;
  /** Kept in memory only. */
  readonly keepToken: (token: string | undefined) => void;
  readonly onSignedIn: (session: Session) => void;
};

/** By mail and password, by the organisation's own sign-in where there is one, or by the operator token. */
export function SignInForm({ client, keepToken, onSignedIn }: Props) {
  const options = useSignInOptions(client);
  const [isByToken, setByToken] = useState(false);
  return (
    <div class="stack">
      {isByToken ? (
        <TokenForm client={client} keepToken={keepToken} onSignedIn={onSignedIn} />
      ) : (
        <PasswordForm client={client} onSignedIn={onSignedIn} />
      )}
      {options?.oidc && (
        <a class="button" href={`${options.oidc.path}?to=${encodeURIComponent(location.pathname + location.search)}`}>
          Sign in with {options.oidc.name}
        </a>
      )}
      <button type="button" class="plain" onClick={() => setByToken(!isByToken)}>
        {isByToken ? 'Sign in with mail and password' : 'Sign in with the operator token'}
      </button>
      {options?.hasPeople === false && (
        <p class="small quiet">
          Nobody has been invited yet. The first start printed a link; another one is made on the terminal:{' '}
          <code>fossick person invite you@example.org --role operator</code>
        </p>
      )}
    </div>
  );
}

function PasswordForm({ client, onSignedIn }: Omit<Props, 'keepToken'>) {
  const change = useChange();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = () =>
    change.run(async () => onSignedIn((await client.post<Session>('/session', { body: { email, password } })).body));
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void signIn();
      }}
    >
      <ErrorNotice error={change.error} shownPaths={['email', 'password']} />
      <TextField
        label="Mail address"
        type="email"
        autoComplete="username"
        value={email}
        problem={change.problemOf('email')}
        onInput={setEmail}
        isRequired
        isFocused
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        problem={change.problemOf('password')}
        onInput={setPassword}
        isRequired
      />
      <button type="submit" class="main" disabled={change.isRunning}>
        Sign in
      </button>
    </form>
  );
}

function TokenForm({ client, keepToken, onSignedIn }: Props) {
  const change = useChange();
  const [token, setToken] = useState('');
  const signIn = () =>
    change.run(async () => {
      keepToken(token.trim());
      try {
        onSignedIn((await client.get<Session>('/session')).body);
      } catch (error) {
        keepToken(undefined);
        throw error;
      }
    });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void signIn();
      }}
    >
      <ErrorNotice error={change.error} />
      <TextField
        label="Operator token"
        type="password"
        hint="OPERATOR_TOKEN, or the content of the file operator-token in the data folder. It is kept until this page is closed or loaded anew."
        value={token}
        onInput={setToken}
        isRequired
        isFocused
      />
      <button type="submit" class="main" disabled={change.isRunning}>
        Sign in
      </button>
    </form>
  );
}

/** Undefined while nobody knows: mail and password alone are a way. */
function useSignInOptions(client: AdminClient): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    client.get<SignInOptions>('/sign-in').then(
      ({ body }) => setOptions(body),
      () => undefined,
    );
  }, [client]);
  return options;
}
