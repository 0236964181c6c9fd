import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../src/core/clock.ts';
import type { NewDocument } from '../../src/core/document.ts';
import { projectEngine } from '../../src/indexing/project-engines.ts';
import { readManifest } from '../../src/search-index/embedded/manifest.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { writeBackup } from '../../src/storage/sqlite/backup/write-backup.ts';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { openSystemStore } from '../../src/storage/sqlite/open-system-store.ts';
import { eventually } from './eventually.ts';
import { sharedWriteThread } from './shared-write-thread.ts';
import { silentLog } from './silent-log.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** System store and engine stores of a data folder, as a role has them open. */
export async function openInstallation(dataDir: string) {
  await using stack = new AsyncDisposableStack();
  const writeThread = stack.use(sharedWriteThread(dataDir));
  const system = stack.use(await openSystemStore({ dataDir, writeThread }));
  const engines = stack.use(openEngineStores({ dataDir, writeThread }));
  const owned = stack.move();
  return { system, engines, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export function pushedDocument(id: string, title = id): NewDocument {
  return { id, kind: 'PageContent', origin: 'pushed', language: 'en', fields: new Map([['Title', [title]]]) };
}

/** An installation that is closed again, with documents `a`, `b` and `c` in each of its engines. */
export async function closedInstallation(dataDir: string, engineIds: readonly number[] = [6]): Promise<void> {
  await using installation = await openInstallation(dataDir);
  const documents = ['a', 'b', 'c'].map((id) => pushedDocument(id));
  for (const id of engineIds) await (await installation.engines.of(id)).putDocuments(17, documents, 1);
}

export function backUp(dataDir: string, file: string, withSecrets = false) {
  return writeBackup({ dataDir, file, withSecrets, product: '0.1.0', now: Date.now });
}

/** What a statement finds in a store of a data folder. */
export function readStore(dataDir: string, name: string, sql: string): readonly Record<string, unknown>[] {
  using db = new DatabaseSync(join(dataDir, name), { readOnly: true });
  return db.prepare(sql).all();
}

/** Makes the index of engine 6 from its store, to its last change. */
export async function indexDocuments(dataDir: string): Promise<void> {
  await using installation = await openInstallation(dataDir);
  const store = await installation.engines.of(6);
  const directory = join(dataDir, 'engines/6/index');
  await using writer = await openEmbeddedWriter({
    directory,
    source: store,
    language: 'en',
    clock: systemClock,
    log: silentLog,
  });
  const stop = new AbortController();
  const monotonicMs = () => performance.now();
  const running = projectEngine({ store, writer, log: silentLog, refreshMs: 10, monotonicMs }, stop.signal);
  await eventually(async () => (await readManifest(directory))?.seq === (await store.lastSeq()));
  stop.abort();
  await running;
}

/** A data folder, the name of an archive beside it and that of a folder to restore into. */
export async function twoFolders() {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  return { ...folder, dataDir, file: join(folder.path, 'fossick.tar.zst'), restored: join(folder.path, 'restored') };
}

/** One more document, `later`, in engine 6. */
export async function changeInstallation(dataDir: string): Promise<void> {
  await using installation = await openInstallation(dataDir);
  await (await installation.engines.of(6)).putDocuments(17, [pushedDocument('later')], 2);
}
