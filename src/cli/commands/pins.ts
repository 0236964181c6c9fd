import type { Client } from '../client.ts';
import {
  type Command,
  type Context,
  type Input,
  idWord,
  type Printer,
  type Row,
  textOption,
  wrongUsage,
} from '../command.ts';

const PIN_COLUMNS = ['query', 'place', 'url', 'title', 'ranking', 'broken'];
const HIDDEN_COLUMNS = ['id', 'url', 'title', 'note', 'broken'];

/** Pages at a place of a query, or out of it. */
export const pinCommands: readonly Command[] = [
  {
    name: 'pin',
    usage: '<engine> <query> <url> [place] [--document <id>]',
    summary: 'Pin a page to a place of a query (1 unless it is said)',
    example: '6 hours https://www.example.com/hours 1',
    words: [2, 4],
    options: { document: { type: 'string' } },
    routes: ['POST /engines/:engineId/pins'],
    run: async (context, input) => {
      const { query, page, rest } = pageWords(input);
      await place(context, input, { query, ...page, ...(rest !== undefined && { place: placeOf(rest) }) });
    },
  },
  {
    name: 'pin list',
    usage: '<engine> [query]',
    summary: 'List pages that are pinned or hidden, of a query or all',
    words: [1, 2],
    routes: ['GET /engines/:engineId/pins'],
    run: async ({ client, print }, input) => {
      const [, query] = input.positionals;
      const path = `/engines/${idWord(input, 0, 'engine')}/pins${queryString({ query })}`;
      print.rows(
        shownPins(await (await client()).list(path), print),
        PIN_COLUMNS,
        'no pins: fossick pin <engine> <query> <url>',
      );
    },
  },
  {
    name: 'pin remove',
    usage: '<engine> <query> <url> [--document <id>]',
    summary: 'Pin or hide a page no longer for a query',
    example: '6 hours https://www.example.com/hours',
    words: [2, 3],
    options: { document: { type: 'string' } },
    routes: ['DELETE /engines/:engineId/pins'],
    run: release,
  },
  {
    name: 'pin test',
    usage: '<engine> <query> <url> [place] [--document <id>]',
    summary: 'Show what a pin would do, and store nothing',
    example: '6 hours https://www.example.com/hours 1',
    words: [2, 4],
    options: { document: { type: 'string' } },
    routes: ['POST /engines/:engineId/preview'],
    run: async (context, input) => {
      const { query, page, rest } = pageWords(input);
      const pin = { query, ...page, place: rest === undefined ? 1 : placeOf(rest) };
      await preview(context, input, { query, tools: { pins: [pin] } });
    },
  },
  {
    name: 'test',
    usage: '<engine> <query…> [--at <time>] [--trait <trait>…]',
    summary: 'Show what search tools do to the results of a query',
    example: '6 opening hours --at 2030-01-31T12:00:00Z',
    words: [2, 50],
    options: { at: { type: 'string' }, trait: { type: 'string', multiple: true } },
    routes: ['POST /engines/:engineId/preview'],
    run: async (context, input) => {
      const [at, traits] = [textOption(input, 'at'), input.options['trait']];
      const query = input.positionals.slice(1).join(' ');
      await preview(context, input, {
        query,
        ...(at !== undefined && { at }),
        ...(traits !== undefined && { traits }),
      });
    },
  },
  {
    name: 'hide',
    usage: '<engine> <url> [--query <query>] [--note <text>] [--document <id>]',
    summary: 'Hide a page, for one query or for all and everybody',
    example: '6 https://www.example.com/old --note Old',
    words: [1, 2],
    options: { query: { type: 'string' }, note: { type: 'string' }, document: { type: 'string' } },
    routes: ['POST /engines/:engineId/hidden-pages', 'POST /engines/:engineId/pins'],
    run: hide,
  },
  {
    name: 'hide list',
    usage: '<engine>',
    summary: 'List pages that are hidden for every query',
    words: [1, 1],
    routes: ['GET /engines/:engineId/hidden-pages'],
    run: async ({ client, print }, input) => {
      const path = `/engines/${idWord(input, 0, 'engine')}/hidden-pages`;
      print.rows(await (await client()).list(path), HIDDEN_COLUMNS, 'no hidden pages: fossick hide <engine> <url>');
    },
  },
  {
    name: 'hide remove',
    usage: '<engine> <hidden page id>',
    summary: 'Show a hidden page again',
    example: '6 4',
    words: [2, 2],
    routes: ['DELETE /engines/:engineId/hidden-pages/:hiddenPageId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 1, 'hidden page');
      await (await client()).admin('DELETE', `/engines/${idWord(input, 0, 'engine')}/hidden-pages/${id}`);
      print.note('The page is shown again');
    },
  },
  {
    name: 'documents near',
    usage: '<engine> <address or words…>',
    summary: 'List the documents nearest to an address or words',
    example: '6 example.com/opening',
    words: [2, 20],
    routes: ['GET /engines/:engineId/pages'],
    run: async ({ client, print }, input) => {
      const near = input.positionals.slice(1).join(' ');
      const path = `/engines/${idWord(input, 0, 'engine')}/pages${queryString({ near })}`;
      const { items } = await (await client()).admin('GET', path);
      print.rows(items as readonly Row[], ['url', 'title', 'documentId'], 'nothing is like it');
    },
  },
];

