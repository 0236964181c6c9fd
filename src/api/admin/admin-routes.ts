import type { FastifyPluginAsync } from 'fastify';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { PeopleStore } from '../../storage/system/people.ts';
import { type AccessDeps, guardAdminRoutes } from './access.ts';
import { type AlertTargetRouteDeps, alertTargetRoutes } from './alert-targets.ts';
import { type CrawlerListDeps, crawlerListRoutes } from './crawler-list.ts';
import { type CrawlerRouteDeps, crawlerRoutes } from './crawlers.ts';
import { customerRoutes, engineRoutes } from './customers.ts';
import { adminDocumentRoutes, type DocumentRouteDeps } from './documents.ts';
import { type DryRunRouteDeps, dryRunRoutes } from './dry-runs.ts';
import { type ExplainRouteDeps, explainRoutes } from './explain.ts';
import { type GoldenRouteDeps, goldenQuestionRoutes } from './golden-questions.ts';
import { type HomeRouteDeps, homeRoutes } from './home.ts';
import { type HostRouteDeps, hostRoutes } from './hosts.ts';
import {
  auditRoutes,
  type BackupRouteDeps,
  backupRoutes,
  type ConfigurationRouteDeps,
  configurationRoutes,
  type StatusRouteDeps,
  statusRoutes,
} from './installation.ts';
import { type OidcRouteDeps, oidcRoutes } from './oidc.ts';
import { type PatternRouteDeps, patternRoutes } from './patterns.ts';
import { type PeopleRouteDeps, peopleRoutes } from './people.ts';
import { type RemovalRouteDeps, removalRoutes } from './removals.ts';
import { type RunRouteDeps, runRoutes } from './runs.ts';
import { pinRoutes } from './search-tools/pins.ts';
import { type PreviewRouteDeps, previewRoutes } from './search-tools/preview.ts';
import { searchToolRoutes } from './search-tools/records.ts';
import { adminSynonymRoutes, type SynonymRouteDeps } from './search-tools/synonyms.ts';
import { type SessionRouteDeps, sessionRoutes } from './session.ts';
import { type HistoryRouteDeps, historyRoutes, releaseRoutes } from './settings/history.ts';
import { type ScheduleRouteDeps, scheduleRoutes } from './settings/schedule.ts';
import { schemaRoutes } from './settings/schemas.ts';
import { type SiteRouteDeps, siteRoutes } from './sites.ts';
import { type StatisticsRouteDeps, statisticsRoutes } from './statistics.ts';
import { type SystemRouteDeps, systemRoutes } from './system.ts';
import { type UrlRouteDeps, urlRoutes } from './urls.ts';
import { type VisitorReportDeps, visitorReportRoutes } from './visitor-reports.ts';
import { type WidgetRouteDeps, widgetRoutes } from './widget.ts';

export type AdminDeps = AccessDeps &
  CrawlerRouteDeps &
  CrawlerListDeps &
  HomeRouteDeps &
  SiteRouteDeps &
  VisitorReportDeps &
  SystemRouteDeps &
  DocumentRouteDeps &
  HistoryRouteDeps &
  ScheduleRouteDeps &
  ConfigurationRouteDeps &
  StatusRouteDeps &
  StatisticsRouteDeps &
  RunRouteDeps &
  UrlRouteDeps &
  DryRunRouteDeps &
  RemovalRouteDeps &
  HostRouteDeps &
  PatternRouteDeps &
  PeopleRouteDeps &
  SessionRouteDeps &
  OidcRouteDeps &
  GoldenRouteDeps &
  BackupRouteDeps &
  AlertTargetRouteDeps &
  WidgetRouteDeps &
  PreviewRouteDeps &
  SynonymRouteDeps &
  ExplainRouteDeps & {
    readonly store: AccountStore & PeopleStore;
    readonly engineStores: Pick<EngineStores, 'of' | 'remove'>;
  };

/** The admin API: every route states the least role of its callers, every change is in the audit log. */
export function adminRoutes(deps: AdminDeps): FastifyPluginAsync {
  return async (app) => {
    await app.register(
      async (admin) => {
        guardAdminRoutes(admin, deps);
        admin.addHook('onRequest', async (_request, reply) => {
          reply.header('Cache-Control', 'no-store');
        });
        for (const routes of [
          customerRoutes,
          engineRoutes,
          crawlerRoutes,
          crawlerListRoutes,
          siteRoutes,
          historyRoutes,
          releaseRoutes,
          scheduleRoutes,
          schemaRoutes,
          adminDocumentRoutes,
          explainRoutes,
          widgetRoutes,
          searchToolRoutes,
          pinRoutes,
          previewRoutes,
          adminSynonymRoutes,
        ]) {
          await admin.register(routes(deps));
        }
        for (const routes of [runRoutes, urlRoutes, dryRunRoutes, removalRoutes, hostRoutes, patternRoutes])
          await admin.register(routes(deps));
        for (const routes of [
          sessionRoutes,
          oidcRoutes,
          peopleRoutes,
          homeRoutes,
          statisticsRoutes,
          visitorReportRoutes,
          systemRoutes,
          goldenQuestionRoutes,
          configurationRoutes,
          statusRoutes,
          auditRoutes,
          backupRoutes,
          alertTargetRoutes,
        ])
          await admin.register(routes(deps));
      },
      { prefix: '/admin/v1' },
    );
  };
}
