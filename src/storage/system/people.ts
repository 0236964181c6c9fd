import type { Person } from '../../core/records.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { Actor } from './accounts.ts';
import { addAuditRow } from './audit.ts';
import { personActor, signOut, toPerson, unknownPerson } from './person-records.ts';

/** A person as lists show one. */
export type ListedPerson = Person & {
  /** Sessions that are open. */
  readonly sessions: number;
  /** Of the link that sets a password, while there is one. */
  readonly linkExpiresAt: number | undefined;
};

/** `passwordHash` undefined: has none yet. */
export type PersonSecret = { readonly person: Person; readonly passwordHash: string | undefined };

/** A token is known by its SHA-256 only: hexadecimal, lower case. */
type Token = { readonly sha256: string; readonly at: number };
/** Sessions that nobody has used since `usedAfter` are over. */
export type SessionLookUp = Token & { readonly usedAfter: number };
export type SignInSession = {
  readonly person: Person;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly expiresAt: number;
};

export const SIGN_IN_METHODS = ['password', 'oidc', 'link'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export type NewSession = SessionLookUp & { readonly expiresAt: number };
type OpenSession = NewSession & {
  readonly personId: number;
  readonly method: SignInMethod;
  /** Only when it is the person's still. */
  readonly passwordHash?: string;
};

/** `first`: whoever takes it becomes the first operator; there is nobody yet. */
export type InvitationKind = 'first' | 'invitation' | 'password';
export type Invitation = {
  readonly kind: InvitationKind;
  readonly person: Person | undefined;
  readonly expiresAt: number;
};

type NewInvitation = Token & {
  readonly actor: Actor;
  /** Undefined: for the first operator. */
  readonly personId: number | undefined;
  readonly expiresAt: number;
};

export type AcceptedInvitation = Token & {
  /** Of the first operator. */
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly passwordHash: string;
  readonly session: NewSession;
};

type EndSessions = { readonly actor: Actor; readonly personId: number; readonly at: number };

type ChangePassword = {
  readonly personId: number;
  readonly from: string;
  readonly to: string;
  readonly at: number;
  /** Digest of the session that goes on. */
  readonly keep: string;
};

/**
 * Part of the port `SystemStore`: people, their sessions and links. People are made, changed and removed by
 * `changeRecords`. Promises:
 * - a person is found by id and by mail address; lists ascend by id and begin after one;
 * - an address is one person's: a change that names it changes that person, one made from `none` is `record.conflict`;
 * - a change of role or customers, disabling and removing end the sessions of the person in the same commit; disabling
 *   and removing end the link, too;
 * - a person who is removed as one version is removed only while that version is the present one: `record.changed`;
 * - the last operator cannot be removed, disabled or given another role, nor the last who has ever signed in:
 *   `record.conflict`;
 * - a session opens only for a person who is not disabled and whose password is the one that was checked; it is found
 *   until it expires, nobody has used it for too long, it is ended or the person disabled; sessions that are over are
 *   dropped when another one opens, and of one person the newest 20 are kept;
 * - signing in, out and by a link are in the audit log, in the same commit;
 * - a person has one link at a time: a new one takes the place of the former; a link is taken once and before it expires,
 *   sets the password, ends all sessions of the person and opens the new one, in one commit;
 * - the link for the first operator is taken only while there is nobody, and makes that person;
 * - a new password of a person, in place of the one that was checked, ends the other sessions;
 * - a hash of the same password in another form takes the place of exactly the one that was checked, without a trace;
 * - no call gives back a token; what does not exist is `undefined`, 0 or false.
 */
export interface PeopleStore {
  listPeople(input: { readonly after: number; readonly limit: number } & NowAndIdle): Promise<readonly ListedPerson[]>;
  hasPeople(): Promise<boolean>;
  findPerson(id: number): Promise<Person | undefined>;
  findPersonByEmail(email: string): Promise<PersonSecret | undefined>;
  findSession(lookUp: SessionLookUp): Promise<SignInSession | undefined>;
  findInvitation(token: Token): Promise<Invitation | undefined>;
  /** True when it is open. */
  openSession(session: OpenSession): Promise<boolean>;
  touchSession(token: Token): Promise<void>;
  /** True when there was one. */
  endSession(token: Token): Promise<boolean>;
  /** How many there were. */
  endSessions(input: EndSessions): Promise<number>;
  /** @throws AppError `record.not-found` */
  putInvitation(invitation: NewInvitation): Promise<void>;
  /** The person, undefined when the link opens nothing. @throws AppError `record.conflict` for the address of another */
  acceptInvitation(accepted: AcceptedInvitation): Promise<number | undefined>;
  /** True when it was changed. */
  changePassword(change: ChangePassword): Promise<boolean>;
  replacePasswordHash(input: Pick<ChangePassword, 'personId' | 'from' | 'to'>): Promise<void>;
}

type NowAndIdle = { readonly at: number; readonly usedAfter: number };

const RETAINED_SESSIONS = 20;
const PEOPLE = systemSql.selectFrom('people').selectAll();

function sessionsInUse({ at, usedAfter }: NowAndIdle) {
  return systemSql.selectFrom('sessions').where('expires_at', '>', at).where('used_at', '>', usedAfter);
}

/** Write operation. */
function* openSession({ personId, method, passwordHash, ...session }: OpenSession): Operation<boolean> {
  const row = yield* fetchFirst(PEOPLE.where('id', '=', personId).where('disabled_at', 'is', null));
  if (row === undefined || (passwordHash !== undefined && row.password_hash !== passwordHash)) return false;
  yield* addSession(personId, session);
  const actor = personActor(row);
  const target = `person:${personId}`;
  yield* addAuditRow({ at: session.at, actor, action: 'sign-in', target, after: { method } });
  return true;
}

function* addSession(personId: number, { sha256, at, usedAfter, expiresAt }: NewSession): Operation<void> {
  yield* execute(
    systemSql
      .deleteFrom('sessions')
      .where((session) => session.or([session('expires_at', '<=', at), session('used_at', '<=', usedAfter)])),
  );
  const row = { token_sha256: sha256, person_id: personId, created_at: at, used_at: at, expires_at: expiresAt };
  yield* execute(systemSql.insertInto('sessions').values(row));
  const newest = systemSql
    .selectFrom('sessions')
    .select('token_sha256')
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .limit(RETAINED_SESSIONS);
  const older = systemSql.deleteFrom('sessions').where('person_id', '=', personId);
  yield* execute(older.where('token_sha256', 'not in', newest));
  yield* execute(systemSql.updateTable('people').set({ last_sign_in_at: at }).where('id', '=', personId));
}

/** Write operation. */
function* touchSession({ sha256, at }: Token): Operation<void> {
  yield* execute(systemSql.updateTable('sessions').set({ used_at: at }).where('token_sha256', '=', sha256));
}

/** Write operation. */
function* endSession({ sha256, at }: Token): Operation<boolean> {
  const session = systemSql.selectFrom('sessions').select('person_id').where('token_sha256', '=', sha256);
  const row = yield* fetchFirst(PEOPLE.where('id', '=', session));
  if (row === undefined) return false;
  yield* execute(systemSql.deleteFrom('sessions').where('token_sha256', '=', sha256));
  yield* addAuditRow({ at, actor: personActor(row), action: 'sign-out', target: `person:${row.id}` });
  return true;
}

/** Write operation. */
function* endSessions({ actor, personId, at }: EndSessions): Operation<number> {
  const sessions = yield* signOut(personId);
  if (sessions === 0) return 0;
  yield* addAuditRow({ at, actor, action: 'end-sessions', target: `person:${personId}`, after: { sessions } });
  return sessions;
}

/** Write operation. */
function* putInvitation({ actor, personId, sha256, at, expiresAt }: NewInvitation): Operation<void> {
  const former = systemSql.deleteFrom('invitations');
  if (personId === undefined) {
    yield* execute(former.where('person_id', 'is', null));
  } else {
    if ((yield* fetchFirst(PEOPLE.where('id', '=', personId))) === undefined) throw unknownPerson(personId);
    yield* execute(former.where('person_id', '=', personId));
  }
  const row = { token_sha256: sha256, person_id: personId ?? null, created_at: at, expires_at: expiresAt };
  yield* execute(systemSql.insertInto('invitations').values(row));
  const target = personId === undefined ? 'installation' : `person:${personId}`;
  yield* addAuditRow({ at, actor, action: 'make-link', target });
}

function* readInvitation({ sha256, at }: Token): Operation<Invitation | undefined> {
  const open = systemSql.selectFrom('invitations').selectAll().where('expires_at', '>', at);
  const row = yield* fetchFirst(open.where('token_sha256', '=', sha256));
  if (row === undefined) return undefined;
  const expiresAt = row.expires_at;
  if (row.person_id === null) {
    return (yield* fetchFirst(PEOPLE)) === undefined ? { kind: 'first', person: undefined, expiresAt } : undefined;
  }
  const person = yield* fetchFirst(PEOPLE.where('id', '=', row.person_id).where('disabled_at', 'is', null));
  if (person === undefined) return undefined;
  return { kind: person.password_hash === null ? 'invitation' : 'password', person: toPerson(person), expiresAt };
}

/** Write operation. */
function* acceptInvitation(accepted: AcceptedInvitation): Operation<number | undefined> {
  const { at, sha256, name, passwordHash: password_hash, session } = accepted;
  const invitation = yield* readInvitation({ sha256, at });
  if (invitation === undefined) return undefined;
  const id = invitation.person?.id ?? (yield* addFirstOperator(accepted));
  yield* execute(systemSql.deleteFrom('invitations').where('token_sha256', '=', sha256));
  yield* signOut(id);
  const named = name === undefined ? {} : { name };
  yield* execute(
    systemSql
      .updateTable('people')
      .set({ ...named, password_hash })
      .where('id', '=', id),
  );
  yield* addSession(id, session);
  const row = yield* fetchFirst(PEOPLE.where('id', '=', id));
  const actor = row === undefined ? '' : personActor(row);
  const action = invitation.kind === 'password' ? 'set-password' : 'accept-invitation';
  yield* addAuditRow({ at, actor, action, target: `person:${id}` });
  return id;
}

function* addFirstOperator({ email = '', at }: AcceptedInvitation): Operation<number> {
  const row = { email, role: 'operator', customers: '[]', created_at: at };
  const rest = { name: null, disabled_at: null, managed_by: null };
  return (yield* execute(systemSql.insertInto('people').values({ ...row, ...rest }))).lastId;
}

/** Write operation. */
function* changePassword({ personId, from, to, at, keep }: ChangePassword): Operation<boolean> {
  if (!(yield* replaceHash({ personId, from, to }))) return false;
  yield* signOut(personId, keep);
  const row = yield* fetchFirst(PEOPLE.where('id', '=', personId));
  const actor = row === undefined ? '' : personActor(row);
  yield* addAuditRow({ at, actor, action: 'set-password', target: `person:${personId}` });
  return true;
}

function* replaceHash({ personId, from, to }: Pick<ChangePassword, 'personId' | 'from' | 'to'>): Operation<boolean> {
  const person = systemSql.updateTable('people').set({ password_hash: to }).where('id', '=', personId);
  return (yield* execute(person.where('password_hash', '=', from))).changes > 0;
}

export const peopleStore = defineStore<PeopleStore>()(
  {
    *listPeople({ after, limit, ...now }) {
      const rows = yield* fetchAll(PEOPLE.where('id', '>', after).orderBy('id').limit(limit));
      if (rows.length === 0) return [];
      const ids = rows.map(({ id }) => id);
      const open = sessionsInUse(now).where('person_id', 'in', ids).groupBy('person_id');
      const counts = yield* fetchAll(open.select(({ fn }) => ['person_id as id', fn.countAll<number>().as('count')]));
      const links = yield* fetchAll(
        systemSql
          .selectFrom('invitations')
          .select(['person_id as id', 'expires_at as expiresAt'])
          .where('person_id', 'in', ids)
          .where('expires_at', '>', now.at),
      );
      return rows.map((row) => ({
        ...toPerson(row),
        sessions: counts.find(({ id }) => id === row.id)?.count ?? 0,
        linkExpiresAt: links.find(({ id }) => id === row.id)?.expiresAt,
      }));
    },
    *hasPeople() {
      return (yield* fetchFirst(PEOPLE.limit(1))) !== undefined;
    },
    *findPerson(id) {
      const row = yield* fetchFirst(PEOPLE.where('id', '=', id));
      return row && toPerson(row);
    },
    *findPersonByEmail(email) {
      const row = yield* fetchFirst(PEOPLE.where('email', '=', email));
      return row && { person: toPerson(row), passwordHash: row.password_hash ?? undefined };
    },
    *findSession({ sha256, ...now }) {
      const session = yield* fetchFirst(sessionsInUse(now).selectAll().where('token_sha256', '=', sha256));
      if (session === undefined) return undefined;
      const row = yield* fetchFirst(PEOPLE.where('id', '=', session.person_id).where('disabled_at', 'is', null));
      if (row === undefined) return undefined;
      const { created_at: createdAt, used_at: usedAt, expires_at: expiresAt } = session;
      return { person: toPerson(row), createdAt, usedAt, expiresAt };
    },
    findInvitation: readInvitation,
  },
  {
    openSession,
    touchSession,
    endSession,
    endSessions,
    putInvitation,
    acceptInvitation,
    changePassword,
    *replacePasswordHash(input) {
      yield* replaceHash(input);
    },
  },
);
