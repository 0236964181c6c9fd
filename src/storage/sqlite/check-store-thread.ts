import { parentPort, workerData } from 'node:worker_threads';
import { requireWhole } from './check-store.ts';
import { openForReading } from './sqlite-database.ts';

/** Entry of the thread that checks one large store: answers what is wrong with it, or null. */

parentPort?.postMessage(faultOf(workerData as string));

function faultOf(path: string): string | null {
  try {
    const db = openForReading(path);
    try {
      requireWhole(db, path);
    } finally {
      db.close();
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
