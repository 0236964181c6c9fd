import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { type Command, numberOption } from '../command.ts';
import type { Row } from '../print.ts';

const ENGINE_COLUMNS = ['id', 'name', 'documents', 'crawlers', 'activeCrawlers', 'seq', 'visibleSeq'];
const DEFAULT_LIMIT = 50;

export const statusCommands: readonly Command[] = [
  {
    name: 'status',
    usage: '',
    summary: 'Show roles, disk, engines and what needs attention',
    words: [0, 0],
    routes: ['GET /status'],
    run: async ({ client, print }) => {
      const status = await (await client()).admin('GET', '/status');
      if (print.isJson) {
        print.record(status);
        return;
      }
      const { engines, warnings, ...rest } = status;
      print.record(rest);
      const hasVectors = (engines as readonly Row[]).some((engine) => 'vectorSeq' in engine);
      const columns = hasVectors ? [...ENGINE_COLUMNS, 'vectorSeq'] : ENGINE_COLUMNS;
      print.rows(engines as readonly Row[], columns, 'no engines yet: fossick engine add <customer> <name>');
      for (const warning of warnings as readonly string[]) print.warn(warning);
    },
  },
  {
    name: 'ps',
    usage: '',
    summary: 'List the processes of this installation',
    words: [0, 0],
    routes: [],
    run: async ({ dataDir, print }) => {
      const path = join(await dataDir(), 'processes.json');
      const text = await readFile(path, 'utf8').catch((cause: unknown) => {
        const message = `Nothing runs here (no ${path}): start the product with npm start, or set DATA_DIR`;
        throw new AppError('internal', message, { cause });
      });
      const processes = JSON.parse(text) as readonly { readonly role: string; readonly pid: number }[];
      print.rows(
        processes.map(({ role, pid }) => ({ role, pid })),
        ['role', 'pid'],
      );
    },
  },
  {
    name: 'audit',
    usage: '[--limit <n>]',
    summary: 'Show who changed what, newest first',
    words: [0, 0],
    options: { limit: { type: 'string' } },
    routes: ['GET /audit'],
    run: async ({ client, print }, input) => {
      const limit = numberOption(input, 'limit') ?? DEFAULT_LIMIT;
      const { items } = await (await client()).admin('GET', `/audit?limit=${limit}`);
      print.rows(items as readonly Row[], ['at', 'actor', 'action', 'target', 'after'], 'no changes yet');
    },
  },
];
