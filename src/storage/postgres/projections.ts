import { INDEX_WORKS } from '../engine/documents.ts';
import type { EngineStore } from '../engine-store.ts';
import { literalOf } from '../sql/statement.ts';
import type { Connections } from './connections.ts';
import { beginUnlocked, inTransaction, noteChange } from './transactions.ts';

/** What the store of an engine keeps of each index that is made of it: one a machine, or one on servers for all. */
export type Projections = Pick<
  EngineStore,
  'startProjection' | 'indexGeneration' | 'claimGeneration' | 'askIndexWork' | 'indexWork' | 'endIndexWork'
> & {
  /** Notes that this index has passed `seq`; resolves with the number that all of them have passed. */
  pass(seq: number): Promise<number>;
};

/** An index that no process writes for so long holds up no purge: it looks at all documents when it is back. */
const AWAY_FOR = "interval '1 day'";
/** Further than any index gets ahead of its store by a crash: it learns that it is not the latest. */
const FORGOTTEN_GENERATIONS = 1_000_000;

type ProjectionsOptions = {
  readonly connections: Connections;
  /** Schema of the engine's store. */
  readonly schema: string;
  /** Name of the index that this process writes or reads. */
  readonly projection: string;
  /** Told of what a process that follows the store has to look at: the number of changes of the store. */
  readonly onCommitted: (changes: number) => void;
};

/**
 * Rows beside the stores, so that no index waits for the writers of its engine, nor they for it: a claim locks the row of
 * its own index alone.
 */
export function projectionsOf(options: ProjectionsOptions): Projections {
  const { connections, schema, projection, onCommitted } = options;
  const store = `store = '${schema}'`;
  const own = `${store} AND name = ${literalOf(projection)}`;
  const values = `(name, store) VALUES (${literalOf(projection)}, '${schema}')`;
  const addOwn = `INSERT INTO fossick.projections ${values} ON CONFLICT DO NOTHING`;
  const rowOf = async (text: string) =>
    (await connections.use((session) => session.script(text))).at(-1)?.rows[0] as Record<string, unknown> | undefined;
  const readOwn = () => rowOf(`SELECT generation, work FROM fossick.projections WHERE ${own}`);
  return {
    startProjection: async () => {
      await rowOf(`${addOwn}; UPDATE fossick.projections SET passed_seq = 0 WHERE ${own} AND passed_seq IS NULL`);
    },
    indexGeneration: async () => Number((await readOwn())?.['generation'] ?? 0),
    claimGeneration: (expected, next, publish) =>
      connections.use(async (session) => {
        const work = async () => {
          const set = `UPDATE fossick.projections SET generation = ${next} WHERE ${own} AND generation = ${expected}`;
          const [, claimed] = await session.script(`${addOwn}; ${set}`);
          const isOwn = claimed?.rowCount === 1;
          if (isOwn) await publish();
          return isOwn;
        };
        const { result } = await inTransaction(session, { begin: beginUnlocked('fossick'), end: () => 'COMMIT' }, work);
        return result;
      }),
    // Those that are away do it when they are back; one that is still to be made is made anew.
    askIndexWork: async (work) => {
      const ask = `UPDATE fossick.projections SET work = '${work}' WHERE ${store}`;
      const told = await rowOf(`${addOwn}; ${ask}; ${noteChange(schema)}`);
      onCommitted(Number(told?.['changes']));
    },
    indexWork: async () => {
      const asked = (await readOwn())?.['work'];
      return INDEX_WORKS.find((work) => work === asked);
    },
    endIndexWork: async (work) => {
      await rowOf(`UPDATE fossick.projections SET work = NULL WHERE ${own} AND work = '${work}'`);
    },
    pass: async (seq) => {
      const isAway = `NOT EXISTS (SELECT 1 FROM fossick.processes process WHERE process.projection = index.name
        AND process.seen_at > clock_timestamp() - ${AWAY_FOR})`;
      const forget = `UPDATE fossick.projections index
        SET passed_seq = NULL, generation = generation + ${FORGOTTEN_GENERATIONS}
        WHERE ${store} AND name <> ${literalOf(projection)} AND passed_seq IS NOT NULL AND ${isAway}`;
      const note = `${addOwn}; UPDATE fossick.projections SET passed_seq = ${seq} WHERE ${own}`;
      const row = await rowOf(
        `${note}; ${forget}; SELECT min(passed_seq) AS passed FROM fossick.projections WHERE ${store}`,
      );
      return Math.min(seq, Number(row?.['passed'] ?? 0));
    },
  };
}
