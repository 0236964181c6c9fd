import type { Client } from '../client.ts';
import {
  type Command,
  type Input,
  idWord,
  numberOption,
  type Printer,
  type Row,
  textOption,
  wrongUsage,
} from '../command.ts';

const COLUMNS = ['rid', 'class', 'cause', 'at', 'url'];
const GROUP_COLUMNS = ['count', 'class', 'cause', 'host', 'pattern', 'samples'];
const DEFAULT_LIMIT = 50;
const GROUP = ['class', 'cause', 'host', 'pattern'] as const;
const text = { type: 'string' } as const;
const choice = {
  ...Object.fromEntries(GROUP.map((name) => [name, text])),
  run: text,
  all: { type: 'boolean' },
} as const;

/** Documents that left or wait to leave. */
export const removalCommands: readonly Command[] = [
  {
    name: 'crawler removals',
    usage: '<crawler> [--state held|removed|undone] [--groups] [--limit <n>] [--after <next>]',
    summary: 'List documents that wait to leave, or that left',
    example: '17 --groups',
    words: [1, 1],
    options: { state: text, groups: { type: 'boolean' }, limit: text, after: text },
    routes: [
      'GET /crawlers/:crawlerId/removals',
      'GET /crawlers/:crawlerId/removals/groups',
      'GET /crawlers/:crawlerId',
    ],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const state = textOption(input, 'state');
      const query = new URLSearchParams({ state: state ?? 'held' });
      const whenEmpty = state === undefined ? 'none is held' : 'none';
      const noteRemoved = async () => {
        if (state === undefined && !print.isJson) await noteRemovedOnes(await client(), print, input);
      };
      if (input.options['groups'] === true) {
        const { groups } = await (await client()).admin('GET', `/crawlers/${id}/removals/groups?${query}`);
        print.rows(groups as Row[], GROUP_COLUMNS, whenEmpty);
        return noteRemoved();
      }
      query.set('limit', String(numberOption(input, 'limit') ?? DEFAULT_LIMIT));
      const after = textOption(input, 'after');
      if (after !== undefined) query.set('after', after);
      const { items, next } = await (await client()).admin('GET', `/crawlers/${id}/removals?${query}`);
      print.rows(items as Row[], COLUMNS, whenEmpty);
      if (next !== null) print.note(`More: --after ${next}`);
      await noteRemoved();
    },
  },
  answerCommand('approve-removals', 'Let held documents go: all, a group, or single ones'),
  answerCommand('undo-removals', 'Bring removed documents back, keep held ones'),
];

/** The list of those that wait does not show those that have left. */
async function noteRemovedOnes(client: Client, print: Printer, input: Input): Promise<void> {
  const id = idWord(input, 0, 'crawler');
  const { status } = await client.admin('GET', `/crawlers/${id}`);
  const { removed } = (status as Row)['removals'] as Row;
  const groups = input.options['groups'] === true ? ' --groups' : '';
  if (removed !== 0) print.note(`${removed} removed: fossick crawler removals ${id} --state removed${groups}`);
}

function answerCommand(action: 'approve-removals' | 'undo-removals', summary: string): Command {
  return {
    name: `crawler ${action}`,
    usage:
      '<crawler> --all | <rid…> | [--class <class>] [--cause <reason>] [--host <host>] [--pattern <pattern>] [--run <run>]',
    summary,
    example: '17 --cause not-found',
    words: [1, 1_001],
    options: choice,
    routes: [`POST /crawlers/:crawlerId/${action}`],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const { asked, applied } = await (await client()).admin('POST', `/crawlers/${id}/${action}`, choiceOf(input));
      print.record({ asked, applied });
      if (applied !== asked) print.note('The rest follows within seconds');
    },
  };
}

/** All of them only when that is said. */
function choiceOf(input: Input): Row {
  const rids = input.positionals.slice(1).map(Number);
  if (rids.some((rid) => !Number.isSafeInteger(rid) || rid < 1)) throw wrongUsage('rids are numbers of a list');
  const group = Object.fromEntries(
    GROUP.flatMap((name) => {
      const value = textOption(input, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const run = numberOption(input, 'run');
  const chosen = {
    ...(rids.length > 0 && { rids }),
    ...(Object.keys(group).length > 0 && { group }),
    ...(run !== undefined && { run }),
  };
  const isAll = input.options['all'] === true;
  if (isAll === Object.keys(chosen).length > 0) throw wrongUsage('name what is meant, or --all');
  return chosen;
}
