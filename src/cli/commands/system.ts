import { setTimeout as delay } from 'node:timers/promises';
import { type Command, type Context, idWord, numberOption, type Row, textOf, textOption } from '../command.ts';
import { timeShown } from '../shown-times.ts';

const BYTES_PER_MB = 1e6;
const FOLLOW_EVERY_MS = 1_000;
const PROCESS_COLUMNS = ['name', 'ready', 'memory', 'cpu', 'restarts', 'since', 'lastCause'];
const QUEUE_COLUMNS = ['crawler', 'name', 'active', 'waiting', 'failed', 'heldHosts', 'heldRemovals'];

/** How the installation gets on. */
export const systemCommands: readonly Command[] = [
  {
    name: 'logs',
    usage: '[--follow] [--level <level>] [--role <role>] [--text <part>] [--limit <n>]',
    summary: 'Show the last lines of the log of all processes',
    example: '--follow --level warn',
    words: [0, 0],
    options: {
      follow: { type: 'boolean' },
      level: { type: 'string' },
      role: { type: 'string' },
      text: { type: 'string' },
      limit: { type: 'string' },
    },
    routes: ['GET /logs'],
    run: async (context, input) => {
      const names = ['level', 'role', 'text', 'limit'];
      const query = new URLSearchParams(
        names.flatMap((name) => {
          const value = textOption(input, name);
          return value === undefined ? [] : [[name, value] as [string, string]];
        }),
      );
      const client = await context.client();
      let { items, next } = await client.admin('GET', `/logs?${query}`);
      show(context, items as readonly Row[]);
      if (input.options['follow'] !== true) return;
      for (const signal = context.interruption(); !signal.aborted; ) {
        await delay(FOLLOW_EVERY_MS, undefined, { signal }).catch(() => undefined);
        if (next !== null) query.set('after', String(next));
        ({ items, next } = await client.admin('GET', `/logs?${query}`));
        show(context, items as readonly Row[]);
      }
    },
  },
  {
    name: 'processes',
    usage: '',
    summary: 'Show memory and restarts of processes, and what takes disk',
    words: [0, 0],
    routes: ['GET /processes'],
    run: async ({ client, print }) => {
      const shown = await (await client()).admin('GET', '/processes');
      if (print.isJson) {
        print.record(shown);
        return;
      }
      print.rows((shown['items'] as readonly Row[]).map(processLine), PROCESS_COLUMNS);
      print.note('');
      const { parts } = shown['disk'] as { readonly parts: readonly Row[] };
      print.rows(
        parts.map(({ name, bytes }) => ({ name, size: megabytes(bytes) })),
        ['size', 'name'],
        'nothing',
      );
    },
  },
  {
    name: 'queues',
    usage: '[--customer <id>] [--limit <n>] [--after <next>]',
    summary: 'Show what waits and what failed, crawler by crawler',
    words: [0, 0],
    options: { customer: { type: 'string' }, limit: { type: 'string' }, after: { type: 'string' } },
    routes: ['GET /queues'],
    run: async ({ client, print }, input) => {
      const query = new URLSearchParams(
        ['customer', 'limit', 'after'].flatMap((name) => {
          const value = numberOption(input, name);
          return value === undefined ? [] : [[name, String(value)] as [string, string]];
        }),
      );
      const { items, next } = await (await client()).admin('GET', `/queues?${query}`);
      print.rows(items as readonly Row[], QUEUE_COLUMNS, 'no crawlers');
      if (next !== null) print.note(`More: --after ${next}`);
    },
  },
  {
    name: 'crawler retry',
    usage: '<crawler> [--reason <reason>] [--host <host>]',
    summary: 'Have URLs visited again whose last visit failed',
    example: '17 --reason timeout',
    words: [1, 1],
    options: { reason: { type: 'string' }, host: { type: 'string' } },
    routes: ['POST /crawlers/:crawlerId/retry'],
    run: async ({ client, print }, input) => {
      const body = { reason: textOption(input, 'reason'), host: textOption(input, 'host') };
      print.record(await (await client()).admin('POST', `/crawlers/${idWord(input, 0, 'crawler')}/retry`, body));
    },
  },
];

function show({ print }: Context, lines: readonly Row[]): void {
  for (const line of lines) {
    if (print.isJson) print.raw(`${JSON.stringify(line)}\n`);
    else
      print.text(
        `${line['at']} ${line['level']} ${line['process']}: ${line['message']}${detailText(line['detail'] as Row)}`,
      );
  }
}

function detailText(detail: Row): string {
  return Object.entries(detail)
    .map(([name, value]) => ` ${name}=${textOf(value)}`)
    .join('');
}

function processLine({ memoryBytes, cpuSeconds, startedAt, ...usage }: Row): Row {
  return {
    ...usage,
    memory: megabytes(memoryBytes),
    cpu: cpuSeconds === null ? null : `${Number(cpuSeconds).toFixed(1)} s`,
    since: timeShown(startedAt),
  };
}

function megabytes(bytes: unknown): string | null {
  return bytes === null ? null : `${(Number(bytes) / BYTES_PER_MB).toFixed(1)} MB`;
}
