import { type Command, type Input, idWord, type Printer, type Row, wrongUsage } from '../command.ts';
import { timeShown } from '../shown-times.ts';

const COLUMNS = ['id', 'question', 'mustCite', 'mustContain'];
const STATE_COLUMNS = ['id', 'question', 'by', 'state', 'since', 'missing', 'changed since'];
const NONE = 'no golden questions: fossick golden add <engine> <question> --cite <url>';

/** Questions whose answers are watched. */
export const goldenCommands: readonly Command[] = [
  {
    name: 'golden list',
    usage: '<engine>',
    summary: 'List questions whose answers are watched',
    words: [1, 1],
    routes: ['GET /engines/:engineId/golden-questions'],
    run: async ({ client, print }, input) => {
      const path = `/engines/${idWord(input, 0, 'engine')}/golden-questions`;
      print.rows(await (await client()).list(path), COLUMNS, NONE);
    },
  },
  {
    name: 'golden add',
    usage: '<engine> <question> [--cite <url>…] [--contains <text>…]',
    summary: 'Watch an answer: pages it must cite, words it must say',
    example: '6 "When do you open?" --contains "9 am | 9:00"',
    words: [2, 2],
    options: { cite: { type: 'string', multiple: true }, contains: { type: 'string', multiple: true } },
    routes: ['POST /engines/:engineId/golden-questions'],
    run: async ({ client, print }, input) => {
      const engine = idWord(input, 0, 'engine');
      const [mustCite, mustContain] = [textsOption(input, 'cite'), textsOption(input, 'contains')];
      if (mustCite.length + mustContain.length === 0) throw wrongUsage('--cite or --contains is missing');
      const body = { question: input.positionals[1], mustCite, mustContain };
      print.record(await (await client()).admin('POST', `/engines/${engine}/golden-questions`, body));
      print.note(`Next: fossick golden ask ${engine}`);
    },
  },
  {
    name: 'golden remove',
    usage: '<engine> <question id>',
    summary: 'Watch the answer to a question no longer',
    example: '6 4',
    words: [2, 2],
    routes: ['DELETE /engines/:engineId/golden-questions/:questionId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 1, 'question');
      await (await client()).admin('DELETE', `/engines/${idWord(input, 0, 'engine')}/golden-questions/${id}`);
      print.note(`Golden question ${id} is removed`);
    },
  },
  {
    name: 'golden ask',
    usage: '<engine>',
    summary: 'Ask all golden questions now',
    example: '6',
    words: [1, 1],
    routes: ['POST /engines/:engineId/golden-questions/ask'],
    run: async ({ client, print }, input) => {
      const path = `/engines/${idWord(input, 0, 'engine')}/golden-questions/ask`;
      printStates(print, (await (await client()).admin('POST', path, {}))['items'] as readonly Row[]);
    },
  },
  {
    name: 'stats golden',
    usage: '<engine>',
    summary: 'Show how golden questions were answered, and what changed',
    example: '6',
    words: [1, 1],
    routes: ['GET /engines/:engineId/statistics/golden'],
    run: async ({ client, print }, input) => {
      const path = `/engines/${idWord(input, 0, 'engine')}/statistics/golden`;
      printStates(print, (await (await client()).admin('GET', path))['items'] as readonly Row[]);
    },
  },
];

function printStates(print: Printer, items: readonly Row[]): void {
  print.rows(print.isJson ? items : items.map(shown), STATE_COLUMNS, NONE);
}

function shown({ id, question, composer, state, since, refusal, missingPages, missingTexts, changed }: Row): Row {
  const missing = [...(missingPages as readonly string[]), ...(missingTexts as readonly string[])];
  const pages = changed as readonly { readonly url: string; readonly seq: number | null }[];
  return {
    id,
    question,
    by: composer,
    state,
    since: timeShown(since),
    missing: refusal === null ? missing.join(', ') || '-' : `an answer (${refusal})`,
    'changed since': pages.map(({ url, seq }) => (seq === null ? `${url} (removed)` : url)).join(', ') || '-',
  };
}

function textsOption(input: Input, name: string): readonly string[] {
  const values = input.options[name];
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
