import { type Command, idWord, textOption } from '../command.ts';

const COLUMNS = ['id', 'name', 'last4', 'scopes', 'createdAt', 'lastUsedOn', 'expiresAt', 'revokedAt', 'managedBy'];

export const keyCommands: readonly Command[] = [
  {
    name: 'key list',
    usage: '<customer>',
    summary: 'List the API keys of a customer',
    words: [1, 1],
    routes: ['GET /customers/:customerId/keys'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'customer');
      const keys = await (await client()).list(`/customers/${id}/keys`);
      print.rows(keys, COLUMNS, `no keys yet: fossick key add ${id} <name>`);
    },
  },
  {
    name: 'key add',
    usage: '<customer> <name> [--scopes <scope,…>] [--expires <time>]',
    summary: 'Make an API key; it is shown this once',
    example: '3 cms --scopes documents,urls',
    words: [2, 2],
    options: { expires: { type: 'string' }, scopes: { type: 'string' } },
    routes: ['POST /customers/:customerId/keys'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'customer');
      const expiresAt = textOption(input, 'expires');
      const scopes = textOption(input, 'scopes')
        ?.split(',')
        .map((scope) => scope.trim());
      const body = {
        name: input.positionals[1],
        ...(expiresAt !== undefined && { expiresAt }),
        ...(scopes !== undefined && { scopes }),
      };
      print.record(await (await client()).admin('POST', `/customers/${id}/keys`, body));
      print.note('Keep the key now: only its digest is stored');
    },
  },
  {
    name: 'key revoke',
    usage: '<customer> <key>',
    summary: 'Revoke an API key, by its id',
    words: [2, 2],
    routes: ['DELETE /customers/:customerId/keys/:keyId'],
    run: async ({ client, print }, input) => {
      const path = `/customers/${idWord(input, 0, 'customer')}/keys/${idWord(input, 1, 'key')}`;
      await (await client()).admin('DELETE', path);
      print.note(`Key ${input.positionals[1]} is revoked`);
    },
  },
];
