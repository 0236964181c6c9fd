import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { type ApplyDeps, applyProvision, type ProvisionPlan, planProvision } from '../../accounts/apply-provision.ts';
import { type InstallationStatus, installationStatus, type StatusDeps } from '../../accounts/installation-status.ts';
import { exportProvision } from '../../accounts/manage-engines.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import type { Clock } from '../../core/clock.ts';
import type { Finding, Health } from '../../health/health.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { BackupRecord, BackupStore } from '../../storage/system/installation.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { LIST_QUERY, queryOf } from './requests.ts';
import { auditBody, timeText } from './responses.ts';

export type StatusRouteDeps = StatusDeps & { readonly health: Health };

/** What runs, how full the disk is, how far the index is behind, and what is wrong with the command that mends it. */
export function statusRoutes(deps: StatusRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/status', async () => statusBody(await installationStatus(deps), await deps.health.findings()));
  };
}

function statusBody(
  { at, version, nodeVersion, disk, roles, engines }: InstallationStatus,
  findings: readonly Finding[],
) {
  return { at: timeText(at), version, node: nodeVersion, disk, roles, engines, findings };
}

export type ConfigurationRouteDeps = ApplyDeps & {
  /** Every variable with its value, secrets masked. */
  readonly shownConfig: Readonly<Record<string, unknown>>;
};

/** `name`: what the records of the file are managed by. */
export const PROVISION_FILE = z.strictObject({ name: z.string().min(1).max(200), content: z.unknown() });

/** The configuration, the present records as a provision file, and what another one would change. */
export function configurationRoutes(deps: ConfigurationRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/configuration', async () => ({ variables: deps.shownConfig, file: await exportProvision(deps) }));

    app.post('/configuration/plan', async (request) =>
      planBody(await planProvision(deps, parseStrictly(PROVISION_FILE, request.body))),
    );

    app.post('/configuration/apply', async (request) =>
      planBody(await applyProvision(deps, parseStrictly(PROVISION_FILE, request.body))),
    );
  };
}

function planBody({ planned, warnings }: ProvisionPlan) {
  return { changes: planned, warnings };
}

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

const ASKED_AT = z.iso.datetime();
export const BACKUP_BODY = z
  .object({
    id: z.int(),
    state: z.string(),
    startedBy: z.string(),
    askedAt: ASKED_AT,
    endedAt: ASKED_AT.nullable(),
    file: z.string().nullable(),
    bytes: z.int().nullable(),
    problem: z.string().nullable().describe('Why it failed.'),
  })
  .meta({ id: 'Backup' });

function backupBody(backup: BackupRecord): Shown<typeof BACKUP_BODY> {
  const { id, state, startedBy, askedAt, endedAt, file, bytes, problem } = backup;
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

export const AUDIT_LIST = z.strictObject(LIST_QUERY);

/** Who changed what, newest first. */
export function auditRoutes({ store }: { readonly store: Pick<AccountStore, 'listAudit'> }): FastifyPluginAsync {
  return async (app) => {
    app.get('/audit', async (request) => {
      const { limit, after } = queryOf(AUDIT_LIST, request);
      const rows = await store.listAudit(limit, after);
      return { items: rows.map(auditBody), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
    });
  };
}
