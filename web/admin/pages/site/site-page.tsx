import { useRoute } from 'preact-iso/router';
import { useMay } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { type KnownEngine, useEngineOfPage, useEngines } from '../../frame/engines.ts';
import { lazyPage } from '../../frame/lazy-page.tsx';
import type { ListedCrawler } from '../../generated-types.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { siteAddress } from '../findings/remedies.ts';
import { CrawlerPill } from '../sites/crawler-state.tsx';
import { SiteActions } from './site-actions.tsx';
import { SiteProvider } from './site-context.ts';
import './site.css';

const TABS = [
  {
    id: '',
    label: 'Overview',
    Tab: lazyPage(() => import('./overview-tab.tsx').then((module) => module.OverviewTab)),
  },
  { id: 'pages', label: 'Pages', Tab: lazyPage(() => import('./pages-tab.tsx').then((module) => module.PagesTab)) },
  {
    id: 'removals',
    label: 'Removals',
    Tab: lazyPage(() => import('./removals-tab.tsx').then((module) => module.RemovalsTab)),
  },
  { id: 'hosts', label: 'Hosts', Tab: lazyPage(() => import('./hosts-tab.tsx').then((module) => module.HostsTab)) },
  { id: 'runs', label: 'Runs', Tab: lazyPage(() => import('./runs-tab.tsx').then((module) => module.RunsTab)) },
  {
    id: 'patterns',
    label: 'Patterns',
    Tab: lazyPage(() => import('./patterns-tab.tsx').then((module) => module.PatternsTab)),
  },
  {
    id: 'settings',
    label: 'Settings',
    Tab: lazyPage(() => import('./settings-tab.tsx').then((module) => module.SettingsTab)),
  },
  {
    id: 'engine',
    label: 'Engine',
    Tab: lazyPage(() => import('./engine-tab.tsx').then((module) => module.EngineTab)),
  },
  {
    id: 'history',
    label: 'History',
    Tab: lazyPage(() => import('./history-tab.tsx').then((module) => module.HistoryTab)),
  },
] as const;

const RESTING_MS = 10_000;
const RUNNING_MS = 3_000;
const MAX_CRAWLERS = 100;

/** An engine with its crawlers; all parts but the settings of the engine are about one of these. */
export function SitePage() {
  const engine = useEngineOfPage();
  const { engines } = useEngines();
  const { params } = useRoute();
  const { query } = useQueryState();
  const path = engine && `/crawlers?engine=${engine.id}&limit=${MAX_CRAWLERS}`;
  const list = useCrawlers(path);
  const crawlers = list.answer?.items;
  if (engines !== undefined && engine === undefined) return <NoSite />;
  if (list.error !== undefined && crawlers === undefined)
    return <ErrorNotice error={list.error} onRetry={list.reload} />;
  if (engine === undefined || crawlers === undefined) return <Skeleton lines={8} />;
  const crawler = crawlers.find(({ id }) => String(id) === query['crawler']) ?? crawlers[0];
  if (crawler === undefined) return <NoCrawler engine={engine} />;
  const shown = TABS.find(({ id }) => id === (params['tab'] ?? ''));
  return (
    <SiteProvider value={{ engine, crawler, reload: list.reload }}>
      <Head engine={engine} crawlers={crawlers} crawler={crawler} />
      <Tabs
        label="Parts of the site"
        tabs={TABS.map(({ id, label }) => ({
          label,
          href: siteAddress(engine.id, crawler.id, id),
          isCurrent: id === shown?.id,
          count: id === 'removals' ? crawler.state.heldRemovals : undefined,
        }))}
      />
      <div class="tab-body" key={`${crawler.id} ${shown?.id}`}>
        {shown === undefined ? <NoSite /> : <shown.Tab />}
      </div>
    </SiteProvider>
  );
}

/** A run is looked at more often. */
function useCrawlers(path: string | undefined) {
  const isRunning = (crawlers: readonly ListedCrawler[]) => crawlers.some(({ state }) => state.run !== null);
  return useAnswer<{ readonly items: readonly ListedCrawler[] }>(path, {
    everyMs: ({ items }) => (isRunning(items) ? RUNNING_MS : RESTING_MS),
  });
}

function NoSite() {
  return (
    <EmptyState
      icon="why"
      title="There is no such site"
      actions={
        <a class="button" href="/admin/sites">
          All sites
        </a>
      }
    />
  );
}

function NoCrawler({ engine }: { readonly engine: KnownEngine }) {
  const isOperator = useMay('operator');
  return (
    <>
      <PageHead title={engine.name} about={`Engine ${engine.id}`} />
      <section class="card">
        <EmptyState
          icon="sites"
          title="Nothing is crawled for this engine"
          actions={
            isOperator && (
              <a class="button main" href="/admin/sites/add">
                Add a site
              </a>
            )
          }
        >
          Its documents are pushed by programs, if it has any.
        </EmptyState>
      </section>
    </>
  );
}

type HeadProps = {
  readonly engine: KnownEngine;
  readonly crawlers: readonly ListedCrawler[];
  readonly crawler: ListedCrawler;
};

function Head({ engine, crawlers, crawler }: HeadProps) {
  const { set } = useQueryState();
  const isOperator = useMay('operator');
  return (
    <PageHead
      title={engine.name}
      about={
        <span class="row">
          <CrawlerPill state={crawler.state} />
          <span>
            Engine {engine.id} · crawler {crawler.id}: <bdi>{crawler.name}</bdi>
            {crawler.managedBy !== null && (
              <>
                , managed by <code>{crawler.managedBy}</code>
              </>
            )}
          </span>
        </span>
      }
    >
      {crawlers.length > 1 && (
        <select
          class="narrow"
          aria-label="Crawler"
          value={crawler.id}
          onChange={(event) => set({ crawler: event.currentTarget.value, after: undefined })}
        >
          {crawlers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name} ({id})
            </option>
          ))}
        </select>
      )}
      {isOperator && <SiteActions />}
    </PageHead>
  );
}
