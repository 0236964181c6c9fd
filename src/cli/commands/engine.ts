import { type Command, changesOfRecord, idWord, membersOf, numberOption, requireYes } from '../command.ts';

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
    usage: '<engine> [--rollback]',
    summary: 'Make the index anew, or undo the last rebuild',
    words: [1, 1],
    options: { rollback: { type: 'boolean' } },
    routes: ['POST /engines/:engineId/rebuild'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'engine');
      const rollback = input.options['rollback'] === true;
      await (await client()).admin('POST', `/engines/${id}/rebuild`, { rollback });
      print.note(`Asked for; searches of engine ${id} go on meanwhile. The log of the indexer tells when it is done`);
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
