import type { Query, Statement } from './statement.ts';

/**
 * One statement with its values, and what is wanted of its result. Each adapter has its own text of it. `nothing`: the
 * operation goes on without an answer, and fails at its end when the statement did.
 */
export type StatementStep = {
  readonly wanted: 'all' | 'first' | 'changes' | 'nothing';
  readonly query: AnyQuery;
  /** Of a statement that was compiled once. */
  readonly values: unknown;
};
type AnyQuery = Statement<never, unknown> | Query;

/** One statement for each of several sets of values, in order; none needs what another does. */
export type EachStep = {
  readonly wanted: 'first' | 'changes' | 'nothing';
  readonly query: Statement<never, unknown>;
  readonly each: readonly unknown[];
};

/** Operations none of which needs what another finds or does: a server is asked for all of them at once. */
export type TogetherStep = { readonly together: readonly Operation<unknown>[] };

/** `pause`: a read on a thread with other work lets that have its turn; a write goes on at once. */
export type Step = StatementStep | EachStep | TogetherStep | 'pause';

/** How many rows a statement changed, and the id of the last that it inserted. */
export type WriteResult = { readonly changes: number; readonly lastId: number };

/**
 * What is read of a store or done to it, without saying how it runs: a generator that yields its statements, is given
 * their results, and returns its own. An adapter drives it (`runOperation` on SQLite, synchronously), inside one
 * transaction when it writes. The error of a statement is thrown where that statement stands.
 */
export type Operation<Result> = Generator<Step, Result, unknown>;

/** All rows: of a statement that was compiled once, with its values, or of a query that is built now. */
export function fetchAll<Values, Row>(statement: Statement<Values, Row>, values: Values): Operation<Row[]>;
export function fetchAll<Row>(query: Query<Row>): Operation<Row[]>;
export function* fetchAll(query: AnyQuery, values?: unknown): Operation<unknown> {
  return yield { wanted: 'all', query, values };
}

/** The first row, undefined when there is none. */
export function fetchFirst<Values, Row>(statement: Statement<Values, Row>, values: Values): Operation<Row | undefined>;
export function fetchFirst<Row>(query: Query<Row>): Operation<Row | undefined>;
export function* fetchFirst(query: AnyQuery, values?: unknown): Operation<unknown> {
  return yield { wanted: 'first', query, values };
}

/** No rows, only what changed. */
export function execute<Values>(statement: Statement<Values, unknown>, values: Values): Operation<WriteResult>;
export function execute(query: Query): Operation<WriteResult>;
export function* execute(query: AnyQuery, values?: unknown): Operation<unknown> {
  return yield { wanted: 'changes', query, values };
}

/** The same for a change whose count nobody asks for: what follows does not wait for it. */
export function submit<Values>(statement: Statement<Values, unknown>, values: Values): Operation<void>;
export function submit(query: Query): Operation<void>;
export function* submit(query: AnyQuery, values?: unknown): Operation<void> {
  yield { wanted: 'nothing', query, values };
}

/**
 * The first row for each set of values, by its place. A server is sent one statement with lists of values, so it is for
 * statements of one table row each: plain inserts, and reads that find one row by a unique index.
 */
export function* fetchFirstOfEach<Values, Row>(
  statement: Statement<Values, Row>,
  each: readonly Values[],
): Operation<readonly (Row | undefined)[]> {
  if (each.length === 0) return [];
  return (yield { wanted: 'first', query: statement, each }) as readonly (Row | undefined)[];
}

/** The same for inserts. */
export function* executeEach<Values>(
  statement: Statement<Values, unknown>,
  each: readonly Values[],
): Operation<readonly WriteResult[]> {
  if (each.length === 0) return [];
  return (yield { wanted: 'changes', query: statement, each }) as readonly WriteResult[];
}

/** The same without waiting for it. */
export function* submitEach<Values>(statement: Statement<Values, unknown>, each: readonly Values[]): Operation<void> {
  if (each.length > 0) yield { wanted: 'nothing', query: statement, each };
}

/**
 * Operations that need nothing of each other, in one exchange with a server as far as their steps go; on SQLite one after
 * the other. Their statements are made in order step by step, so that the first of each come before all second ones.
 */
export function* all<const Together extends readonly Operation<unknown>[]>(
  together: Together,
): Operation<{ -readonly [Place in keyof Together]: ResultOf<Together[Place]> }> {
  return (yield { together }) as { -readonly [Place in keyof Together]: ResultOf<Together[Place]> };
}

type ResultOf<Made> = Made extends Operation<infer Result> ? Result : never;

/** The same: one operation for each of the items. */
export function* mapTogether<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Operation<Result>,
): Operation<Result[]> {
  const together = Array.from(items, work);
  if (together.length === 0) return [];
  return (yield { together }) as Result[];
}

/** One operation for each of the items, one after the other. */
export function* mapSeries<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Operation<Result>,
): Operation<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* work(item));
  return results;
}

/** Between parts of a long read. */
export function* pause(): Operation<void> {
  yield 'pause';
}

/** A port's methods as operations: what each does to a store, with the same parameters and result. */
export type OperationsOf<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...parameters: infer Parameters) => Promise<infer Result>
    ? (...parameters: Parameters) => Operation<Result>
    : never;
};

/** The operations behind one part of a port, of which an adapter makes its methods. */
export type StoreDefinition = {
  /** On the connection of the caller's thread. */
  readonly reads: Operations;
  /** On the thread that writes, one transaction each. Parameters and results are plain data (structured clone). */
  readonly writes: Operations;
};
type Operations = Readonly<Record<string, (...parameters: never[]) => Operation<unknown>>>;

/** Reads and writes are the whole of the port `Store` together: a method that is missing or of other types fails to compile. */
export function defineStore<Store>() {
  return <Reads extends Partial<OperationsOf<Store>>, Writes extends Omit<OperationsOf<Store>, keyof Reads>>(
    reads: Reads,
    writes: Writes,
  ) => ({ reads, writes });
}
