import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { AppError, invalidRequest } from '../core/errors.ts';
import type { Person } from '../core/records.ts';
import type { Invitation, NewSession, PeopleStore, SignInSession } from '../storage/system/people.ts';
import { RECORD_NAME, requireRecord } from './account-change.ts';
import { digestOf } from './manage-keys.ts';
import { MAX_PASSWORD_CHARS, PASSWORD, refuseWeakPassword } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { parseStrictly, problemAt } from './problems.ts';

export type SignInDeps = { readonly store: PeopleStore; readonly clock: Clock; readonly passwords: Passwords };

/** The token is shown this once: only its digest is stored. */
export type SignedIn = { readonly person: Person; readonly token: string; readonly expiresAt: number };

const HOUR_MS = 3_600_000;
/** A day's work with a long lunch; OWASP session management asks for an end of both kinds. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_MS = 30 * 24 * HOUR_MS;
/** A session in use is written once in so long. */
const TOUCH_MS = 60_000;
const TOKEN_BYTES = 32;

const MAX_EMAIL_CHARS = 254;
const MAX_TOKEN_CHARS = 100;
/** Longest address of RFC 5321; whether it exists shows when somebody takes the link. */
export const EMAIL = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_CHARS, { abort: true })
  .regex(/^[^\s@\p{C}"<>,;]{1,64}@[^\s@\p{C}"<>,;]{1,190}$/u, 'must be a mail address such as anna@example.org');

export const CREDENTIALS = z.strictObject({
  email: z.string().max(MAX_EMAIL_CHARS),
  password: z.string().max(MAX_PASSWORD_CHARS),
});
export type SentCredentials = z.infer<typeof CREDENTIALS>;

/** A new token, of 256 random bits. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Opens a session; undefined for a wrong mail address, a wrong password and a person who is disabled, which look alike
 * and take the same time. @throws AppError `rate.exceeded`
 */
export async function signIn(deps: SignInDeps, { email, password }: SentCredentials): Promise<SignedIn | undefined> {
  const { store, passwords } = deps;
  const known = await store.findPersonByEmail(normalEmail(email));
  const stored = known?.person.disabledAt === undefined ? known?.passwordHash : undefined;
  const verdict = await passwords.verify(password, stored);
  if (known === undefined || stored === undefined || verdict === 'wrong') return undefined;
  const { id: personId } = known.person;
  const { session, token, expiresAt } = newSession(deps);
  const isOpen = await store.openSession({ ...session, personId, method: 'password', passwordHash: stored });
  if (!isOpen) return undefined;
  if (verdict === 'outdated') {
    await store.replacePasswordHash({ personId, from: stored, to: await passwords.hash(password) });
  }
  return { person: known.person, token, expiresAt };
}

/** Opens a session for who was invited and not disabled, as a provider has proved the address; makes nobody. */
export async function signInByIdentity(
  deps: Pick<SignInDeps, 'store' | 'clock'>,
  email: string,
): Promise<SignedIn | 'unknown' | 'disabled'> {
  const known = await deps.store.findPersonByEmail(normalEmail(email));
  if (known === undefined) return 'unknown';
  const { person } = known;
  const { session, token, expiresAt } = newSession(deps);
  const isOpen = await deps.store.openSession({ ...session, personId: person.id, method: 'oidc' });
  return isOpen ? { person, token, expiresAt } : 'disabled';
}

/** How an address is stored and looked up. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whose session it is, undefined when it is over. In use it goes on. */
export async function findSignedIn(
  { store, clock }: Pick<SignInDeps, 'store' | 'clock'>,
  token: string,
): Promise<SignInSession | undefined> {
  const at = clock.now();
  const sha256 = digestOf(token);
  const session = await store.findSession({ sha256, at, usedAfter: at - SESSION_IDLE_MS });
  if (session !== undefined && at - session.usedAt > TOUCH_MS) await store.touchSession({ sha256, at });
  return session;
}

export async function signOut({ store, clock }: Pick<SignInDeps, 'store' | 'clock'>, token: string): Promise<void> {
  await store.endSession({ sha256: digestOf(token), at: clock.now() });
}

export const OWN_PASSWORD = z.strictObject({ current: z.string().max(MAX_PASSWORD_CHARS), password: PASSWORD });

/**
 * Sets one's own password and ends one's other sessions; undefined when the present one was wrong.
 * @throws AppError `request.invalid` for a weak one
 */
export async function changeOwnPassword(
  deps: SignInDeps,
  { email, token, sent }: { readonly email: string; readonly token: string; readonly sent: unknown },
): Promise<true | undefined> {
  const { store, passwords, clock } = deps;
  const { current, password } = parseStrictly(OWN_PASSWORD, sent);
  refuseWeakPassword(password, email);
  const known = await store.findPersonByEmail(email);
  const from = known?.passwordHash;
  if ((await passwords.verify(current, from)) === 'wrong' || known === undefined || from === undefined)
    return undefined;
  const to = await passwords.hash(password);
  const change = { personId: known.person.id, from, to, at: clock.now(), keep: digestOf(token) };
  return (await store.changePassword(change)) || undefined;
}

export const LINK = z.strictObject({ token: z.string().max(MAX_TOKEN_CHARS) });
export const ACCEPTED_LINK = z.strictObject({
  token: z.string().max(MAX_TOKEN_CHARS),
  email: EMAIL.optional().describe('Of the first operator; an invitation has one.'),
  name: RECORD_NAME.optional(),
  password: PASSWORD,
});

/** @throws AppError `record.not-found` for a link that was used or replaced, or is too old */
export async function readLink(
  { store, clock }: Pick<SignInDeps, 'store' | 'clock'>,
  token: string,
): Promise<Invitation> {
  const invitation = await store.findInvitation({ sha256: digestOf(token), at: clock.now() });
  if (invitation === undefined) throw new AppError('record.not-found', NO_LINK);
  return invitation;
}

const NO_LINK = 'This link was used or replaced, or is too old: ask for a new one';

/**
 * Sets the password, and name, of whom the link is for, and opens a session.
 * @throws AppError `request.invalid` · `record.not-found` · `record.conflict` · `rate.exceeded`
 */
export async function acceptLink(deps: SignInDeps, sent: unknown): Promise<SignedIn> {
  const { store, passwords, clock } = deps;
  const { token, email, name, password } = parseStrictly(ACCEPTED_LINK, sent);
  const { kind, person } = await readLink(deps, token);
  const address = kind === 'first' ? email : person?.email;
  if (address === undefined) throw invalidRequest([problemAt(['email'], 'is required')]);
  if (kind !== 'first' && email !== undefined)
    throw invalidRequest([problemAt(['email'], 'is that of the invitation')]);
  if (name === undefined && person?.name === undefined) throw invalidRequest([problemAt(['name'], 'is required')]);
  refuseWeakPassword(password, address);
  const passwordHash = await passwords.hash(password);
  const { session, token: sessionToken, expiresAt } = newSession(deps);
  const accepted = { sha256: digestOf(token), at: clock.now(), email, name, passwordHash, session };
  const id = await store.acceptInvitation(accepted);
  if (id === undefined) throw new AppError('record.not-found', NO_LINK);
  const signedIn = requireRecord('person', id, await store.findPerson(id));
  return { person: signedIn, token: sessionToken, expiresAt };
}

function newSession({ clock }: Pick<SignInDeps, 'clock'>) {
  const token = newToken();
  const at = clock.now();
  const expiresAt = at + SESSION_MS;
  const session: NewSession = { sha256: digestOf(token), at, usedAfter: at - SESSION_IDLE_MS, expiresAt };
  return { token, expiresAt, session };
}
