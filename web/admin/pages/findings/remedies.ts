import type { AdminClient } from '../../client/admin-client.ts';
import type { HomeFinding } from '../../generated-types.ts';

export type Remedy = {
  /** Where more is to be seen or set. */
  readonly link?: { readonly label: string; readonly href: string } | undefined;
  /** What one button does about it. */
  readonly deed?: Deed | undefined;
};

export type Deed = {
  readonly label: string;
  readonly done: string;
  readonly run: (client: AdminClient) => Promise<unknown>;
};

/** What helps against a finding: the words of the health model as buttons. */
export function remedyOf(finding: HomeFinding): Remedy {
  const { action, engine, crawler, url } = finding;
  const site = (tab = '') => siteAddress(engine, crawler, tab);
  const look: Remedy = { link: { label: 'Look', href: pageAddress(finding) } };
  const remedies: Readonly<Record<HomeFinding['action'], () => Remedy>> = {
    none: () => look,
    'change-alerts': () => ({ link: { label: 'Alerts', href: '/admin/system/alerts' } }),
    'change-settings': () => ({ link: { label: 'Settings', href: site('settings') } }),
    'view-documents': () => ({ link: { label: 'Documents', href: `/admin/engines/${engine}/documents` } }),
    'view-hosts': () => ({ link: { label: 'Hosts', href: site('hosts') } }),
    'view-logs': () => ({ link: { label: 'Log', href: '/admin/system/log' } }),
    'view-removals': () => ({ link: { label: 'Removals', href: site('removals') } }),
    'view-tools': () => ({ link: { label: 'Search tools', href: `/admin/engines/${engine}/tools` } }),
    'start-run': () => ({ ...look, deed: deed('Start a run', 'A run begins', `/crawlers/${crawler}/run`) }),
    'resume-runs': () => ({ ...look, deed: deed('Resume', 'The run goes on', `/crawlers/${crawler}/resume`) }),
    'start-backup': () => ({
      link: { label: 'Backups', href: '/admin/system/backups' },
      deed: deed('Back up now', 'A backup is under way', '/backups'),
    }),
    'rebuild-index': () => ({
      ...look,
      deed: deed(
        'Rebuild the index',
        'The index is made anew; the old one answers meanwhile',
        `/engines/${engine}/rebuild`,
      ),
    }),
    'release-host': () => ({
      link: { label: 'Hosts', href: site('hosts') },
      ...(url !== null && {
        deed: deed('Release', 'The host is visited again', `/crawlers/${crawler}/hosts/release`, { origin: url }),
      }),
    }),
    'allow-private': () => ({
      link: { label: 'Settings', href: site('settings') },
      ...(url !== null && {
        deed: deed(
          'Allow the private name',
          'The name may lead into the private network',
          `/crawlers/${crawler}/private-names`,
          {
            name: URL.parse(url)?.hostname ?? url,
          },
        ),
      }),
    }),
  };
  return remedies[action]();
}

function deed(label: string, done: string, path: string, body: unknown = {}): Remedy['deed'] {
  return { label, done, run: (client) => client.post(path, { body }) };
}

export function siteAddress(engine: number | null, crawler: number | null, tab = ''): string {
  if (engine === null) return '/admin/sites';
  const path = `/admin/sites/${engine}${tab === '' ? '' : `/${tab}`}`;
  return crawler === null ? path : `${path}?crawler=${crawler}`;
}

function pageAddress({ page, engine, crawler, url }: HomeFinding): string {
  if (page === 'system' || engine === null) return '/admin/system';
  if (page === 'documents') return `/admin/engines/${engine}/documents`;
  if (page === 'tools') return `/admin/engines/${engine}/tools`;
  if (page === 'why' && url !== null) return `/admin/engines/${engine}/why?${new URLSearchParams({ q: url })}`;
  return siteAddress(engine, crawler);
}
