import { FossickError } from '../../../packages/client/src/fossick-error.ts';
import type { AdminClient } from './admin-client.ts';

export type Role = 'operator' | 'editor' | 'reader';

/** Who is signed in. */
export type Session = {
  readonly actor: string;
  readonly role: Role;
  /** null: all. */
  readonly customers: readonly number[] | null;
  /** null: the operator token. */
  readonly person: {
    readonly id: number;
    readonly email: string;
    readonly name: string | null;
    readonly hasPassword: boolean;
  } | null;
  readonly expiresAt: string | null;
};

/** How one may sign in here. */
export type SignInWays = {
  readonly hasPeople: boolean;
  readonly oidc: { readonly name: string; readonly path: string } | null;
};

export type Invitation = {
  readonly email: string;
  readonly name: string | null;
  readonly kind: 'invitation' | 'password';
  readonly expiresAt: string;
};

/** Who asks. Where the api does not know sessions, whoever has the operator token is the operator. */
export async function findSession(client: AdminClient): Promise<Session> {
  try {
    return (await client.get<Session>('/session')).body;
  } catch (error) {
    if (!(error instanceof FossickError) || error.status !== 404) throw error;
    await client.get('/status');
    return { actor: 'operator', role: 'operator', customers: null, person: null, expiresAt: null };
  }
}
