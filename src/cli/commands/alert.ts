import { type Command, idWord, membersOf, requireYes } from '../command.ts';

const COLUMNS = ['id', 'name', 'kind', 'active', 'leastSeverity', 'digestAt', 'quietHours', 'managedBy'];

export const alertCommands: readonly Command[] = [
  {
    name: 'alert list',
    usage: '',
    summary: 'List who is told what is wrong',
    words: [0, 0],
    routes: ['GET /alert-targets'],
    run: async ({ client, print }) => {
      const targets = await (await client()).list('/alert-targets');
      print.rows(targets, COLUMNS, 'nobody yet: fossick alert add <mail|webhook> <name> <member=value…>');
    },
  },
  {
    name: 'alert show',
    usage: '<target>',
    summary: 'Show an alert target, and what became of its last messages',
    words: [1, 1],
    routes: ['GET /alert-targets/:targetId'],
    run: async ({ client, print }, input) =>
      print.record(await (await client()).admin('GET', `/alert-targets/${idWord(input, 0, 'alert target')}`)),
  },
  {
    name: 'alert add',
    usage: '<mail|webhook> <name> <member=value…>',
    summary: 'Make an alert target: mail with to=, a webhook with url=',
    example: `mail ops 'to=["ops@a.example"]' digestAt=07:30`,
    words: [3, 100],
    routes: ['POST /alert-targets'],
    run: async ({ client, print }, input) => {
      const [kind, name, ...members] = input.positionals;
      const made = await (await client()).admin('POST', '/alert-targets', { kind, name, ...membersOf(members) });
      print.record(made);
      print.note(`Next: fossick alert test ${made['id']}`);
    },
  },
  {
    name: 'alert set',
    usage: '<target> <member=value…>',
    summary: 'Change an alert target',
    example: '10 quietHours=22:00-07:00 timeZone=Asia/Tokyo',
    words: [2, 100],
    routes: ['PATCH /alert-targets/:targetId'],
    run: async ({ client, print }, input) => {
      const path = `/alert-targets/${idWord(input, 0, 'alert target')}`;
      print.record(await (await client()).admin('PATCH', path, membersOf(input.positionals.slice(1))));
    },
  },
  {
    name: 'alert remove',
    usage: '<target> --yes',
    summary: 'Remove an alert target',
    words: [1, 1],
    options: { yes: { type: 'boolean' } },
    routes: ['DELETE /alert-targets/:targetId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'alert target');
      requireYes(input, `alert target ${id}`);
      await (await client()).admin('DELETE', `/alert-targets/${id}`);
      print.note(`Alert target ${id} is removed`);
    },
  },
  {
    name: 'alert test',
    usage: '<target> [--digest]',
    summary: 'Send an alert target a message, and show what its receiver says',
    words: [1, 1],
    options: { digest: { type: 'boolean' } },
    routes: ['POST /alert-targets/:targetId/test'],
    run: async ({ client, print, endBadly }, input) => {
      const path = `/alert-targets/${idWord(input, 0, 'alert target')}/test`;
      const message = input.options['digest'] === true ? 'digest' : 'test';
      const tested = await (await client()).admin('POST', path, { message });
      print.record(tested);
      if (tested['taken'] !== true) endBadly();
    },
  },
];
