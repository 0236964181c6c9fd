import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import {
  type ApplyDeps,
  applyProvision,
  PLANNED_ACTIONS,
  type ProvisionPlan,
  planProvision,
} from '../../accounts/apply-provision.ts';
import {
  type InstallationStatus,
  installationStatus,
  type StatusDeps,
  TIERS,
} from '../../accounts/installation-status.ts';
import { exportProvision } from '../../accounts/manage-engines.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { SEVERITIES } from '../../core/alert-target.ts';
import type { Clock } from '../../core/clock.ts';
import { FINDING_NAMES, type Finding, type Health } from '../../health/health.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { BackupRecord, BackupStore } from '../../storage/system/installation.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { actorOf, callerOf } from './access.ts';
import { LIST_QUERY, queryOf, SPAN, spanOf } from './requests.ts';
import { auditBody, TIME, timeText } from './responses.ts';

export type StatusRouteDeps = StatusDeps & { readonly health: Health };

/** What runs, how full the disk is, how far the index is behind, and what is wrong with the command that mends it. */
export function statusRoutes(deps: StatusRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/status', async () => statusBody(await installationStatus(deps), await deps.health.findings()));
  };
}

const ENGINE_STATUS = z
  .object({
    id: z.int(),
    name: z.string(),
    documents: z.int(),
    crawlers: z.int(),
    activeCrawlers: z.int(),
    seq: z.int().describe('The last change of its documents.'),
    visibleSeq: z.int().describe('The last change that searches see.'),
    vectorSeq: z.int().optional().describe('Up to which passages have vectors; absent: the engine has none.'),
    problem: z.string().optional().describe('Why its store cannot be used.'),
  })
  .meta({ id: 'EngineStatus' });
const MODEL_STATUS = z
  .object({
    kind: z.enum(['language', 'embedding']),
    name: z.string(),
    state: z.enum(['answers', 'fails', 'unknown']).describe('How the last call ended; `unknown`: nobody has asked it.'),
    answeredAt: TIME.optional(),
    failedAt: TIME.optional(),
    fault: z.string().optional().describe('Why it failed the last time: `http-status 404`.'),
  })
  .meta({ id: 'ModelStatus' });
export const FINDING = z
  .object({
    name: z.enum(FINDING_NAMES),
    severity: z.enum(SEVERITIES),
    subject: z.string().describe('What it is about: `indexer`, `engine 6`.'),
    sentence: z.string(),
    command: z.string().describe('What mends it, or shows more.'),
  })
  .meta({ id: 'Finding' });
export const STATUS_BODY = z
  .object({
    at: TIME,
    version: z.string(),
    node: z.string(),
    stores: z.string().describe('What holds them: `SQLite 3.51.0`, `PostgreSQL 15.13`.'),
    tier: z.enum(TIERS).describe('What it runs on: files of one machine, a database, or OpenSearch besides.'),
    machines: z
      .array(
        z.object({
          id: z.string(),
          host: z.string(),
          processes: z.array(
            z.object({
              name: z.string(),
              misses: z.array(z.string()).describe('Servers that it cannot reach: `redis`.'),
            }),
          ),
        }),
      )
      .describe('Where its processes live; those of one machine share a `DATA_DIR`.'),
    index: z.string().optional().describe('What holds the index; absent: the data folder.'),
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }),
    roles: z.array(
      z.object({ role: z.string(), holder: z.string().nullable().describe('null: nobody does its work.') }),
    ),
    models: z.array(MODEL_STATUS).describe('Models that are configured, as the api knows them.'),
    engines: z.array(ENGINE_STATUS),
    findings: z.array(FINDING),
  })
  .meta({ id: 'Status' });

function statusBody(
  { at, nodeVersion, storedIn, models, ...shown }: InstallationStatus,
  findings: readonly Finding[],
): Shown<typeof STATUS_BODY> {
  const shownModels = models.map(({ answeredAt, failedAt, ...model }) => ({
    ...model,
    ...(answeredAt !== undefined && { answeredAt: timeText(answeredAt) }),
    ...(failedAt !== undefined && { failedAt: timeText(failedAt) }),
  }));
  return { ...shown, at: timeText(at), node: nodeVersion, stores: storedIn, models: shownModels, findings };
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
    app.get(
      '/configuration',
      async () =>
        ({ variables: deps.shownConfig, file: await exportProvision(deps) }) satisfies Shown<typeof CONFIGURATION_BODY>,
    );

    app.post('/configuration/plan', async (request) =>
      planBody(await planProvision(deps, parseStrictly(PROVISION_FILE, request.body))),
    );

    app.post('/configuration/apply', async (request) => {
      // Of a command the file is the author; a person is named.
      const person = callerOf(request).session === undefined ? undefined : actorOf(request);
      return planBody(await applyProvision(deps, parseStrictly(PROVISION_FILE, request.body), person));
    });
  };
}

export const CONFIGURATION_BODY = z
  .object({
    variables: z.record(z.string(), z.unknown()).describe('Every variable with its value; secrets are masked.'),
    file: z.record(z.string(), z.unknown()).describe('The records as a provision file.'),
  })
  .meta({ id: 'Configuration' });
export const PLAN_BODY = z
  .object({
    changes: z.array(
      z.object({
        action: z.enum(PLANNED_ACTIONS),
        record: z.string().describe('`engine 6 (Main)`.'),
        members: z.array(z.string()).describe('Those that differ.'),
      }),
    ),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ProvisionPlan' });

function planBody({ planned, warnings }: ProvisionPlan): Shown<typeof PLAN_BODY> {
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
      const id = await systemStore.askBackup(actorOf(request), clock.now());
      reply.code(202);
      return { id } satisfies Shown<typeof ASKED_BACKUP_BODY>;
    });
  };
}

export const BACKUP_BODY = z
  .object({
    id: z.int(),
    state: z.string(),
    startedBy: z.string(),
    askedAt: TIME,
    endedAt: TIME.nullable(),
    file: z.string().nullable(),
    bytes: z.int().nullable(),
    problem: z.string().nullable().describe('Why it failed.'),
  })
  .meta({ id: 'Backup' });

export const ASKED_BACKUP_BODY = z.object({ id: z.int() }).meta({ id: 'AskedBackup' });

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

const TEXT = z.string().min(1).optional();
export const AUDIT_LIST = z.strictObject({
  ...LIST_QUERY,
  actor: TEXT.describe('Part of who did it, in any case.'),
  action: TEXT.describe('What was done: `put-engine`.'),
  target: TEXT.describe('How it begins: `crawler:17`, `engine:6/`.'),
  ...SPAN,
});

/** Who changed what, newest first. */
export function auditRoutes({ store }: { readonly store: Pick<AccountStore, 'listAudit'> }): FastifyPluginAsync {
  return async (app) => {
    app.get('/audit', async (request) => {
      const { after, from, to, ...query } = queryOf(AUDIT_LIST, request);
      const { entries, next } = await store.listAudit({ ...query, ...spanOf({ from, to }), before: after });
      return { items: entries.map(auditBody), next: next ?? null };
    });
  };
}
