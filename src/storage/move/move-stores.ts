import { AppError } from '../../core/errors.ts';
import {
  type MovedColumn,
  type MovedRow,
  type MovedStore,
  type MovedTable,
  type MoveSource,
  type MoveTarget,
  type NewStore,
  nameOfStore,
  type StoreTables,
} from './store-tables.ts';
import { type DigestOfTable, digestOfTable, STORE_DIGEST, type StoreDigest } from './table-digest.ts';

/** Rows that were copied, read back or compared, of all that there are to be: each is copied and read back. */
export type MoveProgress = {
  readonly store: string;
  readonly table: string;
  readonly doneRows: number;
  readonly totalRows: number;
};

export type MoveOptions = {
  readonly onProgress: (progress: MoveProgress) => void;
  readonly signal: AbortSignal;
};

/** A store that is whole where it was moved to; `wasThere`: an earlier run had moved it, and it has not changed since. */
export type MovedStoreReport = { readonly store: string; readonly wasThere: boolean; readonly tables: StoreDigest };

/** Of `meta`, what belongs to the place and not to the installation. */
const OF_THE_PLACE = 'schema_version';

/**
 * Copies all stores, reads each back and compares every table by its digest, and only then lets programs open them. One
 * that is broken off, in whatever way, is run again: stores that are whole are compared with the source, the others
 * begin anew.
 *
 * @throws AppError `record.conflict` when the target is not empty, or the source was written to meanwhile;
 *   `storage.full` when there is no room; `internal` when what was written is not what was read
 */
export async function moveStores(
  source: MoveSource,
  target: MoveTarget,
  options: MoveOptions,
): Promise<readonly MovedStoreReport[]> {
  const stores = await source.listStores();
  await target.requireRoom(await source.sizeBytes());
  const moved = await target.begin(await source.read({ kind: 'system' }, identityOf));
  let totalRows = 0;
  for (const store of stores) totalRows += 2 * (await source.read(store, countAll));
  const progress = progressOf(totalRows, options);
  const reports: MovedStoreReport[] = [];
  for (const store of stores) {
    const name = nameOfStore(store);
    reports.push(await source.read(store, (from) => moveStore({ store, name, from, known: moved.get(name) })));
  }
  await source.requireUnchanged();
  await target.finish(stores);
  return reports;

  async function moveStore({ store, name, from, known }: OneMove): Promise<MovedStoreReport> {
    const tell = progress.of(name);
    if (known !== undefined) {
      const tables = STORE_DIGEST.parse(JSON.parse(known));
      if (isSame(await digestStore(from, digestedTables(await from.tables(), tables), tell), tables)) {
        progress.skip(tables);
        return { store: name, wasThere: true, tables };
      }
      progress.again(tables);
    }
    let tables: StoreDigest = {};
    await target.fill(store, async (into) => {
      tables = await copyStore(from, into, { name, tell });
      return JSON.stringify(tables);
    });
    return { store: name, wasThere: false, tables };
  }
}

type OneMove = {
  readonly store: MovedStore;
  readonly name: string;
  readonly from: StoreTables;
  /** What an earlier run said of it. */
  readonly known: string | undefined;
};

/** Told of each batch. @throws AppError `internal` when the move is interrupted */
type Tell = (table: string, rows: number) => void;

function progressOf(totalRows: number, { onProgress, signal }: MoveOptions) {
  let doneRows = 0;
  let total = totalRows;
  return {
    of:
      (store: string): Tell =>
      (table, rows) => {
        if (signal.aborted) throw new AppError('internal', 'The move was interrupted: run it again, and it goes on');
        doneRows += rows;
        onProgress({ store, table, doneRows, totalRows: total });
      },
    /** Rows of a store that are neither copied nor read back. */
    skip: (tables: StoreDigest) => {
      doneRows += rowsOf(tables);
    },
    /** Rows that were compared and are to be copied all the same. */
    again: (tables: StoreDigest) => {
      total += rowsOf(tables);
    },
  };
}

function rowsOf(tables: StoreDigest): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

async function countAll(store: StoreTables): Promise<number> {
  let rows = 0;
  for (const { name } of await store.tables()) rows += await store.countRows(name);
  return rows;
}

/** By which an installation is known wherever it lies. */
async function identityOf(store: StoreTables): Promise<string> {
  const columns = columnsOf(await store.tables(), 'meta');
  const [name, value] = ['name', 'value'].map((wanted) => columns.findIndex((column) => column.name === wanted));
  for await (const rows of store.batches('meta', columns)) {
    const found = rows.find((row) => row[name ?? -1] === 'store_id');
    if (found !== undefined) return String(found[value ?? -1]);
  }
  throw new AppError('internal', 'The store does not say which one it is: restore a backup');
}

