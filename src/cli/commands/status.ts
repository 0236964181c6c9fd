import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { type Command, numberOption, type Printer, type Row, textOption } from '../command.ts';
import { timeShown } from '../shown-times.ts';

const ENGINE_COLUMNS = ['id', 'name', 'documents', 'crawlers', 'activeCrawlers', 'seq', 'visibleSeq'];
const HOME_COLUMNS = [
  'id',
  'name',
  'documents',
  'searches',
  'withoutResults',
  'answers',
  'refused',
  'running',
  'last good crawl',
];
const DEFAULT_LIMIT = 50;
const AUDIT_FILTERS = ['actor', 'action', 'target', 'from', 'to'] as const;

const BYTES_PER_GB = 1e9;

type Disk = { readonly freeBytes: number; readonly totalBytes: number };
export type ShownFinding = Readonly<Record<'name' | 'severity' | 'subject' | 'sentence' | 'command', string>>;
type Model = Readonly<Record<'kind' | 'name' | 'state', string>> & {
  readonly failedAt?: string;
  readonly fault?: string;
};
type Machine = {
  readonly host: string;
  readonly processes: readonly { readonly name: string; readonly misses: readonly string[] }[];
};
type Role = { readonly role: string; readonly holder: string };

export const statusCommands: readonly Command[] = [
  {
    name: 'status',
    usage: '',
    summary: 'Show roles, disk and engines; exit code 1 when one needs help',
    words: [0, 0],
    routes: ['GET /status'],
    run: async ({ client, print, endBadly }) => {
      const status = await (await client()).admin('GET', '/status');
      if ((status['findings'] as readonly ShownFinding[]).length > 0) endBadly();
      if (print.isJson) {
        print.record(status);
        return;
      }
      const { engines, findings, disk, roles, models, machines, ...rest } = status;
      print.record({
        ...rest,
        disk: diskInWords(disk as Disk),
        machines: machinesInWords(machines as readonly Machine[]),
        roles: rolesInWords(roles as readonly Role[]),
        models: modelsInWords(models as readonly Model[]),
      });
      const hasVectors = (engines as readonly Row[]).some((engine) => 'vectorSeq' in engine);
      const columns = hasVectors ? [...ENGINE_COLUMNS, 'vectorSeq'] : ENGINE_COLUMNS;
      const isAway = (findings as readonly ShownFinding[]).some(({ name }) => name === 'database-down');
      const none = isAway ? 'engines cannot be read' : 'no engines yet: fossick engine add <customer> <name>';
      print.rows(engines as readonly Row[], columns, none);
      for (const found of findings as readonly ShownFinding[]) printFinding(print, found);
    },
  },
  {
    name: 'home',
    usage: '',
    summary: 'Show what is wrong, and what visitors did today',
    words: [0, 0],
    routes: ['GET /home'],
    run: async ({ client, print }) => {
      const home = await (await client()).admin('GET', '/home');
      if (print.isJson) {
        print.record(home);
        return;
      }
      const rows = (home['engines'] as readonly Row[]).map(({ today, lastGoodCrawl, ...engine }) => ({
        ...engine,
        ...(today as Row),
        'last good crawl': timeShown(lastGoodCrawl),
      }));
      print.rows(rows, HOME_COLUMNS, 'no engines yet: fossick site add <url>');
      for (const found of home['findings'] as readonly ShownFinding[]) printFinding(print, found);
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
      const nothing = (why: string, cause?: unknown) =>
        new AppError('internal', `Nothing runs here (${why}): start the product with npm start, or set DATA_DIR`, {
          cause,
        });
      const text = await readFile(path, 'utf8').catch((cause: unknown) => {
        throw nothing(`no ${path}`, cause);
      });
      const processes = JSON.parse(text) as readonly { readonly role: string; readonly pid: number }[];
      const living = processes.filter(({ pid }) => isAlive(pid));
      // A supervisor that was killed leaves its list behind.
      if (living.length === 0) throw nothing(`all of ${path} have ended`);
      print.rows(
        living.map(({ role, pid }) => ({ role, pid })),
        ['role', 'pid'],
      );
    },
  },
  {
    name: 'audit',
    usage:
      '[--actor <part>] [--action <action>] [--target <beginning>] [--from <date>] [--to <date>] [--limit <n>] [--after <id>]',
    summary: 'Show who changed what, newest first',
    example: '--actor anna --target engine:6 --from 2026-01',
    words: [0, 0],
    options: Object.fromEntries([...AUDIT_FILTERS, 'limit', 'after'].map((name) => [name, { type: 'string' }])),
    routes: ['GET /audit'],
    run: async ({ client, print }, input) => {
      const limit = numberOption(input, 'limit') ?? DEFAULT_LIMIT;
      const query = new URLSearchParams({ limit: String(limit) });
      for (const name of [...AUDIT_FILTERS, 'after']) {
        const value = textOption(input, name);
        if (value !== undefined) query.set(name, value);
      }
      const { items, next } = await (await client()).admin('GET', `/audit?${query}`);
      print.rows(items as readonly Row[], ['id', 'at', 'actor', 'action', 'target', 'after'], 'no change fits');
      if (next !== null) print.note(`More: --after ${next}`);
    },
  },
];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is somebody else's, and lives.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Two lines on the error output: what is wrong, and the command that mends it. */
export function printFinding(print: Printer, { severity, subject, sentence, command }: ShownFinding): void {
  print.problem(severity, `${subject}: ${sentence}`);
  print.problem('  mend it', command);
}

function diskInWords({ freeBytes, totalBytes }: Disk): string {
  const gigabytes = (bytes: number) => (bytes / BYTES_PER_GB).toFixed(1);
  return `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} GB are free`;
}

function rolesInWords(roles: readonly Role[]): string {
  return roles.length === 0 ? '-' : roles.map(({ role, holder }) => `${role} ${holder}`).join(', ');
}

function machinesInWords(machines: readonly Machine[]): string {
  const shown = machines.map(({ host, processes }) => {
    const each = processes.map(({ name, misses }) =>
      misses.length === 0 ? name : `${name} without ${misses.join(' and ')}`,
    );
    return `${host} (${each.join(', ')})`;
  });
  return shown.length === 0 ? '-' : shown.join('; ');
}

function modelsInWords(models: readonly Model[]): string {
  return models.length === 0 ? '-' : models.map(modelInWords).join('; ');
}

function modelInWords({ kind, name, state, failedAt, fault }: Model): string {
  const how = state === 'unknown' ? 'not asked yet ("fossick model test" asks it)' : state;
  return `${kind} ${name} ${how}${fault === undefined ? '' : ` (last fault ${timeShown(failedAt)}: ${fault})`}`;
}
