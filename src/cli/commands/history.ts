import {
  type Command,
  type Context,
  type Input,
  idWord,
  membersOf,
  numberOption,
  type Row,
  textOf,
  textOption,
  wrongUsage,
} from '../command.ts';
import { SCHEDULE_FORMS } from '../schedule-forms.ts';
import { timeShown } from '../shown-times.ts';

const DEFAULT_LIMIT = 20;
const COLUMNS = ['id', 'at', 'actor', 'changes'];

/** How settings became what they are, and back. */
export const historyCommands: readonly Command[] = (['crawler', 'engine'] as const).flatMap((noun) => [
  {
    name: `${noun} history`,
    usage: `<${noun}> [<change>] [--limit <n>] [--after <next>]`,
    summary: 'Show who changed settings, or what they were after a change',
    words: [1, 2],
    options: { limit: { type: 'string' }, after: { type: 'string' } },
    routes: [`GET /${noun}s/:${noun}Id/history`, `GET /${noun}s/:${noun}Id/history/:entryId`],
    run: (context, input) => showHistory(context, input, noun),
  },
  {
    name: `${noun} restore`,
    usage: `<${noun}> <change>${noun === 'crawler' ? ' [--preview <token>] [--allow-delete]' : ''}`,
    summary: 'Bring back the settings as they were after a change',
    example: '17 342',
    words: [2, 2],
    ...(noun === 'crawler' && { options: { preview: { type: 'string' }, 'allow-delete': { type: 'boolean' } } }),
    routes: [`POST /${noun}s/:${noun}Id/history/:entryId/restore`],
    run: async ({ client, print }, input) => {
      const query = new URLSearchParams();
      const preview = textOption(input, 'preview');
      if (preview !== undefined) query.set('preview', preview);
      if (input.options['allow-delete'] === true) query.set('allowDelete', 'true');
      const path = `/${noun}s/${idWord(input, 0, noun)}/history/${idWord(input, 1, 'change')}/restore?${query}`;
      print.record(await (await client()).admin('POST', path));
    },
  },
]);

async function showHistory({ client, print }: Context, input: Input, noun: 'crawler' | 'engine'): Promise<void> {
  const id = idWord(input, 0, noun);
  const path = `/${noun}s/${id}/history`;
  if (input.positionals.length === 2) {
    const past = await (await client()).admin('GET', `${path}/${idWord(input, 1, 'change')}`);
    print.record(print.isJson ? past : (past['record'] as Row));
    return;
  }
  const limit = numberOption(input, 'limit') ?? DEFAULT_LIMIT;
  const after = textOption(input, 'after');
  const { items, next } = await (await client()).admin(
    'GET',
    `${path}?limit=${limit}${after === undefined ? '' : `&after=${after}`}`,
  );
  const rows = print.isJson ? (items as readonly Row[]) : (items as readonly Row[]).map(historyLine);
  print.rows(rows, COLUMNS, 'no changes');
  if (next !== null) print.note(`More: --after ${next}`);
  else print.note(`To go back: fossick ${noun} restore ${id} <change>`);
}

function historyLine({ id, at, actor, isFirst, changes }: Row): Row {
  const texts = (changes as readonly Row[]).map(
    ({ path, before, after }) => `${path}: ${textOf(before)} → ${textOf(after)}`,
  );
  return { id, at: timeShown(at), actor, changes: isFirst === true ? 'made' : texts.join('; ') };
}

export const settingsCommands: readonly Command[] = [
  {
    name: 'crawler schedule',
    usage: '<crawler> [member=value…] [--count <n>]',
    summary: 'Show when the next runs begin, by these or other settings',
    example: '17 schedule.full=weekly',
    forms: SCHEDULE_FORMS,
    words: [1, 10],
    options: { count: { type: 'string' } },
    routes: ['GET /crawlers/:crawlerId/schedule', 'POST /crawlers/:crawlerId/schedule'],
    run: async ({ client, print }, input) => {
      const path = `/crawlers/${idWord(input, 0, 'crawler')}/schedule`;
      const count = numberOption(input, 'count') ?? 5;
      const members = membersOf(input.positionals.slice(1));
      const hasOthers = input.positionals.length > 1;
      const planned = hasOthers
        ? await (await client()).admin('POST', path, { ...members, count })
        : await (await client()).admin('GET', `${path}?count=${count}`);
      if (print.isJson) {
        print.record(planned);
        return;
      }
      const rows = (planned['runs'] as readonly Row[]).map(({ kind, at }) => ({ kind, at: timeShown(at) }));
      print.rows(rows, ['at', 'kind'], 'no runs begin by themselves: schedule is manual');
      if (planned['active'] !== true) print.warn('the crawler is not active: none of them begins before it is');
    },
  },
  {
    name: 'schema',
    usage: 'crawler|engine',
    summary: 'Print the JSON Schema of all settings of crawlers or engines',
    words: [1, 1],
    routes: ['GET /schemas/crawler', 'GET /schemas/engine'],
    run: async ({ client, print }, input) => {
      const [noun = ''] = input.positionals;
      if (noun !== 'crawler' && noun !== 'engine') throw wrongUsage('The schema is that of crawler or engine');
      const { schema } = await (await client()).admin('GET', `/schemas/${noun}`);
      print.raw(`${JSON.stringify(schema, null, 2)}\n`);
    },
  },
];
