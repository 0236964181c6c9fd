import { type Command, idWord, membersOf, numberOption, requireYes } from '../command.ts';

const COLUMNS = ['id', 'name', 'managedBy', 'createdAt'];

export const customerCommands: readonly Command[] = [
  {
    name: 'customer list',
    usage: '',
    summary: 'List customers',
    words: [0, 0],
    routes: ['GET /customers'],
    run: async ({ client, print }) =>
      print.rows(await (await client()).list('/customers'), COLUMNS, 'no customers yet: fossick customer add <name>'),
  },
  {
    name: 'customer show',
    usage: '<customer>',
    summary: 'Show a customer',
    words: [1, 1],
    routes: ['GET /customers/:customerId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'customer');
      print.record(await (await client()).admin('GET', `/customers/${id}`));
    },
  },
  {
    name: 'customer add',
    usage: '<name> [--id <id>]',
    summary: 'Make a customer',
    words: [1, 1],
    options: { id: { type: 'string' } },
    routes: ['POST /customers'],
    run: async ({ client, print }, input) => {
      const id = numberOption(input, 'id');
      const body = { name: input.positionals[0], ...(id !== undefined && { id }) };
      const made = await (await client()).admin('POST', '/customers', body);
      print.record(made);
      print.note(`Next: fossick key add ${made['id']} <name>, fossick engine add ${made['id']} <name>`);
    },
  },
  {
    name: 'customer set',
    usage: '<customer> <member=value…>',
    summary: 'Change a customer',
    example: `3 name="My company"`,
    words: [2, 100],
    routes: ['PATCH /customers/:customerId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'customer');
      print.record(await (await client()).admin('PATCH', `/customers/${id}`, membersOf(input.positionals.slice(1))));
    },
  },
  {
    name: 'customer remove',
    usage: '<customer> --yes',
    summary: 'Remove a customer with all that belongs to it',
    words: [1, 1],
    options: { yes: { type: 'boolean' } },
    routes: ['DELETE /customers/:customerId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'customer');
      requireYes(input, `customer ${id} with its engines, crawlers and documents`);
      await (await client()).admin('DELETE', `/customers/${id}`);
      print.note(`Customer ${id} is removed`);
    },
  },
];
