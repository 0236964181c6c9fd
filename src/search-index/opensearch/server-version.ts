import { z } from 'zod';
import { toAppError } from '../../core/errors.ts';
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

/** What is wrong with servers of a version that is not enough. */
export function tooOld(number: string): string {
  return `names a server of version ${number}: OpenSearch ${LEAST_OPENSEARCH} or later is needed`;
}

const HealthSchema = z.object({ status: z.string() });

/** Why the indexes of the prefix cannot be searched, in words; undefined when they can. Two calls. */
export async function readIndexFault(connection: Connection, indexPrefix: string): Promise<string | undefined> {
  try {
    const { number, isEnough } = await readServerVersion(connection);
    if (!isEnough) return `OPENSEARCH_URL ${tooOld(number)}`;
    const health = {
      method: 'GET',
      path: `/_cluster/health/${indexPrefix}-engine-*`,
      query: { timeout: '0s' },
    } as const;
    const { status } = HealthSchema.parse(await connection.call(health));
    if (status !== 'red') return undefined;
    return 'A part of an index is away from the servers of OPENSEARCH_URL: searches of its engine are refused until it is back';
  } catch (error) {
    return `${toAppError(error).message}: searches are refused, and what is accepted meanwhile is indexed afterwards`;
  }
}
