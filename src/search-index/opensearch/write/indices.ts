import { z } from 'zod';
import type { StoreIdentity } from '../../../core/store-identity.ts';
import type { Connection } from '../connection.ts';
import { indexBody, type Layout, STATE_ID, writtenName } from '../index-layout.ts';

/** What an index says of itself: the last document that a refresh writes. */
export type IndexState = {
  readonly seq: number;
  /** Of the store that it was published for. */
  readonly generation: number;
} & StoreIdentity;

const ADMIN_DEADLINE_MS = 60_000;

const StateSchema = z.object({
  _source: z.object({ seq: z.number(), generation: z.number(), storeId: z.string(), epoch: z.string() }),
});

/** The index that the alias stands for; undefined = none. */
export async function currentIndex(connection: Connection, alias: string): Promise<string | undefined> {
  const answer = await connection.find({ method: 'GET', path: `/_alias/${alias}`, deadlineMs: ADMIN_DEADLINE_MS });
  return answer === undefined ? undefined : Object.keys(z.record(z.string(), z.unknown()).parse(answer))[0];
}

/** Every index that was made for the alias, the oldest first. */
export async function indicesOf(connection: Connection, alias: string): Promise<readonly string[]> {
  const answer = await connection.call({ method: 'GET', path: `/${alias}-g*/_alias`, deadlineMs: ADMIN_DEADLINE_MS });
  const names = Object.keys(z.record(z.string(), z.unknown()).parse(answer));
  return names.sort((a, b) => numberOf(a) - numberOf(b));
}

/** The name of the next index of an alias. */
export function nextIndex(alias: string, known: readonly string[]): string {
  return `${alias}-g${Math.max(0, ...known.map(numberOf)) + 1}`;
}

function numberOf(index: string): number {
  return Number(/-g(\d+)$/.exec(index)?.[1] ?? 0);
}

export async function createIndex(connection: Connection, index: string, layout: Layout): Promise<void> {
  await connection.call({
    method: 'PUT',
    path: `/${index}`,
    body: indexBody(index, layout),
    deadlineMs: ADMIN_DEADLINE_MS,
  });
}

/** Whether an index was made with the present layout. */
export async function isOfLayout(connection: Connection, index: string): Promise<boolean> {
  const path = `/_alias/${writtenName(index)}`;
  return (await connection.find({ method: 'GET', path, deadlineMs: ADMIN_DEADLINE_MS })) !== undefined;
}

/** Deletes every index of an engine that is no more. */
export async function removeIndices(connection: Connection, alias: string): Promise<void> {
  for (const index of await indicesOf(connection, alias)) await deleteIndex(connection, index);
}

export async function deleteIndex(connection: Connection, index: string): Promise<void> {
  await connection.find({ method: 'DELETE', path: `/${index}`, deadlineMs: ADMIN_DEADLINE_MS });
}

/** From one moment on, searches of the alias are answered by this index. */
export async function moveAlias(connection: Connection, alias: string, index: string, from?: string): Promise<void> {
  const removal = from === undefined ? [] : [{ remove: { index: from, alias } }];
  await connection.call({
    method: 'POST',
    path: '/_aliases',
    body: { actions: [...removal, { add: { index, alias } }] },
    deadlineMs: ADMIN_DEADLINE_MS,
  });
}

export async function readState(connection: Connection, index: string): Promise<IndexState | undefined> {
  const path = `/${index}/_doc/${STATE_ID}`;
  const answer = await connection.find({ method: 'GET', path, deadlineMs: ADMIN_DEADLINE_MS });
  return answer === undefined ? undefined : StateSchema.parse(answer)._source;
}

/**
 * Makes all that was written visible, then the state that claims it. On one shard both appear together; on several the
 * changes may appear shortly before, never after.
 */
export async function publishState(
  connection: Connection,
  index: string,
  { state, shards }: { readonly state: IndexState; readonly shards: number },
): Promise<void> {
  const refresh = { method: 'POST', path: `/${index}/_refresh`, deadlineMs: ADMIN_DEADLINE_MS } as const;
  if (shards > 1) await connection.call(refresh);
  await connection.call({
    method: 'PUT',
    path: `/${writtenName(index)}/_doc/${STATE_ID}`,
    query: { require_alias: true },
    body: state,
    deadlineMs: ADMIN_DEADLINE_MS,
  });
  await connection.call(refresh);
}