/** `?name=value`, of those that are given. */
export function queryString(members: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? '' : `?${query}`;
}

type Page = { readonly url: string } | { readonly documentId: string };

/** Query and page; with `--document` the address is left out. */
function pageWords(input: Input): { readonly query: string; readonly page: Page; readonly rest: string | undefined } {
  const [, query = '', ...words] = input.positionals;
  const documentId = textOption(input, 'document');
  if (documentId !== undefined) return { query, page: { documentId }, rest: words[0] };
  const [url, rest] = words;
  if (url === undefined) throw wrongUsage('The address of the page is missing, or the id of its document: --document');
  return { query, page: { url }, rest };
}

function placeOf(word: string): number {
  if (/^[1-9][0-9]{0,4}$/.test(word)) return Number(word);
  throw wrongUsage(`${JSON.stringify(word)} is no place: the first one is 1`);
}

type Placed = {
  readonly ranking: { readonly id: number };
  readonly pin: { readonly url: string; readonly place: number | null };
  readonly shifted: readonly { readonly url: string; readonly to: number }[];
  readonly warnings: readonly string[];
};

async function place({ client, print }: Context, input: Input, body: object): Promise<void> {
  const engine = idWord(input, 0, 'engine');
  const answer = await (await client()).admin('POST', `/engines/${engine}/pins`, body);
  if (print.isJson) return print.record(answer);
  const { pin, shifted, ranking, warnings } = answer as unknown as Placed;
  const where = pin.place === null ? 'hidden' : `at place ${pin.place}`;
  print.note(`${pin.url} is ${where} (ranking ${ranking.id})`);
  for (const { url, to } of shifted) print.note(`${url} made room: place ${to}`);
  for (const warning of warnings) print.warn(warning);
}

async function release({ client, print }: Context, input: Input): Promise<void> {
  const { query, page } = pageWords(input);
  const path = `/engines/${idWord(input, 0, 'engine')}/pins${queryString({ query, ...page })}`;
  const answer = await (await client()).admin('DELETE', path);
  if (print.isJson) return print.record(answer);
  const isGone = answer['ranking'] === null;
  print.note(`The page is in no ranking of "${query}" now${isGone ? ', which held nothing else and is removed' : ''}`);
}

async function hide(context: Context, input: Input): Promise<void> {
  const [, url] = input.positionals;
  const documentId = textOption(input, 'document');
  if ((url === undefined) === (documentId === undefined)) {
    throw wrongUsage('Name the page by its address, or by --document');
  }
  const page: Page = documentId === undefined ? { url: url ?? '' } : { documentId };
  const query = textOption(input, 'query');
  if (query !== undefined) return place(context, input, { query, ...page, hidden: true });
  const note = textOption(input, 'note');
  const path = `/engines/${idWord(input, 0, 'engine')}/hidden-pages`;
  const api: Client = await context.client();
  context.print.record(await api.admin('POST', path, { ...page, ...(note !== undefined && { note }) }));
}

type Named = { readonly id: number | null; readonly name: string };
type Previewed = {
  readonly total: number;
  readonly fixedQuery: string;
  readonly hits: readonly (Row & {
    readonly place: number;
    readonly placeBefore: number | null;
    readonly pinnedBy: Named | null;
  })[];
  readonly removed: readonly (Row & {
    readonly placeBefore: number;
    readonly hiddenBy: Named & { readonly tool: string };
  })[];
  readonly banners: readonly Named[];
  readonly quicklinks: readonly { readonly url: string; readonly term: string }[];
  readonly synonyms: readonly string[];
  readonly before: { readonly total: number };
};

async function preview({ client, print }: Context, input: Input, body: object): Promise<void> {
  const answer = await (await client()).admin('POST', `/engines/${idWord(input, 0, 'engine')}/preview`, body);
  if (print.isJson) return print.record(answer);
  const { hits, removed, banners, quicklinks, synonyms, ...shown } = answer as unknown as Previewed;
  if (shown.fixedQuery !== '') print.note(`Searched for: ${shown.fixedQuery}`);
  print.rows(hits.map(shownHit), ['place', 'before', 'url', 'title', 'why'], 'nothing found');
  for (const { url, placeBefore, hiddenBy } of removed) {
    print.note(`Not shown: ${url}, place ${placeBefore} without tools (${hiddenBy.tool} ${named(hiddenBy)})`);
  }
  for (const banner of banners) print.note(`Banner: ${named(banner)}`);
  for (const { url, term } of quicklinks) print.note(`Quicklink: ${url} (${term})`);
  if (synonyms.length > 0) print.note(`Synonyms: ${synonyms.join(', ')}`);
  print.note(`${shown.total} in all, ${shown.before.total} without tools`);
}

function shownHit(hit: Previewed['hits'][number]): Row {
  const { pinnedBy, placeBefore } = hit;
  return { ...hit, before: placeBefore, why: pinnedBy === null ? '' : `pinned by ranking ${named(pinnedBy)}` };
}

function named({ id, name }: Named): string {
  return id === null ? name : `${id} (${name})`;
}

function shownPins(pins: readonly Row[], print: Printer): readonly Row[] {
  if (print.isJson) return pins;
  return pins.map((pin) => {
    const ranking = pin['ranking'] as { readonly id: number; readonly queries: readonly string[] };
    return { ...pin, place: pin['place'] ?? 'hidden', query: ranking.queries.join(' | '), ranking: ranking.id };
  });
}
