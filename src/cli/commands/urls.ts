import { type Command, idWord, numberOption, textOption, wrongUsage } from '../command.ts';
import type { Row } from '../print.ts';
import { showExplanation } from './url-explanation.ts';

const COLUMNS = ['state', 'reason', 'status', 'depth', 'visitedAt', 'url'];
const FILTERS = ['state', 'reason', 'outcome', 'host', 'pattern', 'status', 'text'] as const;
const GROUPS = ['reason', 'pattern', 'host', 'status'];
const DEFAULT_LIMIT = 50;

const text = { type: 'string' } as const;

/** What a crawler knows. */
export const urlCommands: readonly Command[] = [
  {
    name: 'crawler urls',
    usage:
      '<crawler> [--state <state>] [--reason <reason>] [--outcome <outcome>] [--host <host>] [--pattern <pattern>] [--status <404|4xx>] [--text <part>] [--visited-before <time>] [--group reason|pattern|host|status] [--limit <n>] [--after <next>] [--csv]',
    summary: 'List the URLs that a crawler knows, or count them',
    example: '17 --reason robots --group host',
    words: [1, 1],
    options: {
      ...Object.fromEntries(FILTERS.map((name) => [name, text])),
      'visited-before': text,
      group: text,
      limit: text,
      after: text,
      csv: { type: 'boolean' },
    },
    routes: ['GET /crawlers/:crawlerId/urls', 'GET /crawlers/:crawlerId/urls.csv'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const group = textOption(input, 'group');
      if (group !== undefined && !GROUPS.includes(group))
        throw wrongUsage(`--group must be one of ${GROUPS.join(', ')}`);
      const query = new URLSearchParams();
      const set = (name: string, value: string | undefined) => value !== undefined && query.set(name, value);
      for (const name of FILTERS) set(name, textOption(input, name));
      set('visitedBefore', textOption(input, 'visited-before'));
      const api = await client();
      if (input.options['csv'] === true) return api.copy(`/crawlers/${id}/urls.csv?${query}`, print.raw);
      set('group', group);
      if (group !== undefined) {
        const { groups, other } = await api.admin('GET', `/crawlers/${id}/urls?${query}`);
        print.rows(groups as Row[], ['count', 'value'], `no URLs: fossick crawler status ${id}`);
        if (other !== 0) print.note(`${other} in smaller groups`);
        return;
      }
      set('after', textOption(input, 'after'));
      query.set('limit', String(numberOption(input, 'limit') ?? DEFAULT_LIMIT));
      const { items, next, note } = await api.admin('GET', `/crawlers/${id}/urls?${query}`);
      print.rows(items as Row[], COLUMNS, `no URLs: fossick crawler status ${id}`);
      if (note !== null) print.warn(String(note));
      if (next !== null) print.note(`More: --after ${next}`);
    },
  },
  {
    name: 'crawler explain',
    usage: '<crawler> <url>',
    summary: 'Tell what became of a URL, why, and what to do',
    words: [2, 2],
    routes: ['GET /crawlers/:crawlerId/explain'],
    run: async ({ client, print }, input) => {
      const query = new URLSearchParams({ url: input.positionals[1] ?? '' });
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/explain?${query}`;
      const explained = await (await client()).admin('GET', path);
      if (print.isJson) print.record(explained);
      else showExplanation(print, explained);
    },
  },
];
