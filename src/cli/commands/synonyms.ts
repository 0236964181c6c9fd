import { type Command, type Input, idWord } from '../command.ts';
import { queryString } from './pins.ts';

const LIST = '/customers/:customerId/synonyms';
const pathOf = (input: Input) => `/customers/${idWord(input, 0, 'customer')}/synonyms`;
const groupPathOf = (input: Input) => `${pathOf(input)}/${idWord(input, 1, 'synonym')}`;

/** Words that mean the same. */
export const synonymCommands: readonly Command[] = [
  {
    name: 'synonym list',
    usage: '<customer> [word]',
    summary: 'List synonym groups, of a word or all',
    words: [1, 2],
    routes: [`GET ${LIST}`],
    run: async ({ client, print }, input) => {
      const groups = await (await client()).list(`${pathOf(input)}${queryString({ word: input.positionals[1] })}`);
      const rows = print.isJson
        ? groups
        : groups.map((group) => ({ ...group, words: (group['words'] as string[]).join(', ') }));
      print.rows(
        rows,
        ['id', 'language', 'words', 'managedBy'],
        'no groups: fossick synonym add <customer> <language> <words…>',
      );
    },
  },
  {
    name: 'synonym show',
    usage: '<customer> <group>',
    summary: 'Show a synonym group',
    words: [2, 2],
    routes: [`GET ${LIST}/:groupId`],
    run: async ({ client, print }, input) => print.record(await (await client()).admin('GET', groupPathOf(input))),
  },
  {
    name: 'synonym add',
    usage: '<customer> <language> <word…>',
    summary: 'Make a group of words that mean the same',
    example: '3 en power electricity "electric energy"',
    words: [4, 100],
    routes: [`POST ${LIST}`],
    run: async ({ client, print }, input) => {
      const [, language, ...words] = input.positionals;
      print.record(await (await client()).admin('POST', pathOf(input), { language, words }));
    },
  },
  {
    name: 'synonym set',
    usage: '<customer> <group> <word…>',
    summary: 'Replace the words of a synonym group',
    example: '3 4 power electricity current',
    words: [3, 100],
    routes: [`PUT ${LIST}/:groupId`, `GET ${LIST}/:groupId`],
    run: async ({ client, print }, input) => {
      const api = await client();
      const { language } = await api.admin('GET', groupPathOf(input));
      print.record(await api.admin('PUT', groupPathOf(input), { language, words: input.positionals.slice(2) }));
    },
  },
  {
    name: 'synonym remove',
    usage: '<customer> <group>',
    summary: 'Remove a synonym group',
    example: '3 4',
    words: [2, 2],
    routes: [`DELETE ${LIST}/:groupId`],
    run: async ({ client, print }, input) => {
      await (await client()).admin('DELETE', groupPathOf(input));
      print.note(`The synonym group ${input.positionals[1]} is removed`);
    },
  },
];
