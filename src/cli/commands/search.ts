import { siteKeyOf } from '../client.ts';
import { type Command, idWord, numberOption, type Printer, type Row, textOption, wrongUsage } from '../command.ts';
import { showExplanation } from './urls.ts';

/** The members of a search answer that are shown. */
type SearchAnswer = {
  readonly TotalDocument: number;
  readonly FixedQuery?: string | null;
  readonly TypedDocuments: readonly { readonly Id: string; readonly Fields: Fields }[];
};
type Fields = Readonly<Record<string, { readonly Value?: unknown } | undefined>>;

type Part = {
  readonly name: string;
  readonly value: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly parts?: readonly Part[];
};

/** One line per part, indented by depth; parts worth nothing are left out. */
function* partLines({ name, value, inputs, parts = [] }: Part, depth = 0): Generator<string> {
  const told = Object.entries(inputs).map(([input, given]) => `${input}=${shown(given)}`);
  yield `${'  '.repeat(depth)}${name} ${shown(value)}${told.length > 0 ? `  (${told.join(', ')})` : ''}`;
  for (const part of parts) if (part.value !== 0) yield* partLines(part, depth + 1);
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
}

export const searchCommands: readonly Command[] = [
  {
    name: 'search',
    usage: '<engine> <query…> [--count <n>]',
    summary: 'Search an engine as its visitors do',
    words: [2, 100],
    options: { count: { type: 'string' } },
    routes: ['GET /engines/:engineId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'engine');
      const perPage = numberOption(input, 'count') ?? 10;
      if (perPage === 0) throw wrongUsage('--count must be a whole number from 1');
      const api = await client();
      const { customer } = await api.admin('GET', `/engines/${id}`);
      const body = { query: input.positionals.slice(1).join(' '), perPage };
      const authorization = siteKeyOf(customer, id);
      const answer = (await api.open('POST', `/api/v4/${customer}/${id}/search`, {
        authorization,
        body,
      })) as SearchAnswer;
      const rows = answer.TypedDocuments.map(({ Id, Fields }) => ({ title: Fields['Title']?.Value ?? '', id: Id }));
      print.rows(rows, ['title', 'id'], 'nothing found');
      if (answer.FixedQuery) print.note(`Searched for: ${answer.FixedQuery}`);
      print.note(`${answer.TotalDocument} in all`);
    },
  },
  {
    name: 'search explain',
    usage: '<engine> <id> <query…> [--crawler <id>]',
    summary: 'Tell how a search scores a document, or what keeps it out',
    example: '6 https://www.example.com/solar solar',
    words: [3, 100],
    options: { crawler: { type: 'string' } },
    routes: ['POST /engines/:engineId/explain'],
    run: async ({ client, print }, input) => {
      const engine = idWord(input, 0, 'engine');
      const crawler = numberOption(input, 'crawler');
      const [, id, ...words] = input.positionals;
      const body = { id, search: { query: words.join(' ') }, ...(crawler !== undefined && { crawler }) };
      const answer = await (await client()).admin('POST', `/engines/${engine}/explain`, body);
      if (print.isJson) return print.record(answer);
      if (answer['fixedQuery']) print.note(`Searched for: ${answer['fixedQuery']}`);
      if (answer['isHit'] !== true) return print.record(answer['reason'] as Row);
      print.note(
        `Place ${answer['rank'] ?? 'behind the first 10,000'}${answer['pin'] ? ', put there by a ranking' : ''}`,
      );
      for (const line of partLines(answer['score'] as Part)) print.note(line);
    },
  },
  {
    name: 'search rank',
    usage: '<engine> <query…> [--page <url>]',
    summary: 'Tell how hits are scored, and why a page is none of them',
    example: '6 solar --page https://www.example.com/solar',
    words: [2, 100],
    options: { page: { type: 'string' } },
    routes: ['POST /engines/:engineId/explain-query'],
    run: async ({ client, print }, input) => {
      const engine = idWord(input, 0, 'engine');
      const url = textOption(input, 'page');
      const body = { search: { query: input.positionals.slice(1).join(' ') }, ...(url !== undefined && { url }) };
      const answer = await (await client()).admin('POST', `/engines/${engine}/explain-query`, body);
      if (print.isJson) return print.record(answer);
      if (answer['fixedQuery']) print.note(`Searched for: ${answer['fixedQuery']}`);
      const rows = (answer['hits'] as readonly Row[]).map(hitLine);
      print.rows(rows, ['place', 'score', 'pin', 'title', 'url', 'made of'], 'nothing found');
      print.note(`${answer['total']} in all`);
      if (answer['document'] !== null) showPlace(print, String(url), answer['document'] as Row);
    },
  },
  {
    name: 'why',
    usage: '<url> [--engine <id>]',
    summary: 'Tell what became of a URL, without naming its crawler',
    example: 'https://www.example.com/solar',
    words: [1, 1],
    options: { engine: { type: 'string' } },
    routes: ['GET /engines/:engineId/explain'],
    run: async ({ client, print, endBadly }, input) => {
      const api = await client();
      const named = numberOption(input, 'engine');
      const engines = named === undefined ? (await api.list('/engines')).map(({ id }) => id) : [named];
      const query = new URLSearchParams({ url: input.positionals[0] ?? '' });
      const answers: Row[] = [];
      for (const id of engines)
        answers.push({ engine: id, ...(await api.admin('GET', `/engines/${id}/explain?${query}`)) });
      const owned = answers.filter(({ crawler }) => crawler !== null);
      const [answer] = [...owned.filter(isKnown), ...owned];
      if (answer === undefined) endBadly();
      if (print.isJson)
        print.record(answer ?? { engine: null, crawler: null, explanation: null, others: othersOf(answers) });
      else if (answer === undefined) print.rows(othersOf(answers), OTHER_COLUMNS, 'no crawler visits this host');
      else {
        print.note(`Crawler ${answer['crawler']} of engine ${answer['engine']}`);
        showExplanation(print, answer['explanation'] as Row);
      }
    },
  },
];

const OTHER_COLUMNS = ['crawler', 'name', 'reason', 'rule', 'cause', 'advice'];

function isKnown({ explanation }: Row): boolean {
  return (explanation as Row)['verdict'] !== 'unknown';
}

function othersOf(answers: readonly Row[]): readonly Row[] {
  return answers.flatMap(({ others }) => others as readonly Row[]);
}

function hitLine({ rank, pin, title, url, score }: Row): Row {
  const part = score as Part | null;
  const parts = part?.parts?.[0]?.parts ?? [];
  return {
    place: rank,
    score: part === null ? null : shown(part.value),
    pin,
    title,
    url,
    'made of': parts.map(({ name, value }) => `${name} ${shown(value)}`).join(', '),
  };
}

function showPlace(print: Printer, url: string, { isHit, rank, reason }: Row): void {
  if (isHit === true) print.note(`${url} is at place ${rank ?? 'behind the first 10,000'}`);
  else print.note(`${url} is no hit: ${(reason as Row)['message']}`);
}
