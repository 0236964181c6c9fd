import { AppError } from '../../core/errors.ts';
import { type Client, siteKeyOf } from '../client.ts';
import { type Command, idWord, type Row } from '../command.ts';
import { openAddress } from '../open-address.ts';

/** `[2](https://a.example/page#:~:text=…)`, as answers link their sources. */
const LINK = /\[(\d+)\]\((\S+?)\)/g;

/** What visitors and editors use, from the terminal. */
export const askCommands: readonly Command[] = [
  {
    name: 'ask',
    usage: '<engine> <question…>',
    summary: 'Ask an engine as its visitors do, with sources',
    example: '6 When do you open?',
    words: [2, 1_000],
    routes: ['GET /engines/:engineId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'engine');
      const api = await client();
      const { customer } = await api.admin('GET', `/engines/${id}`);
      const path = `/api/v4/${customer}/${id}/search/answer`;
      const sent = { authorization: siteKeyOf(customer, id), body: { question: input.positionals.slice(1).join(' ') } };
      if (print.isJson) {
        print.record((await api.open('POST', path, sent)) as Row);
        return;
      }
      const sources = new Map<string, string>();
      for await (const line of linesOf(api.stream(`${path}/stream`, sent))) {
        for (const [, number = '', url = ''] of line.matchAll(LINK)) if (!sources.has(number)) sources.set(number, url);
        print.text(line.replace(LINK, '[$1]'));
      }
      print.note('');
      for (const [number, url] of sources) print.text(`[${number}] ${url}`);
    },
  },
  {
    name: 'open',
    usage: '[<engine>]',
    summary: 'Open the admin pages, or the search page of an engine',
    words: [0, 1],
    routes: ['GET /home'],
    run: async ({ client, print, terminal }, input) => {
      const api = await client();
      const isAdmin = input.positionals.length === 0;
      const address = isAdmin ? `${api.adminUrl}/admin` : await pageOf(api, idWord(input, 0, 'engine'));
      if (print.isJson) print.record({ address });
      else print.text(address);
      if (terminal !== undefined) openAddress(address);
    },
  },
];

async function pageOf(api: Client, id: number): Promise<string> {
  const engines = (await api.admin('GET', '/home'))['engines'] as readonly Row[];
  const engine = engines.find((known) => known['id'] === id);
  if (engine === undefined) throw new AppError('record.not-found', `There is no engine ${id}`);
  if (engine['page'] !== null) return new URL(String(engine['page']), api.publicUrl).href;
  const next = `fossick engine set ${id} page.published=true`;
  throw new AppError('record.not-found', `The search page of engine ${id} is not published\nNext: ${next}`);
}

/** Lines as soon as each is whole; the last one may have no end. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
