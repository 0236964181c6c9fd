import { z } from 'zod';
import type { Connection } from './connection.ts';

/** Least version that the index is built for. */
export const LEAST_OPENSEARCH = '3.0';

const RootSchema = z.object({ version: z.object({ number: z.string(), distribution: z.string().optional() }) });

export type ServerVersion = { readonly number: string; readonly isEnough: boolean };

/** What runs there; a server of another make is never enough. @throws AppError `index.unavailable` */
export async function readServerVersion(connection: Connection): Promise<ServerVersion> {
  const { number, distribution } = RootSchema.parse(await connection.call({ method: 'GET', path: '/' })).version;
  const isEnough =
    distribution === 'opensearch' && Number.parseInt(number, 10) >= Number.parseInt(LEAST_OPENSEARCH, 10);
  return { number, isEnough };
}
