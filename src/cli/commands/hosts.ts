import { type Command, idWord, numberOption, type Row, textOption } from '../command.ts';

const COLUMNS = ['origin', 'waiting', 'concern', 'heldUntil', 'holdReason', 'failures'];
const DEFAULT_LIMIT = 50;

/** Hosts of a crawler. */
export const hostCommands: readonly Command[] = [
  {
    name: 'crawler hosts',
    usage: '<crawler> [--limit <n>] [--after <next>]',
    summary: 'List hosts and what is wrong with them',
    words: [1, 1],
    options: { limit: { type: 'string' }, after: { type: 'string' } },
    routes: ['GET /crawlers/:crawlerId/hosts'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const query = new URLSearchParams({ limit: String(numberOption(input, 'limit') ?? DEFAULT_LIMIT) });
      const after = textOption(input, 'after');
      if (after !== undefined) query.set('after', after);
      const { items, next } = await (await client()).admin('GET', `/crawlers/${id}/hosts?${query}`);
      print.rows(items as Row[], COLUMNS, `no hosts yet: fossick crawler status ${id}`);
      for (const { origin, cause, advice } of items as Row[]) {
        if (cause !== null) print.note(`${origin}: ${cause}${advice === null ? '' : ` ${advice}`}`);
      }
      if (next !== null) print.note(`More: --after ${next}`);
    },
  },
  hostCommand('release', {
    name: 'crawler release-host',
    summary: 'End the hold of a host, believe its pages for a day',
    done: 'is released',
  }),
  hostCommand('refresh-robots', {
    name: 'crawler refresh-robots',
    summary: 'Have robots.txt of a host read anew',
    done: 'is asked for its robots.txt with its next visit',
  }),
];

function hostCommand(
  action: 'release' | 'refresh-robots',
  { name, summary, done }: { readonly name: string; readonly summary: string; readonly done: string },
): Command {
  return {
    name,
    usage: '<crawler> <origin>',
    summary,
    example: '17 https://www.example.com',
    words: [2, 2],
    routes: [`POST /crawlers/:crawlerId/hosts/${action}`],
    run: async ({ client, print }, input) => {
      const origin = input.positionals[1] ?? '';
      await (await client()).admin('POST', `/crawlers/${idWord(input, 0, 'crawler')}/hosts/${action}`, { origin });
      print.note(`${origin} ${done}`);
    },
  };
}
