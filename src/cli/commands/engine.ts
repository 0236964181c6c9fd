import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../core/errors.ts';
import type { Client } from '../client.ts';
import { type Command, changesOfRecord, idWord, membersOf, numberOption, requireYes } from '../command.ts';
import { showWaiting } from '../progress-line.ts';

const COLUMNS = ['id', 'customer', 'name', 'language', 'crawlers', 'managedBy'];

export const engineCommands: readonly Command[] = [
  {
    name: 'engine list',
    usage: '[--customer <id>]',
    summary: 'List engines',
    words: [0, 0],
    options: { customer: { type: 'string' } },
    routes: ['GET /engines'],
    run: async ({ client, print }, input) => {
      const customer = numberOption(input, 'customer');
      const path = customer === undefined ? '/engines' : `/engines?customer=${customer}`;
      print.rows(await (await client()).list(path), COLUMNS, 'no engines: fossick engine add <customer> <name>');
    },
  },
  {
    name: 'engine show',
    usage: '<engine>',
    summary: 'Show an engine with its settings',
    words: [1, 1],
    routes: ['GET /engines/:engineId'],
    run: async ({ client, print }, input) => {
      print.record(await (await client()).admin('GET', `/engines/${idWord(input, 0, 'engine')}`));
    },
  },
  {
    name: 'engine add',
    usage: '<customer> <name> [member=value…] [--id <id>]',
    summary: 'Make an engine',
    example: '3 Docs language=de',
    words: [2, 100],
    options: { id: { type: 'string' } },
    routes: ['POST /engines'],
    run: async ({ client, print }, input) => {
      const [, name, ...members] = input.positionals;
      const id = numberOption(input, 'id');
      const customer = idWord(input, 0, 'customer');
      const body = { ...membersOf(members), customer, name, ...(id !== undefined && { id }) };
      const made = await (await client()).admin('POST', '/engines', body);
      print.record(made);
      print.note(`Next: fossick crawler add ${made['id']} <name> 'seeds=["https://www.example.com/"]'`);
    },
  },
  {
    name: 'engine set',
    usage: '<engine> <member=value…>',
    summary: 'Change settings of an engine',
    example: '6 perPage=20 page.published=true',
    words: [2, 100],
    routes: ['PATCH /engines/:engineId', 'GET /engines/:engineId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'engine');
      const api = await client();
      const { members, tag } = await changesOfRecord(api, `/engines/${id}`, input.positionals.slice(1));
      print.record(await api.patch(`/engines/${id}`, members, tag));
    },
  },
  {
    name: 'engine rebuild',
    usage: '<engine> [--rollback] [--watch]',
    summary: 'Make the index anew, or undo the last rebuild',
    words: [1, 1],
    options: { rollback: { type: 'boolean' }, watch: { type: 'boolean' } },
    routes: ['POST /engines/:engineId/rebuild', 'GET /engines/:engineId/rebuild'],
    run: async (context, input) => {
      const { print } = context;
      const id = idWord(input, 0, 'engine');
      const rollback = input.options['rollback'] === true;
      const path = `/engines/${id}/rebuild`;
      const client = await context.client();
      await client.admin('POST', path, { rollback });
      if (input.options['watch'] !== true) {
        print.note(`Asked for; searches of engine ${id} go on meanwhile. With --watch it is waited for`);
        return;
      }
      const what = rollback ? 'Going back to the index before' : 'Making the index';
      await showWaiting(context, what, untilDone(client, path, context.interruption()));
      print.note(`The index of engine ${id} is ${rollback ? 'the one before' : 'made anew'}`);
    },
  },
  {
    name: 'engine remove',
    usage: '<engine> --yes',
    summary: 'Remove an engine with all that belongs to it',
    words: [1, 1],
    options: { yes: { type: 'boolean' } },
    routes: ['DELETE /engines/:engineId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'engine');
      requireYes(input, `engine ${id} with its crawlers, search tools and documents`);
      await (await client()).admin('DELETE', `/engines/${id}`);
      print.note(`Engine ${id} is removed`);
    },
  },
];

const LOOK_EVERY_MS = 1_000;

/** @throws AppError `internal` when nobody waits any more */
async function untilDone(client: Client, path: string, signal: AbortSignal): Promise<void> {
  while ((await client.admin('GET', path))['work'] !== null) {
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch((cause: unknown) => {
      throw new AppError('internal', 'Not waited for any more; it goes on', { cause });
    });
  }
}