function columnsOf(tables: readonly MovedTable[], name: string): readonly MovedColumn[] {
  return tables.find((table) => table.name === name)?.columns ?? [];
}

/** Every row of every table, read back and compared. @throws AppError `internal` when it is not what was read */
async function copyStore(
  from: StoreTables,
  into: NewStore,
  { name, tell }: { readonly name: string; readonly tell: Tell },
): Promise<StoreDigest> {
  const tables = sharedTables(await from.tables(), await into.tables(), name);
  const read: Record<string, DigestOfTable> = {};
  for (const table of tables) read[table.name] = await copyTable(from, into, { table, tell });
  await into.numberFrom(await from.nextIds());
  const copied = Object.fromEntries(Object.entries(read).map(([table, digest]) => [table, digest.result()]));
  const found = await digestStore(into, tables, tell);
  for (const { name: table } of tables) {
    const [a, b] = [copied[table], found[table]];
    if (a?.rows === b?.rows && a?.hash === b?.hash) continue;
    const message = `Table ${table} of ${name} is not what was read: ${b?.rows} rows, ${b?.hash}, in place of ${a?.rows} rows, ${a?.hash}. Nothing was switched over: run the move again`;
    throw new AppError('internal', message);
  }
  return copied;
}

/** Rows are read, and their digests made, while those before are written. */
async function copyTable(
  from: StoreTables,
  into: NewStore,
  { table: { name, columns }, tell }: { readonly table: MovedTable; readonly tell: Tell },
): Promise<DigestOfTable> {
  const digest = digestOfTable(columns);
  let written: Promise<void> = Promise.resolve();
  for await (const batch of from.batches(name, columns)) {
    const rows = rowsToMove({ name, columns }, batch);
    digest.add(rows);
    await written;
    tell(name, batch.length);
    written = into.insert(name, columns, rows);
    // Looked at with the next batch.
    written.catch(() => undefined);
  }
  await written;
  return digest;
}

async function digestStore(store: StoreTables, tables: readonly MovedTable[], tell: Tell): Promise<StoreDigest> {
  const digests: [string, DigestOfTable][] = [];
  for (const table of tables) {
    const digest = digestOfTable(table.columns);
    for await (const batch of store.batches(table.name, table.columns)) {
      digest.add(rowsToMove(table, batch));
      tell(table.name, batch.length);
    }
    digests.push([table.name, digest]);
  }
  return Object.fromEntries(digests.map(([name, digest]) => [name, digest.result()]));
}

function rowsToMove({ name, columns }: MovedTable, rows: readonly MovedRow[]): readonly MovedRow[] {
  if (name !== 'meta') return rows;
  const at = columns.findIndex((column) => column.name === 'name');
  return rows.filter((row) => row[at] !== OF_THE_PLACE);
}

/**
 * The tables of both sides, with the columns of both. All that the schema names has to be on both.
 * @throws AppError `internal` that names what one side lacks: a table that is not moved would be lost
 */
function sharedTables(from: readonly MovedTable[], into: readonly MovedTable[], store: string): readonly MovedTable[] {
  const differences = [...missingOf(from, into), ...missingOf(into, from)];
  if (differences.length > 0) {
    const message = `The ${store} store has other tables on both sides, so that nothing is moved: ${differences.join(', ')}`;
    throw new AppError('internal', message);
  }
  return from.map(({ name, columns }) => {
    const known = new Map(columnsOf(into, name).map((column) => [column.name, column.type]));
    return { name, columns: columns.filter((column) => known.get(column.name) === column.type) };
  });
}

/** Of the tables of a store, the columns that went into a digest. */
function digestedTables(tables: readonly MovedTable[], digest: StoreDigest): readonly MovedTable[] {
  return tables.map(({ name, columns }) => ({
    name,
    columns: columns.filter(({ isHidden }) => !isHidden || digest[name]?.withHidden === true),
  }));
}

/** What the first has, and the second has not, or of another type. */
function missingOf(tables: readonly MovedTable[], others: readonly MovedTable[]): readonly string[] {
  return tables.flatMap(({ name, columns }) => {
    if (!others.some((other) => other.name === name)) return [name];
    const known = new Map(columnsOf(others, name).map((column) => [column.name, column.type]));
    return columns
      .filter((column) => !column.isHidden && known.get(column.name) !== column.type)
      .map((column) => `${name}.${column.name}`);
  });
}

function isSame(a: StoreDigest, b: StoreDigest): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name]?.rows === b[name]?.rows && a[name]?.hash === b[name]?.hash);
}
