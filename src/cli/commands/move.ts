import { readConfig } from '../../config/read-config.ts';
import { type Command, type Context, type Row, requiredOption, wrongUsage } from '../command.ts';
import { lineOf } from '../progress-line.ts';

const DATABASE = /^postgres(?:ql)?:\/\//;
const COLUMNS = ['store', 'table', 'rows', 'hash'];

export const moveCommands: readonly Command[] = [
  {
    name: 'move',
    usage: '--to <database>',
    summary: 'Copy the stopped installation to PostgreSQL, or back to files',
    example: '--to postgres://fossick:secret@db1.internal/fossick',
    forms: `  --to postgres://…  from the files of DATA_DIR to an empty database
  --to files         from DATABASE_URL to the files of DATA_DIR
Every table is read back and compared. What it was moved from stays as it is.
A move that was broken off is run again and goes on.`,
    words: [0, 0],
    options: { to: { type: 'string' } },
    routes: [],
    run: async (context, input) => {
      const { print, environment, folder, interruption } = context;
      const to = requiredOption(input, 'to');
      if (to !== 'files' && !(DATABASE.test(to) && URL.canParse(to))) {
        throw wrongUsage('--to must be "files" or the URL of a database: postgres://user:password@host/database');
      }
      const { config } = await readConfig({ environment, folder });
      const { moveInstallation } = await import('../../compose/move.ts');
      const show = lineOf(context);
      const { stores, next } = await moveInstallation({
        config,
        to,
        onProgress: progressLine(context),
        signal: interruption(),
      }).finally(() => show(''));
      if (print.isJson) {
        print.record({ stores, next });
        return;
      }
      const tables = stores.flatMap(({ store, tables }) =>
        Object.entries(tables).map(([table, { rows, hash }]): Row => ({ store, table, rows, hash })),
      );
      print.rows(
        tables.filter(({ rows }) => rows !== 0),
        COLUMNS,
      );
      const rows = tables.reduce((sum, table) => sum + Number(table['rows']), 0);
      print.note(
        `${stores.length} stores with ${tables.length} tables and ${rows} rows are on both sides: counts and hashes agree`,
      );
      for (const sentence of next) print.note(sentence);
    },
  },
];

const MS_PER_SECOND = 1_000;
const SECONDS_PER_MINUTE = 60;
/** Before that an estimate is a guess. */
const ESTIMATE_AFTER_MS = 2_000;

/** `engine 6, documents: 12000 of 400000 rows, about 3 min left` */
function progressLine(context: Context) {
  const show = lineOf(context);
  const began = performance.now();
  return (progress: {
    readonly store: string;
    readonly table: string;
    readonly doneRows: number;
    readonly totalRows: number;
  }) => {
    const { store, table, doneRows, totalRows } = progress;
    const elapsedMs = performance.now() - began;
    const leftMs = (elapsedMs / doneRows) * Math.max(0, totalRows - doneRows);
    const left = elapsedMs < ESTIMATE_AFTER_MS || doneRows === 0 ? '' : `, about ${durationOf(leftMs)} left`;
    show(`${store}, ${table}: ${doneRows} of ${totalRows} rows copied or compared${left}`);
  };
}

function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / MS_PER_SECOND);
  return seconds < 2 * SECONDS_PER_MINUTE ? `${seconds} s` : `${Math.ceil(seconds / SECONDS_PER_MINUTE)} min`;
}
