import type { QueryResultRow } from 'pg';
import {
  type ColumnType,
  MAX_BATCH_BYTES,
  MAX_BATCH_ROWS,
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  type NewStore,
  type StoreTables,
} from '../../move/store-tables.ts';
import { sentAs } from '../column-values.ts';
import type { Session } from '../connections.ts';

const TYPES: Readonly<Record<string, ColumnType>> = {
  bigint: 'integer',
  'double precision': 'real',
  text: 'text',
  bytea: 'bytes',
};
const ARRAYS: Readonly<Record<ColumnType, string>> = {
  integer: 'int8[]',
  real: 'float8[]',
  text: 'text[]',
  bytes: 'bytea[]',
};
/** Tables are sorted, counted and read whole: as long as it takes. */
const WITHIN_MS = 24 * 3_600_000;

/** A table of a schema. `order`: columns by which its rows are read; `numbered`: the column that it numbers itself. */
type FoundTable = MovedTable & { readonly order: readonly string[]; readonly numbered: string | undefined };

/** The tables of a schema as the transaction of a session sees them. */
export function postgresTables(session: Session, schema: string): StoreTables {
  const describe = () => describeTables(session, schema);
  return {
    tables: async () => (await describe()).map(({ name, columns }) => ({ name, columns })),
    countRows: async (table) => {
      const [row] = await rowsOf(session, `SELECT count(*) AS n FROM "${schema}"."${table}"`);
      return Number(row?.['n']);
    },
    batches: async function* (table, columns) {
      const order = (await describe()).find(({ name }) => name === table)?.order ?? [];
      yield* batchesOf(session, { from: `"${schema}"."${table}"`, columns, order });
    },
    nextIds: async () => {
      const found = new Map<string, bigint>();
      for (const { name, numbered } of await describe()) {
        if (numbered !== undefined) found.set(name, await nextIdOf(session, `${schema}.${name}`, numbered));
      }
      return found;
    },
  };
}

/** The same for a store that is filled, all in the transaction of the session. */
export function newPostgresStore(session: Session, schema: string): NewStore {
  return {
    ...postgresTables(session, schema),
    insert: async (table, columns, rows) => {
      if (rows.length === 0) return;
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const arrays = columns.map(({ type }, at) => `$${at + 1}::${ARRAYS[type]}`).join(', ');
      const text = `INSERT INTO "${schema}"."${table}" (${names}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arrays})`;
      const values = columns.map((_, at) => rows.map((row) => sentAs(row[at] ?? null)));
      await session.ask(text, values, WITHIN_MS);
    },
    numberFrom: async (nextIds) => {
      for (const { name, numbered } of await describeTables(session, schema)) {
        if (numbered === undefined) continue;
        const sequence = `pg_get_serial_sequence('${schema}.${name}', '${numbered}')`;
        await session.script(`SELECT setval(${sequence}, ${nextIds.get(name) ?? 1n}, false)`);
        await session.script(`ANALYZE "${schema}"."${name}"`, WITHIN_MS);
      }
    },
  };
}

async function rowsOf(session: Session, text: string): Promise<readonly QueryResultRow[]> {
  return (await session.script(text, WITHIN_MS)).at(-1)?.rows ?? [];
}

/** @throws TypeError for a column of a type that is not moved */
async function describeTables(session: Session, schema: string): Promise<readonly FoundTable[]> {
  const rows = await rowsOf(
    session,
    `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type,
       a.attidentity <> '' AS numbered, coalesce(array_position(k.conkey, a.attnum), 0) AS key
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
     WHERE c.relnamespace = '"${schema}"'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname COLLATE "C", a.attnum`,
  );
  return [...Map.groupBy(rows, (row) => String(row['table']))].map(([name, facts]) => describeTable(name, facts));
}

function describeTable(name: string, facts: readonly QueryResultRow[]): FoundTable {
  const columns = facts.map(({ column, type }): MovedColumn => {
    const known = TYPES[String(type)];
    if (known === undefined) throw new TypeError(`Column ${column} of table ${name} has the type ${type}`);
    return { name: String(column), type: known, isHidden: false };
  });
  const numbered = facts.find((fact) => fact['numbered'] === 1)?.['column'];
  const keys = facts.filter(({ key }) => key > 0).sort((a, b) => a['key'] - b['key']);
  const byKey = keys.map(({ column }) => String(column));
  const comparable = columns.filter(({ type }) => type !== 'bytes').map((column) => column.name);
  const order = byKey.length > 0 ? byKey : comparable;
  return { name, columns, numbered: numbered && String(numbered), order: numbered ? [String(numbered)] : order };
}

async function nextIdOf(session: Session, table: string, column: string): Promise<bigint> {
  const named = await rowsOf(session, `SELECT pg_get_serial_sequence('${table}', '${column}') AS name`);
  const [sequence] = await rowsOf(session, `SELECT last_value, is_called FROM ${named[0]?.['name']}`);
  return BigInt(sequence?.['last_value']) + BigInt(sequence?.['is_called']);
}

type Reading = {
  readonly from: string;
  readonly columns: readonly MovedColumn[];
  readonly order: readonly string[];
};

/**
 * One cursor tells how large the rows are, and another, in the same order, gives as many as fit in memory: large values
 * are not read for their size.
 */
async function* batchesOf(session: Session, { from, columns, order }: Reading): AsyncGenerator<readonly MovedRow[]> {
  const large = columns.filter(({ type }) => type === 'text' || type === 'bytes');
  const size = ['0::int8', ...large.map(({ name }) => `coalesce(octet_length("${name}"), 0)`)].join(' + ');
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const rest = `FROM ${from} ORDER BY ${order.map((name) => `"${name}"`).join(', ')}`;
  await session.script(
    `DECLARE sizes NO SCROLL CURSOR FOR SELECT ${size} AS bytes ${rest};
     DECLARE found NO SCROLL CURSOR FOR SELECT ${names} ${rest}`,
    WITHIN_MS,
  );
  try {
    for (;;) {
      const sizes = await rowsOf(session, `FETCH ${MAX_BATCH_ROWS} FROM sizes`);
      for (const count of groupsOf(sizes.map(({ bytes }) => Number(bytes)))) {
        const rows = await rowsOf(session, `FETCH ${count} FROM found`);
        yield rows.map((row) => columns.map(({ name }) => row[name] as MovedValue));
      }
      if (sizes.length < MAX_BATCH_ROWS) return;
    }
  } finally {
    // A transaction that has failed has closed them.
    await session.script('CLOSE sizes; CLOSE found').catch(() => undefined);
  }
}

/** How many rows after each other are read together. */
function groupsOf(sizes: readonly number[]): readonly number[] {
  const groups: number[] = [];
  let rows = 0;
  let bytes = 0;
  for (const size of sizes) {
    if (rows > 0 && bytes + size > MAX_BATCH_BYTES) {
      groups.push(rows);
      rows = 0;
      bytes = 0;
    }
    rows++;
    bytes += size;
  }
  return rows > 0 ? [...groups, rows] : groups;
}
