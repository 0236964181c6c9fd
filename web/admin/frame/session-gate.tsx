import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FossickError } from '../../../packages/client/src/fossick-error.ts';
import { createAdminClient, createSessionClient } from '../client/admin-client.ts';
import { SignedInProvider } from '../client/client-context.ts';
import type { Session } from '../generated-types.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Brand } from './brand.tsx';
import { SignInForm } from './sign-in-form.tsx';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'signed-out' }
  /** `isExpired`: the page stays as it is below the sign-in. */
  | { readonly kind: 'signed-in'; readonly session: Session; readonly isExpired: boolean };

/** Shows its children to who is signed in. A session that ends is renewed over the page, which keeps what was typed. */
export function SessionGate({ children }: { readonly children: ComponentChildren }) {
  const { state, sessionClient, client, keepToken, begin, onSignedIn, signOut } = useSession();
  const form = <SignInForm client={sessionClient} keepToken={keepToken} onSignedIn={onSignedIn} />;
  if (state.kind === 'loading') return null;
  if (state.kind === 'failed') {
    return (
      <main class="alone">
        <ErrorNotice error={state.error} onRetry={begin} />
      </main>
    );
  }
  if (state.kind === 'signed-out') return <SignInPage>{form}</SignInPage>;
  const { session, isExpired } = state;
  return (
    <SignedInProvider value={{ client, session, signOut }}>
      <div key={session.actor}>{children}</div>
      {isExpired && (
        <Dialog title="Your session has ended" onClose={() => undefined}>
          <p class="quiet">Sign in again: the page goes on where it is, and what you typed is kept.</p>
          {form}
        </Dialog>
      )}
    </SignedInProvider>
  );
}

function SignInPage({ children }: { readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = 'Sign in · Fossick';
  }, []);
  const problem = PROBLEMS[new URLSearchParams(location.search).get('problem') ?? ''];
  return (
    <main class="alone">
      <Brand />
      <div class="card">
        <h1>Sign in</h1>
        {problem !== undefined && (
          <div class="notice bad" role="alert">
            {problem}
          </div>
        )}
        {children}
      </div>
    </main>
  );
}

/** What the organisation's sign-in comes back with. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'oidc-unknown-person': 'Nobody with this mail address has been invited here.',
  'oidc-unverified-mail': 'Your organisation has not verified your mail address.',
  'oidc-disabled': 'This person may not sign in any more.',
  'oidc-failed': 'The sign-in of your organisation did not work. Try again.',
};

function useSession() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const token = useRef<string | undefined>(undefined);
  const waiting = useRef<(() => void)[]>([]);
  const signIns = useRef(0);
  const clients = useMemo(() => {
    const readToken = () => token.current;
    const signIn = () =>
      new Promise<void>((resolve) => {
        waiting.current.push(resolve);
        setState((last) => (last.kind === 'signed-in' ? { ...last, isExpired: true } : { kind: 'signed-out' }));
      });
    const client = createAdminClient({ readToken, countSignIns: () => signIns.current, signIn });
    return { client, sessionClient: createSessionClient(readToken) };
  }, []);
  const onSignedIn = useCallback((session: Session) => {
    signIns.current++;
    setState({ kind: 'signed-in', session, isExpired: false });
    for (const goOn of waiting.current.splice(0)) goOn();
  }, []);
  const begin = useCallback(async () => {
    try {
      onSignedIn((await clients.sessionClient.get<Session>('/session')).body);
    } catch (error) {
      const isNobody = error instanceof FossickError && error.status === 401;
      setState(isNobody ? { kind: 'signed-out' } : { kind: 'failed', error });
    }
  }, [clients, onSignedIn]);
  useEffect(() => void begin(), [begin]);
  return {
    ...clients,
    state,
    begin: () => void begin(),
    onSignedIn,
    keepToken: (typed: string | undefined) => {
      token.current = typed;
    },
    signOut: async () => {
      if (token.current === undefined) await clients.sessionClient.delete('/session');
      token.current = undefined;
      setState({ kind: 'signed-out' });
    },
  };
}
