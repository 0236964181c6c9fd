import { type Command, idWord, numberOption } from '../command.ts';
import type { Row } from '../print.ts';

const RUN_COLUMNS = ['id', 'kind', 'state', 'startedAt', 'endedAt', 'open', 'visited', 'added', 'changed', 'failed'];
const VISIT_COLUMNS = ['at', 'outcome', 'reason', 'httpStatus', 'millis', 'url'];
const DEFAULT_LIMIT = 50;

export const runCommands: readonly Command[] = [
  {
    name: 'run list',
    usage: '<crawler> [--limit <n>]',
    summary: 'List the newest runs of a crawler',
    words: [1, 1],
    options: { limit: { type: 'string' } },
    routes: ['GET /crawlers/:crawlerId/runs'],
    run: async ({ client, print }, input) => {
      const limit = numberOption(input, 'limit') ?? DEFAULT_LIMIT;
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/runs?limit=${limit}`;
      print.rows((await (await client()).admin('GET', path))['items'] as Row[], RUN_COLUMNS);
    },
  },
  {
    name: 'run show',
    usage: '<crawler> <run>',
    summary: 'Show a run with its counts',
    words: [2, 2],
    routes: ['GET /crawlers/:crawlerId/runs/:runId'],
    run: async ({ client, print }, input) => {
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/runs/${idWord(input, 1, 'run')}`;
      print.record(await (await client()).admin('GET', path));
    },
  },
  {
    name: 'run visits',
    usage: '<crawler> [--limit <n>]',
    summary: 'List the newest visits of a crawler',
    words: [1, 1],
    options: { limit: { type: 'string' } },
    routes: ['GET /crawlers/:crawlerId/visits'],
    run: async ({ client, print }, input) => {
      const limit = numberOption(input, 'limit') ?? DEFAULT_LIMIT;
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/visits?limit=${limit}`;
      print.rows((await (await client()).admin('GET', path))['items'] as Row[], VISIT_COLUMNS);
    },
  },
  {
    name: 'explain',
    usage: '<crawler> <url>',
    summary: 'Show what is known of a URL: its state, why, what to do, and its last visits',
    words: [2, 2],
    routes: ['GET /crawlers/:crawlerId/explain'],
    run: async ({ client, print }, input) => {
      const query = new URLSearchParams({ url: input.positionals[1] ?? '' });
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/explain?${query}`;
      const explained = await (await client()).admin('GET', path);
      if (print.isJson) {
        print.record(explained);
        return;
      }
      const { visits, ...rest } = explained;
      print.record(rest);
      print.rows(visits as Row[], VISIT_COLUMNS);
    },
  },
];
