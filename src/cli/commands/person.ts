import { AppError } from '../../core/errors.ts';
import type { Client } from '../client.ts';
import {
  type Command,
  type Input,
  membersOf,
  type Printer,
  type Row,
  requireYes,
  textOption,
  wrongUsage,
} from '../command.ts';

const COLUMNS = ['id', 'email', 'name', 'role', 'customers', 'state', 'lastSignInAt', 'managedBy'];
const PERSON = 'GET /people/:personId';
const PEOPLE = 'GET /people';

export const personCommands: readonly Command[] = [
  {
    name: 'person list',
    usage: '',
    summary: 'List the people who may sign in',
    words: [0, 0],
    routes: [PEOPLE],
    run: async ({ client, print }) => {
      const people = await (await client()).list('/people');
      print.rows(people, COLUMNS, 'nobody yet: fossick person invite <mail> --role operator');
    },
  },
  {
    name: 'person invite',
    usage: '<mail> --role <operator|editor|reader> [--customer <customer>…] [--name <name>]',
    summary: 'Let somebody sign in; the link is shown this once',
    example: 'anna@example.org --role editor --customer 3',
    words: [1, 1],
    options: {
      role: { type: 'string' },
      customer: { type: 'string', multiple: true },
      name: { type: 'string' },
    },
    routes: ['POST /people'],
    run: async ({ client, print }, input) => {
      const name = textOption(input, 'name');
      const body = {
        email: input.positionals[0],
        role: textOption(input, 'role'),
        customers: customersOf(input),
        ...(name !== undefined && { name }),
      };
      const connected = await client();
      const made = await connected.admin('POST', '/people', body);
      if (print.isJson) print.record(made);
      else showLink(print, connected, made['link'] as Row);
      print.note(`Give it to ${body.email} now: the link is not stored, and opens once`);
    },
  },
  {
    name: 'person show',
    usage: '<person>',
    summary: 'Show a person, by id or mail address',
    example: 'anna@example.org',
    words: [1, 1],
    routes: [PERSON, PEOPLE],
    run: async ({ client, print }, input) => {
      const connected = await client();
      print.record(await connected.admin('GET', `/people/${await personId(connected, input)}`));
    },
  },
  {
    name: 'person set',
    usage: '<person> <member=value…>',
    summary: 'Change name, role or customers of a person, or disable one',
    example: 'anna@example.org role=reader customers=[3]',
    words: [2, 100],
    routes: ['PATCH /people/:personId', PEOPLE],
    run: async ({ client, print }, input) => {
      const connected = await client();
      const members = membersOf(input.positionals.slice(1));
      print.record(await connected.admin('PATCH', `/people/${await personId(connected, input)}`, members));
    },
  },
  {
    name: 'person remove',
    usage: '<person> --yes',
    summary: 'Remove a person',
    words: [1, 1],
    options: { yes: { type: 'boolean' } },
    routes: ['DELETE /people/:personId', PEOPLE],
    run: async ({ client, print }, input) => {
      requireYes(input, `person ${input.positionals[0]}`);
      const connected = await client();
      await connected.admin('DELETE', `/people/${await personId(connected, input)}`);
      print.note(`${input.positionals[0]} is removed`);
    },
  },
  {
    name: 'person link',
    usage: '<person>',
    summary: 'Make a link for a forgotten password; it is shown this once',
    words: [1, 1],
    routes: ['POST /people/:personId/link', PEOPLE],
    run: async ({ client, print }, input) => {
      const connected = await client();
      const link = await connected.admin('POST', `/people/${await personId(connected, input)}/link`);
      if (print.isJson) print.record(link);
      else showLink(print, connected, link);
    },
  },
  {
    name: 'person sign-out',
    usage: '<person>',
    summary: 'End all sessions of a person',
    words: [1, 1],
    routes: ['DELETE /people/:personId/sessions', PEOPLE],
    run: async ({ client, print }, input) => {
      const connected = await client();
      print.record(await connected.admin('DELETE', `/people/${await personId(connected, input)}/sessions`));
    },
  },
];

/** Without PUBLIC_URL it leads to where the command has found the admin API. */
function showLink(print: Printer, { adminUrl }: Client, { url, path, expiresAt }: Row): void {
  print.record({ link: url ?? `${adminUrl}${path}`, expiresAt });
}

/** @throws AppError `request.invalid` */
function customersOf({ options }: Input): readonly number[] {
  const words = [options['customer'] ?? []].flat().map(String);
  const wrong = words.find((word) => !/^[1-9][0-9]{0,9}$/.test(word));
  if (wrong !== undefined)
    throw wrongUsage(`--customer must be an id such as "fossick customer list" shows, not ${wrong}`);
  return words.map(Number);
}

/** @throws AppError `record.not-found` */
async function personId(client: Client, { positionals: [word = ''] }: Input): Promise<unknown> {
  if (/^[1-9][0-9]{0,15}$/.test(word)) return word;
  const people = await client.list('/people');
  const found = people.find(({ email }) => email === word.trim().toLowerCase());
  if (found === undefined) throw new AppError('record.not-found', `There is nobody with the mail address ${word}`);
  return found['id'];
}
