import { type Command, idWord, numberOption, type Printer, type Row, textOption, wrongUsage } from '../command.ts';
import { timeShown } from '../shown-times.ts';

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

const VISIT_COLUMNS = ['at', 'outcome', 'reason', 'status', 'bytes', 'millis'];
const MARKS: Readonly<Record<string, string>> = { pass: 'ok', stop: 'stop', note: 'note' };

/** What became of a URL, for people: the answer first, then its way step by step. */
export function showExplanation(print: Printer, explained: Row): void {
  const { url, normalForm, verdict, reason, cause, advice, next, document, aliasOf, duplicateOf, hidden } = explained;
  const { origin, path, inlinks } = explained['foundBy'] as Row;
  const { at, why } = next as Row;
  print.record({
    url,
    ...(normalForm !== url && { 'known as': normalForm }),
    verdict: `${verdict} (${reason})`,
    cause,
    ...(advice !== null && { advice }),
    ...(hidden !== null && hiddenShown(hidden as Row)),
    ...(aliasOf !== null && { 'stands for it': aliasOf }),
    ...(duplicateOf !== null && { 'has the same content': duplicateOf }),
    'found by': origin,
    ...((path as readonly string[]).length > 0 && { 'linked from': (path as readonly string[]).join(' < ') }),
    inlinks,
    next: `${at === null ? '' : `${timeShown(at)}: `}${why}`,
    ...(document !== null && { document: document as Row }),
  });
  showSteps(print, explained['steps'] as readonly Row[]);
  const visits = explained['visits'] as readonly Row[];
  print.note('');
  print.rows(visits, VISIT_COLUMNS, 'no visits yet');
}

function hiddenShown({ hiddenAt, note, command }: Row): Row {
  return {
    'hidden since': timeShown(hiddenAt),
    ...(note !== null && { 'hidden because': note }),
    'shown again by': command,
  };
}

export function showSteps(print: Printer, steps: readonly Row[]): void {
  print.note('');
  print.rows(
    steps.map(({ step, result, reason, detail }) => ({
      step,
      result: MARKS[String(result)] ?? result,
      reason,
      detail: detailText(detail as Row),
    })),
    ['step', 'result', 'reason', 'detail'],
  );
}

function detailText(detail: Row): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');
}
