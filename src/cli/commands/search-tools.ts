import { type Command, type Context, type Input, idWord, membersOf, type Row } from '../command.ts';
import { queryString } from './pins.ts';

type Noun = 'ranking' | 'banner' | 'quicklink';

type ToolKind = {
  readonly noun: Noun;
  readonly path: string;
  readonly columns: readonly string[];
  /** Members that may be set. */
  readonly members: readonly string[];
  readonly add: Pick<Command, 'usage' | 'example' | 'words'> & {
    readonly bodyOf: (words: readonly string[]) => object;
  };
  readonly setExample: string;
};

const RANKING: ToolKind = {
  noun: 'ranking',
  path: 'rankings',
  columns: ['id', 'name', 'queries', 'pages', 'brokenLinksFoundAt', 'managedBy'],
  members: ['name', 'queries', 'audiences', 'pins'],
  add: {
    usage: '<engine> <name> <member=value…>',
    example: `6 Hours 'queries=["hours","open*"]'`,
    words: [2, 20],
    bodyOf: ([name, ...members]) => ({ name, ...membersOf(members) }),
  },
  setExample: `6 3 'queries=["opening*","hours"]'`,
};

const BANNER: ToolKind = {
  noun: 'banner',
  path: 'banners',
  columns: ['id', 'name', 'queries', 'activeNow', 'from', 'to', 'brokenLinks', 'managedBy'],
  members: [
    ...['name', 'html', 'queries', 'disabled', 'from', 'to', 'audiences', 'engines'],
    ...['frequency', 'daysOfWeek', 'cssCode', 'jsonOption', 'editorType'],
  ],
  add: {
    usage: '<engine> <name> <html> [member=value…]',
    example: `6 Sale '<b>Sale</b>' 'queries=["sale"]'`,
    words: [3, 20],
    bodyOf: ([name, html, ...members]) => ({ name, html, ...membersOf(members) }),
  },
  setExample: '6 3 disabled=true',
};

const QUICKLINK: ToolKind = {
  noun: 'quicklink',
  path: 'quicklinks',
  columns: ['id', 'url', 'queries', 'broken', 'managedBy'],
  members: ['url', 'queries'],
  add: {
    usage: '<engine> <url> <query…>',
    example: '6 /contact contact "phone number"',
    words: [3, 100],
    bodyOf: ([url, ...queries]) => ({ url, queries }),
  },
  setExample: '6 3 url=/contact-us',
};

/** Banners, rankings and quicklinks, and whether their targets are there. */
export const searchToolCommands: readonly Command[] = [
  ...[RANKING, BANNER, QUICKLINK].flatMap(commandsOf),
  {
    name: 'tools check',
    usage: '<engine>',
    summary: 'Look now for pins and links whose page is gone',
    example: '6',
    words: [1, 1],
    routes: ['POST /engines/:engineId/tools/check'],
    run: async (context, input) => printBroken(context, input, { method: 'POST', name: 'check', body: {} }),
  },
  {
    name: 'tools broken',
    usage: '<engine>',
    summary: 'List what the last check of tools found',
    example: '6',
    words: [1, 1],
    routes: ['GET /engines/:engineId/tools/broken'],
    run: async (context, input) => printBroken(context, input, { method: 'GET', name: 'broken' }),
  },
];

function commandsOf({ noun, path, columns, members, add, setExample }: ToolKind): readonly Command[] {
  const list = (input: Input) => `/engines/${idWord(input, 0, 'engine')}/${path}`;
  const one = (input: Input) => `${list(input)}/${idWord(input, 1, noun)}`;
  const route = (method: string) => `${method} /engines/:engineId/${path}`;
  return [
    {
      name: `${noun} list`,
      usage: '<engine> [query]',
      summary: `List ${path}, of a query or all`,
      words: [1, 2],
      routes: [route('GET')],
      run: async ({ client, print }, input) => {
        const found = await (await client()).list(`${list(input)}${queryString({ query: input.positionals[1] })}`);
        print.rows(
          print.isJson ? found : found.map(shownTool),
          columns,
          `no ${path}: fossick ${noun} add ${add.usage}`,
        );
      },
    },
    {
      name: `${noun} show`,
      usage: `<engine> <${noun}>`,
      summary: `Show a ${noun}`,
      words: [2, 2],
      routes: [`${route('GET')}/:toolId`],
      run: async ({ client, print }, input) => print.record(await (await client()).admin('GET', one(input))),
    },
    {
      name: `${noun} add`,
      usage: add.usage,
      summary: `Make a ${noun}`,
      words: add.words,
      ...(add.example !== undefined && { example: add.example }),
      routes: [route('POST')],
      run: async (context, input) =>
        printStored(
          context,
          await (await context.client()).admin('POST', list(input), add.bodyOf(input.positionals.slice(1))),
        ),
    },
    {
      name: `${noun} set`,
      usage: `<engine> <${noun}> <member=value…>`,
      summary: `Change members of a ${noun}`,
      example: setExample,
      words: [3, 20],
      routes: [`${route('PUT')}/:toolId`, `${route('GET')}/:toolId`],
      run: async (context, input) => {
        const api = await context.client();
        const changed = membersOf(input.positionals.slice(2));
        const present = await api.admin('GET', one(input));
        const kept = Object.entries(present).filter(([name]) => members.includes(name) && !(name in changed));
        const body = { ...Object.fromEntries(kept.map(([name, value]) => [name, sendable(name, value)])), ...changed };
        printStored(context, await api.admin('PUT', one(input), body));
      },
    },
    {
      name: `${noun} remove`,
      usage: `<engine> <${noun}>`,
      summary: `Remove a ${noun}`,
      words: [2, 2],
      routes: [`${route('DELETE')}/:toolId`],
      run: async ({ client, print }, input) => {
        await (await client()).admin('DELETE', one(input));
        print.note(`The ${noun} ${input.positionals[1]} is removed`);
      },
    },
  ];
}

/** What is shown of a pin is more than what is sent. */
function sendable(name: string, value: unknown): unknown {
  if (name !== 'pins') return value;
  return (value as readonly Row[]).map(({ documentId, place, hidden }) => ({ documentId, place, hidden }));
}

function shownTool(tool: Row): Row {
  const pins = tool['pins'] as readonly Row[] | undefined;
  const texts = (value: unknown) => (Array.isArray(value) ? value.join(' | ') || '-' : value);
  return {
    ...Object.fromEntries(Object.entries(tool).map(([name, value]) => [name, texts(value)])),
    ...(pins !== undefined && { pages: pins.length }),
  };
}

function printStored({ print }: Context, answer: Row): void {
  const { warnings, ...record } = answer;
  print.record(print.isJson ? answer : record);
  if (!print.isJson) for (const warning of warnings as readonly string[]) print.warn(warning);
}

type Asked = { readonly method: string; readonly name: string; readonly body?: object };

async function printBroken({ client, print }: Context, input: Input, { method, name, body }: Asked): Promise<void> {
  const engine = idWord(input, 0, 'engine');
  const { checkedAt, items } = await (await client()).admin(method, `/engines/${engine}/tools/${name}`, body);
  const found = items as readonly Row[];
  const rows = print.isJson
    ? found
    : found.map((item) => ({ ...item, targets: (item['targets'] as string[]).join(', ') }));
  const whenEmpty = checkedAt === null ? `never looked at: fossick tools check ${engine}` : 'all targets are there';
  print.rows(rows, ['tool', 'id', 'name', 'targets', 'foundAt'], whenEmpty);
}
