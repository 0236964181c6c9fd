import { totalmem } from 'node:os';

/** Of the machine, or of the container when it has less. */
export function halfOfMemoryMb(): number {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.max(64, Math.floor(bytes / 2 / 2 ** 20));
}
