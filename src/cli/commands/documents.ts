import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Command,
  type Context,
  idWord,
  numberOption,
  type Row,
  requiredOption,
  textOption,
  wrongUsage,
} from '../command.ts';
import { showDryRun } from './dry-runs.ts';

const COLUMNS = ['rid', 'crawler', 'id', 'title', 'type', 'origin', 'language', 'updatedAt', 'damaged'];
const DEFAULT_LIMIT = 50;
/** `--url` is the address of the product. */
const FILTERS = [
  ['text', 'text'],
  ['part', 'url'],
  ['title', 'title'],
  ['language', 'language'],
  ['type', 'type'],
] as const;

export const documentCommands: readonly Command[] = [
  {
    name: 'documents list',
    usage:
      '<engine> [--crawler <id>] [--text <words>] [--part <of url>] [--title <part>] [--language <code>] [--type <type>] [--after <next>] [--limit <n>]',
    summary: 'List stored documents of an engine',
    example: '6 --text "opening hours" --language en',
    words: [1, 1],
    options: {
      crawler: { type: 'string' },
      text: { type: 'string' },
      part: { type: 'string' },
      title: { type: 'string' },
      language: { type: 'string' },
      type: { type: 'string' },
      after: { type: 'string' },
      limit: { type: 'string' },
    },
    routes: ['GET /engines/:engineId/documents'],
    run: async ({ client, print }, input) => {
      const query = new URLSearchParams({
        limit: String(numberOption(input, 'limit') ?? DEFAULT_LIMIT),
        after: String(numberOption(input, 'after') ?? 0),
      });
      const crawler = numberOption(input, 'crawler');
      if (crawler !== undefined) query.set('crawler', String(crawler));
      for (const [option, member] of FILTERS) {
        const value = textOption(input, option);
        if (value !== undefined) query.set(member, value);
      }
      const path = `/engines/${idWord(input, 0, 'engine')}/documents?${query}`;
      const { items, next } = await (await client()).admin('GET', path);
      print.rows(items as Row[], COLUMNS, 'no documents: fossick crawler list, or fossick documents put to push some');
      if (next !== null) print.note(`More: --after ${next}`);
    },
  },
  {
    name: 'documents get',
    usage: '<engine> <rid|url>',
    summary: 'Show a stored document, by its row id or address',
    words: [2, 2],
    routes: ['GET /engines/:engineId/documents/:rid', 'GET /engines/:engineId/documents/by-url'],
    run: async ({ client, print }, input) => {
      const documents = `/engines/${idWord(input, 0, 'engine')}/documents`;
      const [, word = ''] = input.positionals;
      const isId = !/[:/]/.test(word);
      const path = isId ? `/${idWord(input, 1, 'document')}` : `/by-url?${new URLSearchParams({ url: word })}`;
      print.record(await (await client()).admin('GET', `${documents}${path}`));
    },
  },
  {
    name: 'documents extract',
    usage: '<engine> <rid> [--explain]',
    summary: 'Fetch the page of a document anew, and tell what is read',
    words: [2, 2],
    options: { explain: { type: 'boolean' } },
    routes: ['POST /engines/:engineId/documents/:rid/extraction'],
    run: async ({ client, print }, input) => {
      const document = `/engines/${idWord(input, 0, 'engine')}/documents/${idWord(input, 1, 'document')}`;
      const extraction = await (await client()).admin('POST', `${document}/extraction`);
      if (print.isJson) {
        print.record(extraction);
        return;
      }
      showDryRun(print, extraction, { isExplained: input.options['explain'] === true });
      print.note(`\n${extraction['note']}`);
    },
  },
  {
    name: 'documents put',
    usage: '<crawler> <file.json> --key <API key>',
    summary: 'Push the documents of a JSON file, which is a list',
    words: [2, 2],
    options: { key: { type: 'string' } },
    routes: ['GET /crawlers/:crawlerId'],
    run: async (context, input) => {
      const id = idWord(input, 0, 'crawler');
      const key = requiredOption(input, 'key');
      const body = await readJson(context, input.positionals[1] ?? '');
      const api = await context.client();
      const { customer } = await api.admin('GET', `/crawlers/${id}`);
      const authorization = `Basic ${Buffer.from(`${customer}:${key}`).toString('base64')}`;
      const path = `/api/v4/${customer}/index/${id}/documents?echo=false`;
      const rows = (await api.open('PUT', path, { authorization, body })) as readonly Row[];
      context.print.rows(rows, Object.keys(rows[0] ?? {}));
    },
  },
  {
    name: 'documents delete',
    usage: '<engine> <rid>',
    summary: 'Delete a stored document, by its row id',
    words: [2, 2],
    routes: ['DELETE /engines/:engineId/documents/:rid'],
    run: async ({ client, print }, input) => {
      const path = `/engines/${idWord(input, 0, 'engine')}/documents/${idWord(input, 1, 'document')}`;
      await (await client()).admin('DELETE', path);
      print.note(`Document ${input.positionals[1]} is deleted`);
    },
  },
];

async function readJson({ folder }: Context, name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(resolve(folder, name), 'utf8'));
  } catch (cause) {
    throw wrongUsage(`${name} cannot be read as JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
