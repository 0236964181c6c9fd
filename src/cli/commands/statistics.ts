import { type Command, type Input, idWord, numberOption, type Row, textOption } from '../command.ts';

const RANGE_OPTIONS = { from: { type: 'string' }, to: { type: 'string' }, device: { type: 'string' } } as const;
const RANGE_USAGE = '[--from <date>] [--to <date>] [--device <name>]';
const GAP_OPTIONS = { visitors: { type: 'string' }, limit: { type: 'string' } } as const;
const COUNTERS = ['searches', 'without results', 'click-through', 'clicks', 'mean rank'];
const GAP_COLUMNS = ['question', 'questions', 'visitors', 'why', 'state', 'nearest page'];
const USAGE_COLUMNS = ['day', 'answers', 'summaries', 'refused', 'kept', 'tokens read', 'written', 'estimated', 'cost'];
const NO_GAPS = 'nothing was asked in vain';
const NO_SEARCHES = 'no searches yet: result pages log them (docs/http-api.md, Tracking and feedback)';

export const statisticsCommands: readonly Command[] = [
  {
    name: 'stats',
    usage: `<engine> ${RANGE_USAGE}`,
    summary: 'Show searches and clicks of an engine, of 30 days',
    example: '6 --from 2026-01 --to 2026-03',
    words: [1, 1],
    options: RANGE_OPTIONS,
    routes: ['GET /engines/:engineId/statistics'],
    run: async ({ client, print }, input) => {
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics?${rangeOf(input)}`;
      const statistics = await (await client()).admin('GET', path);
      if (print.isJson) {
        print.record(statistics);
        return;
      }
      const { from, to, total } = statistics;
      print.note(`${from} to ${to}, days in UTC`);
      print.record({ ...shown(total as Row), 'banner clicks': (total as Row)['bannerClicks'] });
      print.note('');
      print.rows((statistics['devices'] as readonly Row[]).map(shown), ['device', ...COUNTERS], NO_SEARCHES);
      print.note('');
      print.rows((statistics['days'] as readonly Row[]).map(shown), ['day', ...COUNTERS], 'no day with searches');
    },
  },
  {
    name: 'stats queries',
    usage: `<engine> [--order searches|without-results|clicks|low-click] [--text <part>] ${RANGE_USAGE} [--limit <n>]`,
    summary: 'List what visitors search, most frequent first',
    example: '6 --order without-results',
    words: [1, 1],
    options: { ...RANGE_OPTIONS, order: { type: 'string' }, text: { type: 'string' }, limit: { type: 'string' } },
    routes: ['GET /engines/:engineId/statistics/queries'],
    run: async ({ client, print }, input) => {
      const query = rangeOf(input);
      const [order, limit] = [textOption(input, 'order'), numberOption(input, 'limit')];
      const text = textOption(input, 'text');
      if (order !== undefined) query.set('order', order);
      if (text !== undefined) query.set('text', text);
      if (limit !== undefined) query.set('limit', String(limit));
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics/queries?${query}`;
      const answer = await (await client()).admin('GET', path);
      const items = answer['items'] as readonly Row[];
      print.rows(print.isJson ? items : items.map(shown), ['query', ...COUNTERS], NO_SEARCHES);
    },
  },
  {
    name: 'stats answers',
    usage: '<engine> [--from <date>] [--to <date>]',
    summary: 'Show answers, refusals, tokens and costs per day',
    example: '6 --from 2026-01',
    words: [1, 1],
    options: { from: { type: 'string' }, to: { type: 'string' } },
    routes: ['GET /engines/:engineId/statistics/answers'],
    run: async ({ client, print }, input) => {
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics/answers?${rangeOf(input)}`;
      const usage = await (await client()).admin('GET', path);
      if (print.isJson) {
        print.record(usage);
        return;
      }
      const days = usage['days'] as readonly Row[];
      const rows = days.length === 0 ? [] : [...days, { day: 'in all', ...(usage['total'] as Row) }];
      print.note(`${usage['from']} to ${usage['to']}, days in UTC`);
      print.rows(rows.map(shownUsage), USAGE_COLUMNS, 'nothing was asked');
    },
  },
  {
    name: 'stats gaps',
    usage: '<engine> [--from <date>] [--to <date>] [--visitors <n>] [--limit <n>]',
    summary: 'List what visitors asked and the content does not answer',
    example: '6 --visitors 2',
    words: [1, 1],
    options: { ...GAP_OPTIONS, from: { type: 'string' }, to: { type: 'string' } },
    routes: ['GET /engines/:engineId/statistics/gaps'],
    run: async ({ client, print }, input) => {
      const query = rangeOf(input);
      for (const name of Object.keys(GAP_OPTIONS)) {
        const value = numberOption(input, name);
        if (value !== undefined) query.set(name, String(value));
      }
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics/gaps?${query}`;
      const items = (await (await client()).admin('GET', path))['items'] as readonly Row[];
      print.rows(print.isJson ? items : items.map(shownGap), GAP_COLUMNS, NO_GAPS);
    },
  },
];

function shownUsage({ cached, inputTokens, outputTokens, estimatedTokens, ...counters }: Row): Row {
  const tokens = { 'tokens read': inputTokens, written: outputTokens, estimated: estimatedTokens };
  return { ...counters, kept: cached, ...tokens };
}

function shownGap({ question, questions, visitors, signals, closed, nearest }: Row): Row {
  const counts = Object.entries(signals as Readonly<Record<string, number>>);
  const [page] = nearest as readonly { readonly url: string }[];
  return {
    question,
    questions,
    visitors,
    why: counts.map(([signal, count]) => `${signal} ${count}`).join(', '),
    state: closed ? 'closed' : 'open',
    'nearest page': page?.url ?? '-',
  };
}

function rangeOf(input: Input): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of Object.keys(RANGE_OPTIONS)) {
    const value = textOption(input, name);
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** Figures of the admin API for people: shares in percent. */
function shown({ query, day, device, ...counters }: Row): Row {
  const { searches, withoutResults, withoutResultsRatio, clickThroughRatio, clicks, meanClickRank } = counters;
  const share = withoutResultsRatio === null ? '' : ` (${percent(withoutResultsRatio)})`;
  return {
    ...(query !== undefined && { query }),
    ...(day !== undefined && { day }),
    ...(device !== undefined && { device }),
    searches,
    'without results': `${withoutResults}${share}`,
    'click-through': percent(clickThroughRatio),
    clicks,
    'mean rank': meanClickRank === null ? '-' : Number(meanClickRank).toFixed(1),
  };
}

function percent(ratio: unknown): string {
  return ratio === null ? '-' : `${(Number(ratio) * 100).toFixed(1)} %`;
}
