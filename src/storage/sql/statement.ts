import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  type Expression,
  Kysely,
  type OperationNodeSource,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { EngineTables, SystemTables } from './tables.ts';

/** Builds statements only. Their text is SQLite's; `postgres/compile.ts` makes that of PostgreSQL of the same nodes. */
function sqlBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

export const systemSql = sqlBuilder<SystemTables>();
export const engineSql = sqlBuilder<EngineTables>();

/** A query that is built now. */
export type Query<Row = unknown> = Compilable<Row> & OperationNodeSource;

/** What stands in a statement that is written as SQL. */
export type Operand = Expression<unknown> | RawBuilder<unknown> | number | string | null;

/** A statement compiled once: its text, and the names of the parameters for each of its places. */
export type Statement<Values, Row> = {
  /** As SQLite reads it. */
  readonly sql: string;
  /** The same with `Parameter` in its places, built anew: for another dialect, which compiles it once as well. */
  build(): Query;
  /** Values in order of the statement's places. */
  bind(values: Values): SqlValue[];
  /** Type of a result row; never set. */
  readonly row?: Row;
};

export type SqlValue = null | number | bigint | string | Uint8Array;

/** Stands for a value in a statement that is compiled once. */
export class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Placeholders for the members of `Values`, typed as what they stand for. */
export type Parameters<Values> = { readonly [Name in keyof Values]: Values[Name] };

/**
 * Compiles a Kysely statement once, so that hot writes pay no building: `build` receives placeholders instead of
 * values. Kysely's builder costs 10 to 30 µs a statement, a prepared one 2 µs.
 */
export function statement<Values extends Record<string, SqlValue>, Row = unknown>(
  build: (parameters: Parameters<Values>) => Query<Row>,
): Statement<Values, Row> {
  const placeholders = new Proxy({}, { get: (_target, name) => new Parameter(String(name)) }) as Parameters<Values>;
  const compiled: CompiledQuery = build(placeholders).compile();
  const names = compiled.parameters.flatMap((position) => (position instanceof Parameter ? [position.name] : []));
  return {
    sql: withConstants(compiled),
    build: () => build(placeholders),
    bind: (values) => names.map((name) => values[name] as SqlValue),
  };
}

/** Literals and names in quotes, or a place. */
const QUOTED_OR_PLACE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/**
 * The text with its constants in it. A constant that is bound costs more than its binding: SQLite compares it with the
 * condition of a partial index of the same column, and then prepares the statement anew at every use.
 */
function withConstants({ sql, parameters }: CompiledQuery): string {
  let next = 0;
  return sql.replace(QUOTED_OR_PLACE, (found) => {
    if (found !== '?') return found;
    const position = parameters[next++];
    return position instanceof Parameter ? found : literalOf(position);
  });
}

/** A constant as it stands in a text; a quote in it ends nothing. */
export function literalOf(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError(`A statement has a constant of type ${typeof value}`);
}

/** A statement written as SQL, for what the builder cannot say. */
export function rawQuery<Row>(query: RawBuilder<Row>): Query<Row> {
  return { compile: () => query.compile(engineSql), toOperationNode: () => query.toOperationNode() };
}
