import { toAppError } from '../../core/errors.ts';
import type { Connections } from './connections.ts';
import type { WriteBound } from './write-queue.ts';

/** Why the server takes no reads, or no writes, in words; undefined: it takes both, as far as this process knows. */
export async function serverFault(reads: Connections, { refused }: WriteBound): Promise<string | undefined> {
  try {
    const [shown] = await reads.use((session) => session.script('SHOW transaction_read_only'));
    if (shown?.rows[0]?.transaction_read_only === 'on')
      return 'PostgreSQL takes no writes: it is read-only, as a standby is';
    return refused?.message;
  } catch (error) {
    return toAppError(error).message;
  }
}
