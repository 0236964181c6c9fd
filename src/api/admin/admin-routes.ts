import type { FastifyPluginAsync } from 'fastify';
import type { AccountStore } from '../../storage/account-store.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import { type OperatorAccess, operatorCheck } from '../operator-access.ts';
import { auditRoutes } from './audit/routes.ts';
import { type BackupRouteDeps, backupRoutes } from './backups/routes.ts';
import { type ConfigurationRouteDeps, configurationRoutes } from './configuration/routes.ts';
import { type CrawlerRouteDeps, crawlerRoutes } from './crawlers/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import { adminDocumentRoutes } from './documents/routes.ts';
import { type DryRunRouteDeps, dryRunRoutes } from './dry-runs/routes.ts';
import { engineRoutes } from './engines/routes.ts';
import { type ExplainRouteDeps, explainRoutes } from './explain/routes.ts';
import { type GoldenRouteDeps, goldenQuestionRoutes } from './golden-questions/routes.ts';
import { type HostRouteDeps, hostRoutes } from './hosts/routes.ts';
import { type PatternRouteDeps, patternRoutes } from './patterns/routes.ts';
import { type RemovalRouteDeps, removalRoutes } from './removals/routes.ts';
import { type RunRouteDeps, runRoutes } from './runs/routes.ts';
import { type StatisticsRouteDeps, statisticsRoutes } from './statistics/routes.ts';
import { type StatusRouteDeps, statusRoutes } from './status/routes.ts';
import { type UrlRouteDeps, urlRoutes } from './urls/routes.ts';

export type AdminDeps = OperatorAccess &
  CrawlerRouteDeps &
  ConfigurationRouteDeps &
  StatusRouteDeps &
  StatisticsRouteDeps &
  RunRouteDeps &
  UrlRouteDeps &
  DryRunRouteDeps &
  RemovalRouteDeps &
  HostRouteDeps &
  PatternRouteDeps &
  GoldenRouteDeps &
  BackupRouteDeps &
  ExplainRouteDeps & { readonly store: AccountStore; readonly engineStores: Pick<EngineStores, 'of' | 'remove'> };

/** The admin API: every route needs the operator token, every change is in the audit log. */
export function adminRoutes(deps: AdminDeps): FastifyPluginAsync {
  return async (app) => {
    await app.register(
      async (admin) => {
        admin.addHook('onRequest', operatorCheck(deps));
        admin.addHook('onRequest', async (_request, reply) => {
          reply.header('Cache-Control', 'no-store');
        });
        for (const routes of [customerRoutes, engineRoutes, crawlerRoutes, adminDocumentRoutes, explainRoutes]) {
          await admin.register(routes(deps));
        }
        for (const routes of [runRoutes, urlRoutes, dryRunRoutes, removalRoutes, hostRoutes, patternRoutes])
          await admin.register(routes(deps));
        for (const routes of [
          statisticsRoutes,
          goldenQuestionRoutes,
          configurationRoutes,
          statusRoutes,
          auditRoutes,
          backupRoutes,
        ])
          await admin.register(routes(deps));
      },
      { prefix: '/admin/v1' },
    );
  };
}
