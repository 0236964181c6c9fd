import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from '../generated-types.ts';
import type { AdminClient } from './admin-client.ts';

export type Role = Session['role'];

type SignedIn = {
  readonly client: AdminClient;
  readonly session: Session;
  readonly signOut: () => Promise<void>;
};

const SignedInContext = createContext<SignedIn | undefined>(undefined);

export const SignedInProvider = SignedInContext.Provider;

export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (signedIn === undefined) throw new Error('Nobody is signed in here');
  return signedIn;
}

export function useAdmin(): AdminClient {
  return useSignedIn().client;
}

const RANKS: Readonly<Record<Role, number>> = { reader: 0, editor: 1, operator: 2 };

/** Whether who is signed in may do what needs this role. */
export function useMay(least: Role): boolean {
  return mayOpen(useSignedIn().session, least);
}

export function mayOpen({ role }: Session, least: Role): boolean {
  return RANKS[role] >= RANKS[least];
}
