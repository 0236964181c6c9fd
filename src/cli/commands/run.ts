import { type Command, idWord, numberOption } from '../command.ts';
import type { Row } from '../print.ts';
import { durationBetween, timeShown } from '../shown-times.ts';
import { unchangedOf } from './crawler-status.ts';

const RUN_COLUMNS = [
  'id',
  'kind',
  'state',
  'started',
  'duration',
  'open',
  'visited',
  'added',
  'changed',
  'unchanged',
  'failed',
];
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
      const id = idWord(input, 0, 'crawler');
      const runs = (await (await client()).admin('GET', `/crawlers/${id}/runs?limit=${limit}`))['items'] as Row[];
      print.rows(print.isJson ? runs : runs.map(runRow), RUN_COLUMNS, `no runs yet: fossick crawler run ${id}`);
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
      const id = idWord(input, 0, 'crawler');
      const { items } = await (await client()).admin('GET', `/crawlers/${id}/visits?limit=${limit}`);
      print.rows(items as Row[], VISIT_COLUMNS, `no visits yet: fossick crawler status ${id}`);
    },
  },
  {
    name: 'explain',
    usage: '<crawler> <url>',
    summary: 'Show the state of a URL, why, and what to do',
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
      print.rows(visits as Row[], VISIT_COLUMNS, 'no visits yet');
    },
  },
];

function runRow(run: Row): Row {
  const { startedAt, endedAt } = run;
  const times = { started: timeShown(startedAt), duration: durationBetween(startedAt, endedAt) };
  return { ...run, ...times, unchanged: unchangedOf(run) };
}
