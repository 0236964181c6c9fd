import type { Operation } from '../../../src/storage/sql/operation.ts';
import { engineWrites } from '../../../src/storage/sql/stores.ts';
import { commitGroup } from '../../../src/storage/sqlite/group-commit.ts';
import { migrate } from '../../../src/storage/sqlite/migrate-with-copy.ts';
import { openForWriting, runOperation, type SqliteDatabase } from '../../../src/storage/sqlite/sqlite-database.ts';

type Writes = typeof engineWrites;
type ParametersOf<Name extends keyof Writes> = Parameters<Writes[Name]>;
type ResultOf<Name extends keyof Writes> = ReturnType<Writes[Name]> extends Operation<infer Result> ? Result : never;

export type Frontier = Disposable & {
  readonly db: SqliteDatabase;
  /** One write, as the write thread makes it: a transaction with its fsync. */
  write<Name extends keyof Writes>(name: Name, ...parameters: ParametersOf<Name>): ResultOf<Name>;
};

/** The store of an engine in this thread, so that its work is measured and nothing else. */
export function openFrontier(path: string): Frontier {
  const db = openForWriting(path);
  migrate(db, 'engine');
  return {
    db,
    write: (name, ...parameters) => {
      let answer: { readonly result: unknown } | { readonly error: unknown } | undefined;
      const write = engineWrites[name] as (...parameters: readonly unknown[]) => Operation<unknown>;
      commitGroup(db, [
        {
          work: (store) => runOperation(store, write(...parameters)),
          done: (result) => {
            answer = { result };
          },
          failed: (error) => {
            answer = { error };
          },
        },
      ]);
      if (answer === undefined || 'error' in answer) throw answer?.error;
      return answer.result as ResultOf<typeof name>;
    },
    [Symbol.dispose]: () => db.close(),
  };
}
