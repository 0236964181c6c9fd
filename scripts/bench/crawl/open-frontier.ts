import { commitGroup } from '../../../src/storage/sql/group-commit.ts';
import { migrate } from '../../../src/storage/sql/migrate-with-copy.ts';
import { type EngineOperations, engineOperations } from '../../../src/storage/sql/operations.ts';
import { openForWriting, type SqliteDatabase } from '../../../src/storage/sql/sqlite-database.ts';

type InputOf<Name extends keyof EngineOperations> = Parameters<EngineOperations[Name]>[1];
type ResultOf<Name extends keyof EngineOperations> = ReturnType<EngineOperations[Name]>;

export type Frontier = Disposable & {
  readonly db: SqliteDatabase;
  /** One write, as the write thread makes it: a transaction with its fsync. */
  write<Name extends keyof EngineOperations>(name: Name, input: InputOf<Name>): ResultOf<Name>;
};

/** The store of an engine in this thread, so that its work is measured and nothing else. */
export function openFrontier(path: string): Frontier {
  const db = openForWriting(path);
  migrate(db, 'engine');
  return {
    db,
    write: (name, input) => {
      let answer: { readonly result: unknown } | { readonly error: unknown } | undefined;
      const operation = engineOperations[name] as (db: SqliteDatabase, input: unknown) => unknown;
      commitGroup(db, [
        {
          work: (store) => operation(store, input),
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
