import { type Command, idWord, numberOption, type Row } from '../command.ts';

const COLUMNS = ['id', 'pattern', 'known', 'visited', 'informative', 'rule', 'closedAt'];
const DUPLICATE_COLUMNS = ['cause', 'url', 'duplicateOf'];
const NEAR_DUPLICATE_COLUMNS = ['size', 'cause', 'kept', 'urls'];
const DEFAULT_LIMIT = 50;
const text = { type: 'string' } as const;

/** Families of URLs, and pages with the same content. */
export const patternCommands: readonly Command[] = [
  {
    name: 'crawler patterns',
    usage: '<crawler> [--all] [--limit <n>] [--after <next>]',
    summary: 'List closed patterns of URLs, with --all every one',
    example: '17',
    words: [1, 1],
    options: { all: { type: 'boolean' }, limit: text, after: text },
    routes: ['GET /crawlers/:crawlerId/patterns'],
    run: async ({ client, print }, input) => {
      const query = queryOf(numberOption(input, 'limit'), numberOption(input, 'after'));
      query.set('closed', String(input.options['all'] !== true));
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/patterns?${query}`;
      const { items, next } = await (await client()).admin('GET', path);
      print.rows(items as Row[], COLUMNS, 'none');
      if (next !== null) print.note(`More: --after ${next}`);
    },
  },
  switchCommand('open', 'Have a pattern visited; no rule closes it again'),
  switchCommand('close', 'Leave a pattern alone; its documents stay'),
  {
    name: 'crawler duplicates',
    usage: '<crawler> [--limit <n>] [--after <next>]',
    summary: 'List pages with the same or nearly the same content',
    example: '17',
    words: [1, 1],
    options: { limit: text, after: text },
    routes: ['GET /crawlers/:crawlerId/duplicates'],
    run: async ({ client, print }, input) => {
      const query = queryOf(numberOption(input, 'limit'), numberOption(input, 'after'));
      const found = await (await client()).admin('GET', `/crawlers/${idWord(input, 0, 'crawler')}/duplicates?${query}`);
      if (print.isJson) {
        print.record(found);
        return;
      }
      const near = found['near'] as { readonly shown: readonly Row[] } | null;
      print.rows(found['items'] as Row[], DUPLICATE_COLUMNS, 'no page has the content of another');
      if (near !== null && near.shown.length > 0) print.rows(near.shown, NEAR_DUPLICATE_COLUMNS);
      if (found['next'] !== null) print.note(`More: --after ${found['next']}`);
    },
  },
];

function queryOf(limit = DEFAULT_LIMIT, after: number | undefined = undefined): URLSearchParams {
  return new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after: String(after) }) });
}

function switchCommand(action: 'open' | 'close', summary: string): Command {
  return {
    name: `crawler ${action}-pattern`,
    usage: '<crawler> <pattern id>',
    summary,
    example: '17 42',
    words: [2, 2],
    routes: [`POST /crawlers/:crawlerId/patterns/:patternId/${action}`],
    run: async ({ client, print }, input) => {
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/patterns/${idWord(input, 1, 'pattern')}/${action}`;
      print.record(await (await client()).admin('POST', path));
    },
  };
}
