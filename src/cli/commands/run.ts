import { AppError } from '../../core/errors.ts';
import { type Command, idWord, numberOption, type Row, textOption, wrongUsage } from '../command.ts';
import { durationBetween, timeShown } from '../shown-times.ts';
import { watchRun } from '../watch-run.ts';
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
    name: 'run watch',
    usage: '<crawler> [<run>]',
    summary: 'Show how a run, or the newest, gets on until it ends',
    words: [1, 2],
    routes: ['GET /crawlers/:crawlerId/runs/:runId/events', 'GET /crawlers/:crawlerId/runs'],
    run: async (context, input) => {
      const crawler = idWord(input, 0, 'crawler');
      const client = await context.client();
      if (input.positionals.length > 1) return watchRun(context, client, { crawler, run: idWord(input, 1, 'run') });
      const [newest] = (await client.admin('GET', `/crawlers/${crawler}/runs?limit=1`))['items'] as Row[];
      if (newest === undefined) throw new AppError('record.not-found', `No runs yet: fossick crawler run ${crawler}`);
      await watchRun(context, client, { crawler, run: Number(newest['id']) });
    },
  },
  {
    name: 'run visits',
    usage: '<crawler> [<run>] [--limit <n>] [--after <next>]',
    summary: 'List the newest visits of a crawler or a run',
    words: [1, 2],
    options: { limit: { type: 'string' }, after: { type: 'string' } },
    routes: ['GET /crawlers/:crawlerId/visits', 'GET /crawlers/:crawlerId/runs/:runId/visits'],
    run: async ({ client, print }, input) => {
      const query = new URLSearchParams({ limit: String(numberOption(input, 'limit') ?? DEFAULT_LIMIT) });
      const id = idWord(input, 0, 'crawler');
      const ofRun = input.positionals.length > 1;
      const after = textOption(input, 'after');
      if (after !== undefined && !ofRun) throw wrongUsage('--after goes on with the visits of a run: name the run');
      if (after !== undefined) query.set('after', after);
      const path = ofRun ? `/crawlers/${id}/runs/${idWord(input, 1, 'run')}/visits` : `/crawlers/${id}/visits`;
      const { items, next = null } = await (await client()).admin('GET', `${path}?${query}`);
      print.rows(items as Row[], VISIT_COLUMNS, `no visits yet: fossick crawler status ${id}`);
      if (next !== null) print.note(`More: --after ${next}`);
    },
  },
];

function runRow(run: Row): Row {
  const { startedAt, endedAt } = run;
  const times = { started: timeShown(startedAt), duration: durationBetween(startedAt, endedAt) };
  return { ...run, ...times, unchanged: unchangedOf(run) };
}
