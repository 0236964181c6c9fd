import { CHANGED_PERSON, NEW_PERSON } from '../../accounts/manage-people.ts';
import { ACCEPTED_LINK, CREDENTIALS, LINK, OWN_PASSWORD } from '../../accounts/sign-in.ts';
import { OIDC_START } from '../admin/oidc.ts';
import { ENDED_SESSIONS_BODY, INVITED_BODY, NEW_LINK_BODY, PEOPLE_LIST, PERSON_BODY } from '../admin/people.ts';
import { LINK_BODY, SESSION_BODY, SIGN_IN_BODY } from '../admin/session.ts';
import { section } from './admin-operations.ts';
import type { Operations } from './operation.ts';

const people = section('People');

const COOKIE = { 'Set-Cookie': '`fossick_session`, for `/admin`: no script reads it.' };

/** Signing in, and who may, below the prefix of the admin API. */
export const PEOPLE_OPERATIONS: Operations = {
  'GET /sign-in': {
    ...people.shows('showSignIn', 'Tells how one can sign in', { record: SIGN_IN_BODY }),
    isOpen: true,
  },
  'POST /session': {
    ...people.sends('signIn', 'Signs in by mail address and password', {
      description: 'Failures wait longer and longer, for each address and for each person.',
      body: CREDENTIALS,
      answer: { about: 'Who is signed in', schema: SESSION_BODY, headers: COOKIE },
      errors: ['auth.invalid', 'auth.forbidden', 'rate.exceeded'],
    }),
    isOpen: true,
  },
  'GET /session': people.shows('showSession', 'Tells who asks, and what is theirs', { record: SESSION_BODY }),
  'DELETE /session': {
    ...people.removes('signOut', 'Ends the session of the cookie', { errors: ['auth.forbidden'] }),
    isOpen: true,
  },
  'PUT /session/password': people.sends('setOwnPassword', 'Sets one’s own password, and ends one’s other sessions', {
    body: OWN_PASSWORD,
    answer: { status: 204, about: 'It is done' },
    errors: ['auth.forbidden', 'rate.exceeded'],
  }),
  'POST /invitation': {
    ...people.shows('showInvitation', 'Tells for whom a link is', {
      body: LINK,
      errors: ['record.not-found', 'auth.forbidden'],
      record: LINK_BODY,
    }),
    isOpen: true,
  },
  'POST /invitation/accept': {
    ...people.sends('acceptInvitation', 'Takes a link: sets name and password, and signs in', {
      body: ACCEPTED_LINK,
      answer: { about: 'Who is signed in', schema: SESSION_BODY, headers: COOKIE },
      errors: ['record.not-found', 'record.conflict', 'auth.forbidden', 'rate.exceeded'],
    }),
    isOpen: true,
  },
  'GET /oidc/start': {
    ...people.sends('startOidc', 'Sends the browser to the identity provider', {
      query: OIDC_START,
      answer: { status: 302, about: 'To the provider' },
      errors: ['feature.disabled'],
    }),
    isOpen: true,
  },
  'GET /oidc/callback': {
    ...people.sends('finishOidc', 'Takes the answer of the identity provider, and signs in who was invited', {
      answer: { status: 302, about: 'To where it began, or to the page that signs in, with what is wrong' },
    }),
    isOpen: true,
  },
  'GET /people': people.lists('listPeople', 'Lists people', { query: PEOPLE_LIST, record: PERSON_BODY }),
  'POST /people': people.makes('invitePerson', 'Makes a person and the link of the invitation', {
    body: NEW_PERSON,
    record: INVITED_BODY,
  }),
  'GET /people/:personId': people.shows('showPerson', 'Shows a person', { record: PERSON_BODY }),
  'PATCH /people/:personId': people.shows('changePerson', 'Changes a person; one who loses a right is signed out', {
    body: CHANGED_PERSON,
    errors: ['record.changed'],
    record: PERSON_BODY,
  }),
  'DELETE /people/:personId': people.removes('removePerson', 'Removes a person', { errors: ['record.changed'] }),
  'POST /people/:personId/link': people.makes('makePersonLink', 'Makes a new link, for a new password', {
    description: 'The former link is void.',
    record: NEW_LINK_BODY,
  }),
  'DELETE /people/:personId/sessions': people.shows('endPersonSessions', 'Ends all sessions of a person', {
    record: ENDED_SESSIONS_BODY,
  }),
};
