import type { Finding, FindingName } from './health.ts';

/** Pages of the admin web that show more of a finding. */
export const FINDING_PAGES = ['site', 'documents', 'tools', 'why', 'system'] as const;
export type FindingPage = (typeof FINDING_PAGES)[number];

/** What a page offers to mend a finding; stable names, as those of findings. */
export const FINDING_ACTIONS = [
  'allow-private',
  'change-alerts',
  'change-settings',
  'none',
  'rebuild-index',
  'release-host',
  'resume-runs',
  'start-backup',
  'start-run',
  'view-documents',
  'view-hosts',
  'view-logs',
  'view-removals',
  'view-tools',
] as const;
export type FindingAction = (typeof FINDING_ACTIONS)[number];

type Mend = { readonly page: FindingPage; readonly action: FindingAction };

const MENDS: Readonly<Record<FindingName, Mend>> = {
  'role-missing': { page: 'system', action: 'view-logs' },
  'process-restarts': { page: 'system', action: 'view-logs' },
  'configuration-wrong': { page: 'system', action: 'none' },
  'node-old': { page: 'system', action: 'none' },
  'data-folder': { page: 'system', action: 'none' },
  'port-taken': { page: 'system', action: 'none' },
  'redis-missing': { page: 'system', action: 'none' },
  'database-down': { page: 'system', action: 'none' },
  'index-down': { page: 'system', action: 'none' },
  'secrets-key': { page: 'system', action: 'none' },
  'redis-unshared': { page: 'system', action: 'none' },
  'check-failed': { page: 'system', action: 'view-logs' },
  'disk-low': { page: 'system', action: 'none' },
  'disk-full': { page: 'system', action: 'none' },
  'alert-target-failing': { page: 'system', action: 'change-alerts' },
  'backup-late': { page: 'system', action: 'start-backup' },
  'clock-jumped': { page: 'system', action: 'none' },
  'backup-failed': { page: 'system', action: 'start-backup' },
  'index-repair': { page: 'system', action: 'none' },
  'store-unusable': { page: 'system', action: 'none' },
  'documents-damaged': { page: 'documents', action: 'view-documents' },
  'proxy-unlisted': { page: 'system', action: 'none' },
  'redis-down': { page: 'system', action: 'view-logs' },
  'redis-slow': { page: 'system', action: 'none' },
  'redis-folder': { page: 'system', action: 'none' },
  'search-stuck': { page: 'system', action: 'view-logs' },
  'index-behind': { page: 'system', action: 'rebuild-index' },
  'host-unknown': { page: 'site', action: 'change-settings' },
  'name-private': { page: 'site', action: 'allow-private' },
  'host-down': { page: 'site', action: 'release-host' },
  'host-held': { page: 'site', action: 'release-host' },
  'host-stalled': { page: 'site', action: 'view-hosts' },
  'host-strange': { page: 'site', action: 'release-host' },
  'seed-out-of-scope': { page: 'site', action: 'change-settings' },
  'crawler-settings': { page: 'site', action: 'change-settings' },
  'login-failed': { page: 'site', action: 'resume-runs' },
  'removals-held': { page: 'site', action: 'view-removals' },
  'site-closed': { page: 'site', action: 'view-removals' },
  'page-limit': { page: 'site', action: 'change-settings' },
  'run-failed': { page: 'site', action: 'start-run' },
  'titles-shared': { page: 'documents', action: 'view-documents' },
  'tools-broken': { page: 'tools', action: 'view-tools' },
  'model-down': { page: 'system', action: 'none' },
  'embedding-down': { page: 'system', action: 'none' },
  'browser-missing': { page: 'system', action: 'none' },
};

/** Where a finding is looked at and mended, and what it is about. */
export type FindingTarget = Mend & {
  /** Undefined for what is about a crawler. */
  readonly engineId: number | undefined;
  readonly crawlerId: number | undefined;
  /** `https://a.example`, or the seed that the subject names. */
  readonly url: string | undefined;
};

const SUBJECT = /^(engine|crawler) ([0-9]+)(?: (\S+))?$/;

export function findingTarget({ name, subject }: Pick<Finding, 'name' | 'subject'>): FindingTarget {
  const [, kind, id, url] = SUBJECT.exec(subject) ?? [];
  return {
    ...MENDS[name],
    engineId: kind === 'engine' ? Number(id) : undefined,
    crawlerId: kind === 'crawler' ? Number(id) : undefined,
    url,
  };
}
