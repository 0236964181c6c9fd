import type { SqliteDatabase } from './sqlite-database.ts';
import type { WriteThread } from './write-thread.ts';

/** What a part of the system store works with: a connection of this thread that reads, and the write thread. */
export type SystemConnection = { readonly read: SqliteDatabase; readonly write: WriteThread['system'] };

type EngineWrite = WriteThread['engine'];

/** The same for one engine's store. */
export type EngineConnection = {
  readonly engineId: number;
  readonly read: SqliteDatabase;
  readonly thread: { readonly engine: EngineWrite };
};
