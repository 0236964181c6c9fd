import {
  createQueryId,
  IdentifierNode,
  type InsertQueryNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type RawNode,
  type RootOperationNode,
  type ValuesNode,
} from 'kysely';
import { postgresNode } from '../sql/dialect.ts';
import type { EachStep, StatementStep } from '../sql/operation.ts';
import { literalOf, Parameter, type Query, type Statement } from '../sql/statement.ts';
import { sentAs } from './column-values.ts';
import { ENGINE_SCHEMA } from './engine-schema.ts';
import { identityColumns } from './schema-text.ts';
import { SYSTEM_SCHEMA } from './system-schema.ts';

/** A statement in the words of PostgreSQL. One with a name may stay prepared on a connection. */
export type CompiledStep = {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
};

/** Of one statement and types of its values. */
type Compiled = { readonly name: string; readonly text: string; readonly order: readonly string[] };

const compiled = new WeakMap<Statement<never, unknown>, Map<string, Compiled>>();
let named = 0;

/**
 * The text of a step. That of a statement that is compiled once is made at its first use with values of these types, and
 * found by them afterwards (1 µs): PostgreSQL is told the type of each value, so that it never guesses a smaller one.
 * @throws TypeError for a value that no column takes: undefined, a boolean, an object
 */
export function compileStep({ query, values }: StatementStep): CompiledStep {
  if (!('bind' in query)) return compileQuery(query);
  const byName = values as Readonly<Record<string, unknown>>;
  const known = compiled.get(query) ?? new Map<string, Compiled>();
  compiled.set(query, known);
  const signature = query
    .bind(values as never)
    .map(castOf)
    .join();
  const made = known.get(signature) ?? compileStatement(query, byName);
  known.set(signature, made);
  return { name: made.name, text: made.text, values: made.order.map((name) => sentAs(byName[name])) };
}

/** The column that tells for which set of values a row was found, from 1. */
export const PLACE_COLUMN = 'given_at';

/** One statement that reads, or inserts, the row of each set of values: they are sent as one list for each name. */
export function compileEach({ query, each }: EachStep): CompiledStep {
  const sets = each as readonly Readonly<Record<string, unknown>>[];
  const names = Object.keys(sets[0] ?? {});
  const types = new Map(names.map((name) => [name, castOfAll(sets.map((values) => values[name]))]));
  const known = compiled.get(query) ?? new Map<string, Compiled>();
  compiled.set(query, known);
  const signature = `each ${[...types.values()].join()}`;
  const made = known.get(signature) ?? compileLists(query, types);
  known.set(signature, made);
  const { name, text, order } = made;
  return { name, text, values: order.map((listed) => sets.map((values) => sentAs(values[listed]))) };
}

function compileLists(query: Statement<never, unknown>, types: ReadonlyMap<string, string>): Compiled {
  const order: string[] = [];
  const write = (value: unknown) => {
    if (!(value instanceof Parameter)) return literalOf(value);
    if (types.get(value.name) === '') return 'NULL';
    if (!order.includes(value.name)) order.push(value.name);
    return `given."${value.name}"`;
  };
  const given = () => {
    const lists = order.map((name, at) => `$${at + 1}${types.get(name)}[]`).join(', ');
    const columns = order.map((name) => `"${name}"`).join(', ');
    return `unnest(${lists}) WITH ORDINALITY AS given (${columns}, ${PLACE_COLUMN})`;
  };
  const node = query.build();
  const text = new Compiler(write, given).compile(node);
  const isInsert = node.toOperationNode().kind === 'InsertQueryNode';
  named++;
  // A limit keeps the planner from joining whole tables: each set of values is one look into the index.
  const read = `SELECT given.${PLACE_COLUMN}, found.* FROM`;
  return {
    name: `s${named}`,
    text: isInsert ? text : `${read} ${given()} CROSS JOIN LATERAL (${text} LIMIT 1) AS found`,
    order,
  };
}

/** The type of values of one name, as of the first that has one: whole numbers beside others are numbers. */
function castOfAll(values: readonly unknown[]): string {
  const casts = new Set(values.map(castOf));
  return casts.has('::float8') ? '::float8' : ([...casts].find((cast) => cast !== '') ?? '');
}

function compileQuery(query: Query): CompiledStep {
  const values: unknown[] = [];
  const text = new Compiler((value) => `$${values.push(sentAs(value))}${castOf(value)}`).compile(query);
  return { name: undefined, text, values };
}

function compileStatement(query: Statement<never, unknown>, values: Readonly<Record<string, unknown>>): Compiled {
  const order: string[] = [];
  const placeOf = ({ name }: Parameter) => {
    const at = order.indexOf(name);
    return `$${at < 0 ? order.push(name) : at + 1}${castOf(values[name])}`;
  };
  const write = (value: unknown) => {
    if (!(value instanceof Parameter)) return literalOf(value);
    return values[value.name] === null ? 'NULL' : placeOf(value);
  };
  const text = new Compiler(write).compile(query.build());
  named++;
  return { name: `s${named}`, text, order };
}

/** The type that a value has in a text. NULL has none: it stands in the text itself. */
function castOf(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return '::text';
  if (typeof value === 'bigint') return '::int8';
  if (typeof value === 'number') return Number.isInteger(value) ? '::int8' : '::float8';
  if (value instanceof Uint8Array) return '::bytea';
  throw new TypeError(`A statement is given a value of type ${typeof value}`);
}

const IDENTITY_COLUMNS = identityColumns(ENGINE_SCHEMA, SYSTEM_SCHEMA);

class Compiler extends PostgresQueryCompiler {
  readonly #write: (value: unknown) => string;

  /** Lists of values, told when all of them have been met: an insert reads them in place of its values. */
  readonly #given: (() => string) | undefined;

  constructor(write: (value: unknown) => string, given?: () => string) {
    super();
    this.#write = write;
    this.#given = given;
  }

  compile(query: Query): string {
    return this.compileQuery(query.toOperationNode() as RootOperationNode, createQueryId()).sql;
  }

  protected override appendValue(value: unknown): void {
    this.append(value === null ? 'NULL' : this.#write(value));
  }

  protected override visitRaw(node: RawNode): void {
    const own = postgresNode(node);
    if (own === undefined) super.visitRaw(node);
    else this.visitNode(own);
  }

  protected override visitValues(node: ValuesNode): void {
    const [row] = node.values;
    if (this.#given === undefined || row === undefined) {
      super.visitValues(node);
      return;
    }
    this.append('select ');
    if (!PrimitiveValueListNode.is(row)) this.compileList(row.values);
    else {
      for (const [at, value] of row.values.entries()) {
        if (at > 0) this.append(', ');
        this.appendValue(value);
      }
    }
    this.append(` from ${this.#given()} order by given.${PLACE_COLUMN}`);
  }

  /** SQLite tells the id of the row that was inserted last; here the statement answers with it. */
  protected override visitInsertQuery(node: InsertQueryNode): void {
    super.visitInsertQuery(node);
    const table = node.into?.table.identifier;
    const column = table && IdentifierNode.is(table) ? IDENTITY_COLUMNS.get(table.name) : undefined;
    if (column !== undefined && node.returning === undefined) this.append(` returning "${column}" as "id"`);
  }
}
