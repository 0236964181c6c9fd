import { useRoute } from 'preact-iso/router';
import { lazyPage } from '../../frame/lazy-page.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/tabs.tsx';

const TABS = [
  { id: '', label: 'Overview', Tab: lazyPage(() => import('./overview-tab.tsx').then((module) => module.OverviewTab)) },
  { id: 'queues', label: 'Queues', Tab: lazyPage(() => import('./queues-tab.tsx').then((module) => module.QueuesTab)) },
  {
    id: 'backups',
    label: 'Backups',
    Tab: lazyPage(() => import('./backups-tab.tsx').then((module) => module.BackupsTab)),
  },
  { id: 'log', label: 'Log', Tab: lazyPage(() => import('./log-tab.tsx').then((module) => module.LogTab)) },
  { id: 'alerts', label: 'Alerts', Tab: lazyPage(() => import('./alerts-tab.tsx').then((module) => module.AlertsTab)) },
  { id: 'people', label: 'People', Tab: lazyPage(() => import('./people-tab.tsx').then((module) => module.PeopleTab)) },
  {
    id: 'customers',
    label: 'Customers',
    Tab: lazyPage(() => import('./customers-tab.tsx').then((module) => module.CustomersTab)),
  },
  { id: 'keys', label: 'API keys', Tab: lazyPage(() => import('./keys-tab.tsx').then((module) => module.KeysTab)) },
  { id: 'audit', label: 'Audit log', Tab: lazyPage(() => import('./audit-tab.tsx').then((module) => module.AuditTab)) },
  {
    id: 'configuration',
    label: 'Configuration',
    Tab: lazyPage(() => import('./configuration-tab.tsx').then((module) => module.ConfigurationTab)),
  },
] as const;

/** The installation itself. */
export function SystemPage() {
  const { params } = useRoute();
  const shown = TABS.find(({ id }) => id === (params['tab'] ?? ''));
  return (
    <>
      <PageHead title="System" />
      <Tabs
        label="Parts of the system"
        tabs={TABS.map(({ id, label }) => ({
          label,
          href: id === '' ? '/admin/system' : `/admin/system/${id}`,
          isCurrent: id === shown?.id,
        }))}
      />
      <div class="tab-body" key={shown?.id}>
        {shown === undefined ? <EmptyState icon="why" title="There is no such part" /> : <shown.Tab />}
      </div>
    </>
  );
}
