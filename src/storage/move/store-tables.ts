/** One store of an installation: that of the system, or of an engine. */
export type MovedStore = { readonly kind: 'system' } | { readonly kind: 'engine'; readonly engineId: number };

/** `system`, `engine 6`: for people and for marks. */
export function nameOfStore(store: MovedStore): string {
  return store.kind === 'system' ? 'system' : `engine ${store.engineId}`;
}

/** What a column holds: whole numbers of 64 bits, floats of 64 bits, text, bytes; each may be null. */
export type ColumnType = 'integer' | 'real' | 'text' | 'bytes';

export type MovedColumn = {
  readonly name: string;
  readonly type: ColumnType;
  /** The number that SQLite gives to rows by itself: no column of the schema, and moved where both sides have it. */
  readonly isHidden: boolean;
};

/** A table as its database describes it. */
export type MovedTable = { readonly name: string; readonly columns: readonly MovedColumn[] };

/** Whole numbers as number or bigint, both exact. */
export type MovedValue = null | number | bigint | string | Uint8Array;

/** Values in order of the columns that were asked for. */
export type MovedRow = readonly MovedValue[];

/** Rows that are held in memory at once: so many, or so many bytes of texts and blobs, or one that is larger. */
export const MAX_BATCH_ROWS = 1_000;
export const MAX_BATCH_BYTES = 4 * 2 ** 20;

/** The tables of one store at one instant. */
export type StoreTables = {
  /** All that the store has, ordered by name. */
  tables(): Promise<readonly MovedTable[]>;
  countRows(table: string): Promise<number>;
  /** Every row once, in batches of at most `MAX_BATCH_ROWS` rows. */
  batches(table: string, columns: readonly MovedColumn[]): AsyncIterable<readonly MovedRow[]>;
  /** The next number that a table gives to a row, of tables that number their rows. */
  nextIds(): Promise<ReadonlyMap<string, bigint>>;
};

/** A store that is new: no table has a row but `meta`, which holds `schema_version`. */
export type NewStore = StoreTables & {
  insert(table: string, columns: readonly MovedColumn[], rows: readonly MovedRow[]): Promise<void>;
  /** The numbers that tables give from now on are at least these. */
  numberFrom(nextIds: ReadonlyMap<string, bigint>): Promise<void>;
};

/**
 * Where an installation is moved from. Promises:
 * - nothing of it is changed;
 * - a store is read as of one instant.
 */
export type MoveSource = AsyncDisposable & {
  /** The system store first, then engines by id. */
  listStores(): Promise<readonly MovedStore[]>;
  read<Result>(store: MovedStore, work: (tables: StoreTables) => Promise<Result>): Promise<Result>;
  /** What all stores take on disk, their indexes included. */
  sizeBytes(): Promise<number>;
  /** @throws AppError `record.conflict` when somebody has written to a store since the source was opened */
  requireUnchanged(): Promise<void>;
};

/**
 * Where an installation is moved to. Promises:
 * - from `begin` to `finish` no program opens its stores;
 * - a store that is listed by `begin` is whole, and on disk.
 */
export type MoveTarget = AsyncDisposable & {
  /** Before `begin`. @throws AppError `storage.full` when the place has less room than that */
  requireRoom(bytes: number): Promise<void>;
  /**
   * Takes the place for one installation. Answers with the digests that `fill` was given by an earlier run, by name of
   * store.
   * @throws AppError `record.conflict` when it holds an installation already, or part of another one
   */
  begin(installation: string): Promise<ReadonlyMap<string, string>>;
  /** Makes a store anew, whatever an earlier run left of it; whole with the digests that `work` resolves with. */
  fill(store: MovedStore, work: (store: NewStore) => Promise<string>): Promise<void>;
  /** From now on programs open the stores. Those that are not listed are dropped. */
  finish(stores: readonly MovedStore[]): Promise<void>;
};
