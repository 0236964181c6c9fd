import { type Command, type Context, type Input, idWord, type Row, textOption } from '../command.ts';
import { timeShown } from '../shown-times.ts';

const TEXT = { type: 'string' } as const;
const RANGE = ['from', 'to'] as const;
const RANGE_USAGE = '[--from <date>] [--to <date>]';
const LIST_USAGE = '[--limit <n>] [--after <next>] [--csv]';

type Report = {
  readonly name: string;
  readonly summary: string;
  readonly columns: readonly string[];
  /** Filters beside the range, with what they take. */
  readonly filters: Readonly<Record<string, string>>;
};

const CLICK_COLUMNS = ['clicks', 'searches', 'meanRank', 'title', 'url'];

/** Lists that are all shown alike: as a table, as JSON, or whole as CSV. */
const REPORTS: readonly Report[] = [
  { name: 'pages', summary: 'List clicked results', columns: CLICK_COLUMNS, filters: { text: '<part>' } },
  {
    name: 'banners',
    summary: 'List clicked banners',
    columns: ['clicks', 'searches', 'banner', 'title', 'url'],
    filters: { text: '<part>' },
  },
  { name: 'quicklinks', summary: 'List clicked quicklinks', columns: CLICK_COLUMNS, filters: { text: '<part>' } },
  {
    name: 'feedback',
    summary: 'List what visitors said, newest first',
    columns: ['at', 'kind', 'rating', 'reason', 'comment', 'question', 'url'],
    filters: { kind: 'answer|summary|result', rating: 'positive|negative', comments: 'true' },
  },
  {
    name: 'exchanges',
    summary: 'List questions with their answers, newest first',
    columns: ['at', 'question', 'answer', 'refusal', 'rating', 'comment', 'cites'],
    filters: { show: 'all|refused|negative|degraded', text: '<part>' },
  },
];

export const visitorReportCommands: readonly Command[] = [
  ...REPORTS.map(reportCommand),
  {
    name: 'stats query',
    usage: `<engine> <query…> ${RANGE_USAGE} [--csv]`,
    summary: 'Show all about one query: days, results, clicks',
    example: '6 opening hours',
    words: [2, 100],
    options: { from: { type: 'string' }, to: { type: 'string' }, csv: { type: 'boolean' } },
    routes: ['GET /engines/:engineId/statistics/query'],
    run: async (context, input) => {
      const query = paramsOf(input, RANGE);
      query.set('query', input.positionals.slice(1).join(' '));
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics/query?${query}`;
      if (await copied(context, input, path)) return;
      const report = await (await context.client()).admin('GET', path);
      if (context.print.isJson) context.print.record(report);
      else showQuery(context, report);
    },
  },
  {
    name: 'stats page',
    usage: `<engine> <url> ${RANGE_USAGE} [--csv]`,
    summary: 'Show the clicks on one page, by day and by query',
    words: [2, 2],
    options: { from: { type: 'string' }, to: { type: 'string' }, csv: { type: 'boolean' } },
    routes: ['GET /engines/:engineId/statistics/page'],
    run: async (context, input) => {
      const query = paramsOf(input, RANGE);
      query.set('url', input.positionals[1] ?? '');
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics/page?${query}`;
      if (await copied(context, input, path)) return;
      const { print } = context;
      const page = await (await context.client()).admin('GET', path);
      if (print.isJson) {
        print.record(page);
        return;
      }
      print.rows(page['days'] as readonly Row[], ['day', 'clicks'], 'no clicks');
      print.note('');
      print.rows(page['queries'] as readonly Row[], ['clicks', 'meanRank', 'query'], 'no queries');
    },
  },
];

function reportCommand({ name, summary, columns, filters }: Report): Command {
  const names = Object.keys(filters);
  const options = Object.fromEntries([...RANGE, ...names, 'limit', 'after'].map((option) => [option, TEXT]));
  const usage = Object.entries(filters).map(([filter, takes]) => `[--${filter} ${takes}]`);
  return {
    name: `stats ${name}`,
    usage: `<engine> ${usage.join(' ')} ${RANGE_USAGE} ${LIST_USAGE}`,
    summary,
    words: [1, 1],
    options: { ...options, csv: { type: 'boolean' } },
    routes: [`GET /engines/:engineId/statistics/${name}`],
    run: async (context, input) => {
      const query = paramsOf(input, [...RANGE, ...names, 'limit', 'after']);
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics/${name}?${query}`;
      if (await copied(context, input, path)) return;
      const { print } = context;
      const { items, next } = await (await context.client()).admin('GET', path);
      const rows = items as readonly Row[];
      print.rows(print.isJson ? rows : rows.map(shownRow), columns, 'nothing in these days');
      if (next !== null) print.note(`More: --after ${next}`);
    },
  };
}

function paramsOf(input: Input, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = textOption(input, name);
      return value === undefined ? [] : [[name, value] as [string, string]];
    }),
  );
}

/** Whether the list was asked for as CSV, and given. */
async function copied({ client, print }: Context, input: Input, path: string): Promise<boolean> {
  if (input.options['csv'] !== true) return false;
  await (await client()).copy(`${path}&format=csv`, print.raw);
  return true;
}

function shownRow({ at, sources, ...row }: Row): Row {
  const cited = (sources as readonly Row[] | undefined)?.map(({ title, url }) => title || url).join(', ');
  return { ...row, ...(at !== undefined && { at: timeShown(at) }), ...(cited !== undefined && { cites: cited }) };
}

function showQuery({ print }: Context, { total, results, fixedQueries, days, hits, ...report }: Row): void {
  print.record({ query: report['query'], ...(total as Row), results: results as Row | null });
  for (const { query, searches } of fixedQueries as readonly Row[])
    print.note(`searched for ${query}: ${searches} times`);
  print.note('');
  print.rows(days as readonly Row[], ['day', 'searches', 'withoutResults', 'clicks', 'meanClickRank'], 'no searches');
  print.note('');
  print.rows(hits as readonly Row[], ['clicks', 'meanRank', 'kind', 'title', 'url'], 'no clicks');
}
