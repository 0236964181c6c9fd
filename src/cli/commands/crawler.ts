import { AppError } from '../../core/errors.ts';
import {
  type Command,
  type Context,
  changesOfRecord,
  idWord,
  membersOf,
  numberOption,
  type Row,
  requireYes,
  textOption,
} from '../command.ts';
import { SCHEDULE_FORMS } from '../schedule-forms.ts';
import { timeShown } from '../shown-times.ts';
import { watchRun } from '../watch-run.ts';
import { crawlerLines } from './crawler-status.ts';

const COLUMNS = ['id', 'engine', 'name', 'state', 'documents', 'last good run', 'next run', 'wrong', 'seeds'];

export const crawlerCommands: readonly Command[] = [
  {
    name: 'crawler list',
    usage: '[--customer <id>] [--engine <id>] [--text <part>] [--state <state>]',
    summary: 'List crawlers with what they are doing',
    example: '--state problem',
    words: [0, 0],
    options: {
      customer: { type: 'string' },
      engine: { type: 'string' },
      text: { type: 'string' },
      state: { type: 'string' },
    },
    routes: ['GET /crawlers'],
    run: async ({ client, print }, input) => {
      const filters = ['customer', 'engine', 'text', 'state'].flatMap((name) => {
        const value = textOption(input, name);
        return value === undefined ? [] : [[name, value] as [string, string]];
      });
      const listed = await (await client()).list(`/crawlers?${new URLSearchParams(filters)}`);
      const shown = print.isJson ? listed : listed.map(shortCrawler);
      print.rows(shown, COLUMNS, 'no crawlers: fossick crawler add <engine> <name>');
    },
  },
  {
    name: 'crawler show',
    usage: '<crawler>',
    summary: 'Show a crawler with its settings and state',
    words: [1, 1],
    routes: ['GET /crawlers/:crawlerId'],
    run: async ({ client, print }, input) => {
      print.record(await (await client()).admin('GET', `/crawlers/${idWord(input, 0, 'crawler')}`));
    },
  },
  {
    name: 'crawler status',
    usage: '<crawler>',
    summary: 'Show what a crawler does, its last and next run',
    words: [1, 1],
    routes: ['GET /crawlers/:crawlerId'],
    run: async ({ client, print }, input) => {
      const shown = await (await client()).admin('GET', `/crawlers/${idWord(input, 0, 'crawler')}`);
      if (!print.isJson) {
        print.record(crawlerLines(shown));
        return;
      }
      const { documents, urls, lastRun } = shown['status'] as Row;
      const { id, name, active } = shown;
      print.record({ id, name, active, documents, urls, lastRun });
    },
  },
  {
    name: 'crawler add',
    usage: '<engine> <name> [member=value…] [--id <id>]',
    summary: 'Make a crawler; it is inactive',
    example: `6 Site 'seeds=["https://www.example.com/"]'`,
    words: [2, 100],
    options: { id: { type: 'string' } },
    routes: ['POST /crawlers'],
    run: async ({ client, print }, input) => {
      const [, name, ...members] = input.positionals;
      const id = numberOption(input, 'id');
      const body = { ...membersOf(members), engine: idWord(input, 0, 'engine'), name, ...(id !== undefined && { id }) };
      const made = await (await client()).admin('POST', '/crawlers', body);
      printSaved(print, made);
      print.note(`Next: ${nextStep(made)}`);
    },
  },
  {
    name: 'crawler set',
    usage: '<crawler> <member=value…> [--preview <token>] [--allow-delete]',
    summary: 'Change settings of a crawler',
    example: `17 limits.depth=5 'exclude+=/search/**'`,
    forms: `${SCHEDULE_FORMS}
  All settings, each with an example: docs/settings.md`,
    words: [2, 100],
    options: { preview: { type: 'string' }, 'allow-delete': { type: 'boolean' } },
    routes: ['PATCH /crawlers/:crawlerId', 'GET /crawlers/:crawlerId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const query = new URLSearchParams();
      const preview = textOption(input, 'preview');
      if (preview !== undefined) query.set('preview', preview);
      if (input.options['allow-delete'] === true) query.set('allowDelete', 'true');
      const api = await client();
      const { members, tag } = await changesOfRecord(api, `/crawlers/${id}`, input.positionals.slice(1));
      printSaved(print, await api.patch(`/crawlers/${id}?${query}`, members, tag).catch(withWayOut));
    },
  },
  {
    name: 'crawler allow-private',
    usage: '<crawler> <host> [--networks <network,…>]',
    summary: 'Let a name lead into its private network',
    example: '17 wiki.corp.example',
    words: [2, 2],
    options: { networks: { type: 'string' } },
    routes: ['POST /crawlers/:crawlerId/private-names'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const name = input.positionals[1] ?? '';
      const networks = textOption(input, 'networks')?.split(',');
      const body = { name, ...(networks !== undefined && { networks }) };
      const { privateNames } = await (await client()).admin('POST', `/crawlers/${id}/private-names`, body);
      print.record({ privateNames });
      print.note(`Next: fossick crawler run ${id}`);
    },
  },
  {
    name: 'crawler remove',
    usage: '<crawler> --yes',
    summary: 'Remove a crawler with its documents',
    words: [1, 1],
    options: { yes: { type: 'boolean' } },
    routes: ['DELETE /crawlers/:crawlerId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      requireYes(input, `crawler ${id} with its documents`);
      await (await client()).admin('DELETE', `/crawlers/${id}`);
      print.note(`Crawler ${id} is removed`);
    },
  },
  switchCommand('activate', 'Let a crawler work: its schedule, runs and queued URLs'),
  switchCommand('deactivate', 'Stop a crawler and drop what waits; documents stay'),
  {
    name: 'crawler run',
    usage: '<crawler> [--kind full|incremental] [--watch]',
    summary: 'Start a run now, and watch it if wanted',
    words: [1, 1],
    options: { kind: { type: 'string' }, watch: { type: 'boolean' } },
    routes: ['POST /crawlers/:crawlerId/run'],
    run: async (context, input) => {
      const { print } = context;
      const id = idWord(input, 0, 'crawler');
      const kind = textOption(input, 'kind');
      const body = kind === undefined ? {} : { kind };
      const client = await context.client();
      const started = await client.admin('POST', `/crawlers/${id}/run`, body);
      if (input.options['watch'] === true)
        return watchRun(context, client, { crawler: id, run: Number(started['run']) });
      print.record(started);
      print.note(`Next: fossick run watch ${id} ${started['run']}`);
    },
  },
  controlCommand('pause', 'Let nothing more start; what waits stays'),
  controlCommand('resume', 'Let a paused crawler go on'),
  controlCommand('stop', 'End the run and drop what it left; queued URLs go on'),
  {
    name: 'queue-url',
    usage: '<crawler> <url…>',
    summary: 'Have URLs visited now',
    words: [2, 1_001],
    routes: ['POST /crawlers/:crawlerId/urls'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const body = { urls: input.positionals.slice(1) };
      const { active, urls } = await (await client()).admin('POST', `/crawlers/${id}/urls`, body);
      print.rows(urls as readonly Row[], ['status', 'url']);
      if (active !== true) print.warn(`crawler ${id} is not active and drops them: fossick crawler activate ${id}`);
    },
  },
];

