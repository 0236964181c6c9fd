import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LINK_PATH } from '../../accounts/first-operator.ts';
import {
  changePerson,
  endSessions,
  invitePerson,
  listPeople,
  makeLink,
  type NewLink,
  type PeopleDeps,
  readPerson,
  removePerson,
} from '../../accounts/manage-people.ts';
import { ROLES } from '../../core/records.ts';
import type { ListedPerson } from '../../storage/system/people.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { actorOf, sentBy } from './access.ts';
import { isMatched, sendTagged } from './record-tag.ts';
import { idOf, LIST_QUERY, queryOf } from './requests.ts';
import { MANAGED_BY, TIME, timeText } from './responses.ts';

export type PeopleRouteDeps = PeopleDeps & {
  /** Where visitors reach the api; undefined when the operator has not said so. */
  readonly publicUrl: string | undefined;
};

export const PEOPLE_LIST = z.strictObject(LIST_QUERY);

const STATES = ['invited', 'active', 'disabled'] as const;
export const PERSON_BODY = z
  .object({
    id: z.int(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(ROLES),
    customers: z.array(z.int()).describe('Those of an editor or reader; an operator has none, and sees all.'),
    state: z.enum(STATES),
    managedBy: MANAGED_BY,
    createdAt: TIME,
    lastSignInAt: TIME.nullable(),
    linkExpiresAt: TIME.nullable().describe('Of the link that sets a password, while there is one.'),
    sessions: z.int().describe('Those that are open.'),
  })
  .meta({ id: 'Person' });

export const NEW_LINK_BODY = z
  .object({
    path: z.string().describe('Shown this once.'),
    url: z.string().nullable().describe('With PUBLIC_URL in front of it.'),
    expiresAt: TIME,
  })
  .meta({ id: 'NewLink' });
export const INVITED_BODY = z.object({ person: PERSON_BODY, link: NEW_LINK_BODY }).meta({ id: 'InvitedPerson' });
export const ENDED_SESSIONS_BODY = z.object({ ended: z.int() }).meta({ id: 'EndedSessions' });

/** Who signs in, and what they may do. */
export function peopleRoutes(deps: PeopleRouteDeps): FastifyPluginAsync {
  const found = (request: FastifyRequest) => readPerson(deps, idOf(request, 'personId'));
  return async (app) => {
    app.get('/people', async (request) => {
      const { limit, after = 0 } = queryOf(PEOPLE_LIST, request);
      const people = await listPeople(deps, { after, limit: limit + 1 });
      const items = people.slice(0, limit);
      return { items: items.map(personBody), next: people.length > limit ? (items.at(-1)?.id ?? null) : null };
    });

    app.post('/people', async (request, reply) => {
      const { person, link } = await invitePerson(deps, sentBy(request));
      reply.code(201);
      return { person: personBody(person), link: linkBody(deps, link) } satisfies Shown<typeof INVITED_BODY>;
    });

    app.get('/people/:personId', async (request, reply) => {
      const person = await found(request);
      return sendTagged(reply, personBody(person), editable(person));
    });

    app.patch('/people/:personId', async (request, reply) => {
      const person = await found(request);
      const matched = isMatched(request, editable(person));
      const changed = await changePerson(deps, { ...sentBy(request), person, isMatched: matched });
      return sendTagged(reply, personBody(changed), editable(changed));
    });

    app.delete('/people/:personId', async (request, reply) => {
      const person = await found(request);
      const matched = isMatched(request, editable(person));
      await removePerson(deps, { actor: actorOf(request), person, isMatched: matched });
      return reply.code(204).send();
    });

    app.post('/people/:personId/link', async (request, reply) => {
      const link = await makeLink(deps, { actor: actorOf(request), id: idOf(request, 'personId') });
      reply.code(201);
      return linkBody(deps, link);
    });

    app.delete('/people/:personId/sessions', async (request) => {
      const ended = await endSessions(deps, { actor: actorOf(request), id: idOf(request, 'personId') });
      return { ended } satisfies Shown<typeof ENDED_SESSIONS_BODY>;
    });
  };
}

function personBody(person: ListedPerson): Shown<typeof PERSON_BODY> {
  return {
    id: person.id,
    email: person.email,
    name: person.name ?? null,
    role: person.role,
    customers: person.customers,
    state: stateOf(person),
    managedBy: person.managedBy ?? null,
    createdAt: timeText(person.createdAt),
    lastSignInAt: timeText(person.lastSignInAt),
    linkExpiresAt: timeText(person.linkExpiresAt),
    sessions: person.sessions,
  };
}

function stateOf({ disabledAt, hasPassword, lastSignInAt }: ListedPerson): (typeof STATES)[number] {
  if (disabledAt !== undefined) return 'disabled';
  return hasPassword || lastSignInAt !== undefined ? 'active' : 'invited';
}

/** What an operator changes of a person; sessions come and go by themselves. */
function editable({ id, name, role, customers, disabledAt, managedBy }: ListedPerson): object {
  return { id, name, role, customers, disabledAt, managedBy };
}

function linkBody({ publicUrl }: PeopleRouteDeps, { token, expiresAt }: NewLink): Shown<typeof NEW_LINK_BODY> {
  const path = `${LINK_PATH}${token}`;
  return { path, url: publicUrl === undefined ? null : new URL(path, publicUrl).href, expiresAt: timeText(expiresAt) };
}
