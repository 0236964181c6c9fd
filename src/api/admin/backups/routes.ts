import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { parseStrictly } from '../../../accounts/problems.ts';
import type { Clock } from '../../../core/clock.ts';
import type { BackupRecord, BackupStore } from '../../../storage/backup-store.ts';
import { timeText } from '../responses.ts';

export type BackupRouteDeps = {
  readonly systemStore: Pick<BackupStore, 'askBackup' | 'listBackups'>;
  readonly clock: Clock;
};

const NOTHING = z.strictObject({});

/** Backups that were written, and asking for one, which the scheduler writes. */
export function backupRoutes({ systemStore, clock }: BackupRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/backups', async () => ({ items: (await systemStore.listBackups()).map(backupBody), next: null }));

    app.post('/backups', async (request, reply) => {
      parseStrictly(NOTHING, request.body ?? {});
      const id = await systemStore.askBackup('operator', clock.now());
      reply.code(202);
      return { id };
    });
  };
}

function backupBody({ id, state, startedBy, askedAt, endedAt, file, bytes, problem }: BackupRecord) {
  return {
    id,
    state,
    startedBy,
    askedAt: timeText(askedAt),
    endedAt: timeText(endedAt),
    file: file ?? null,
    bytes: bytes ?? null,
    problem: problem ?? null,
  };
}