function shortCrawler({ id, engine, name, seeds, state: told }: Row): Row {
  const { state, run, documents, lastGoodRun, nextRun, findings } = told as Row;
  const progress = (run as Row | null)?.['progress'];
  const wrong = (findings as readonly unknown[]).length;
  return {
    id,
    engine,
    name,
    state: state === 'running' ? `running, ${Math.floor(Number(progress) * 100)} %` : state,
    documents,
    'last good run': timeShown((lastGoodRun as Row | null)?.['endedAt']),
    'next run': timeShown((nextRun as Row | null)?.['at']),
    wrong: wrong === 0 ? null : wrong,
    seeds,
  };
}

function printSaved(print: Context['print'], { warnings, ...crawler }: Row): void {
  print.record(crawler);
  for (const warning of warnings as readonly string[]) print.warn(warning);
}

/** The admin API says what a change would remove, not how this command takes it. */
function withWayOut(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'record.conflict') throw error;
  const next = 'fossick crawler preview with the same words shows it and its token for --preview; or --allow-delete';
  throw new AppError(error.code, `${error.message}\nNext: ${next}`, { cause: error });
}

/** A crawler without seeds has nothing to visit: it takes pushed documents. */
function nextStep({ id, seeds }: Row): string {
  if ((seeds as readonly string[]).length > 0) return `fossick crawler activate ${id}`;
  return `fossick crawler set ${id} 'seeds=["https://www.example.com/"]', or fossick documents put ${id} <file.json> --key <API key>`;
}

function controlCommand(action: 'pause' | 'resume' | 'stop', summary: string): Command {
  return {
    name: `crawler ${action}`,
    usage: '<crawler>',
    summary,
    words: [1, 1],
    routes: [`POST /crawlers/:crawlerId/${action}`],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      print.record(await (await client()).admin('POST', `/crawlers/${id}/${action}`));
    },
  };
}

function switchCommand(action: 'activate' | 'deactivate', summary: string): Command {
  return {
    name: `crawler ${action}`,
    usage: '<crawler>',
    summary,
    words: [1, 1],
    routes: [`POST /crawlers/:crawlerId/${action}`],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const crawler = await (await client()).admin('POST', `/crawlers/${id}/${action}`);
      const { name, active, activeSince, managedBy } = crawler;
      print.record({ id, name, active, activeSince });
      if (action === 'deactivate' && managedBy !== null) {
        print.note(`The next fossick apply of ${managedBy} sets it as the file says: write active: false there`);
      }
    },
  };
}
