import { resolve } from 'node:path';
import type { Command, Context, Row } from '../command.ts';
import { lineOf, megabytesOf } from '../progress-line.ts';

const COLUMNS = ['name', 'bytes', 'documents', 'schemaVersion', 'epoch'];

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: '<file> [--with-secrets]',
    summary: 'Write all stores into an archive, also while it runs',
    example: '/backups/fossick.tar.zst',
    words: [1, 1],
    options: { 'with-secrets': { type: 'boolean' } },
    routes: [],
    run: async (context, input) => {
      const { print, folder, storeFolder, interruption } = context;
      // Loaded for these commands alone, as is the rest of the stores.
      const { backupInstallation } = await import('../../compose/backups.ts');
      const written = await backupInstallation({
        dataDir: resolve(folder, await storeFolder()),
        file: resolve(folder, input.positionals[0] ?? ''),
        withSecrets: input.options['with-secrets'] === true,
        onProgress: progressOf(context),
        signal: interruption(),
      });
      const { file, bytes, contents } = written;
      print.record({ file, bytes, takenAt: contents.takenAt, stores: contents.stores.length, checked: true });
      if (input.options['with-secrets'] === true) {
        print.warn('The archive holds the operator token and the key of crawler secrets: keep it as safe as those');
      }
      print.note(`To bring it back: stop the product, then fossick restore ${file} --replace`);
    },
  },
  {
    name: 'backup list',
    usage: '',
    summary: 'List backups that were asked for, newest first',
    words: [0, 0],
    routes: ['GET /backups'],
    run: async ({ client, print }) => {
      const { items } = await (await client()).admin('GET', '/backups');
      const columns = ['id', 'state', 'startedBy', 'askedAt', 'bytes', 'file', 'problem'];
      print.rows(items as readonly Row[], columns, 'no backups yet: fossick backup start');
    },
  },
  {
    name: 'backup start',
    usage: '',
    summary: 'Have the scheduler write a backup to BACKUP_FOLDER now',
    words: [0, 0],
    routes: ['POST /backups'],
    run: async ({ client, print }) => {
      const { id } = await (await client()).admin('POST', '/backups', {});
      print.note(`Backup ${id} is asked for: fossick backup list tells what became of it`);
    },
  },
  {
    name: 'restore',
    usage: '<file> [--replace] [--dry-run]',
    summary: 'Put an archive into DATA_DIR while nothing runs',
    example: '/backups/fossick.tar.zst --replace',
    words: [1, 1],
    options: { replace: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
    routes: [],
    run: async (context, input) => {
      const { print, folder, storeFolder } = context;
      const show = lineOf(context);
      const { restoreInstallation } = await import('../../compose/backups.ts');
      const target = resolve(folder, await storeFolder());
      const dryRun = input.options['dry-run'] === true;
      const { contents, keptIn } = await restoreInstallation({
        dataDir: target,
        file: resolve(folder, input.positionals[0] ?? ''),
        replace: input.options['replace'] === true,
        dryRun,
        onProgress: (done) => show(`${megabytesOf(done)} of the archive`),
      }).finally(() => show(''));
      if (print.isJson) {
        print.record({ ...contents, dataDir: target, keptIn: keptIn ?? null, restored: !dryRun });
        return;
      }
      print.note(`A whole backup of ${contents.takenAt}, written by version ${contents.product}:`);
      print.rows(contents.stores as readonly Row[], COLUMNS);
      const kept = keptIn === undefined ? '' : `, and keep what is there now in ${keptIn}`;
      print.note(
        dryRun
          ? `Nothing is changed. Without --dry-run this would put it into ${target}${kept}`
          : `Restored into ${target}${keptIn === undefined ? '' : `; what was there is in ${keptIn}`}. Start the product: indexes are made again from the stores`,
      );
      if (contents.secrets.length > 0) return;
      print.note(
        'The archive holds no secrets: without the SECRETS_KEY or secrets-key of before, passwords of crawlers must be set again',
      );
    },
  },
  {
    name: 'verify',
    usage: '[--repair]',
    summary: 'Check every row of every store, and each index against its store',
    words: [0, 0],
    options: { repair: { type: 'boolean' } },
    routes: [],
    run: async (context, input) => {
      const { print, folder, storeFolder, endBadly } = context;
      const { verifyInstallation } = await import('../../compose/verify.ts');
      const repair = input.options['repair'] === true;
      const show = lineOf(context);
      const report = await verifyInstallation(resolve(folder, await storeFolder()), {
        repair,
        onProgress: ({ store, done, stores }) => show(`${done + 1} of ${stores} stores: ${store}`),
      });
      show('');
      if (report.findings.length > 0) endBadly();
      if (print.isJson) {
        print.record(report);
        return;
      }
      const whole = `Nothing is wrong with ${report.stores} stores and ${report.documents} documents`;
      print.rows(report.findings, ['store', 'table', 'id', 'what', 'command'], whole);
      for (const repaired of report.repairs) print.note(repaired);
    },
  },
];

function progressOf(context: Context) {
  const show = lineOf(context);
  return ({ store, ...done }: { store: string; doneBytes: number; totalBytes: number }) => {
    const end = done.doneBytes === done.totalBytes ? '\n' : '';
    show(`${megabytesOf(done)}, ${store}${end}`);
  };
}
