import type { Connection, Json } from './connection.ts';
import type { KnownGeneration } from './generation.ts';
import { requireWhole } from './whole-answer.ts';

/** One engine as a search sees it. */
export type Engine = {
  readonly connection: Connection;
  readonly alias: string;
  readonly generation: KnownGeneration;
  readonly signal: AbortSignal | undefined;
};

/** Sends a search; the alias is there, as its generation was read. */
export async function searchEngine({ connection, alias, signal }: Engine, body: Json): Promise<unknown> {
  return requireWhole(await connection.call({ method: 'POST', path: `/${alias}/_search`, body, signal }));
}
