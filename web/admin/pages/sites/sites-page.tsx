import { useMay } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { usePages } from '../../client/use-pages.ts';
import { useEngines } from '../../frame/engines.ts';
import type { ListedCrawler } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { siteAddress } from '../findings/remedies.ts';
import { CrawlerPill, RunText } from './crawler-state.tsx';

const EVERY_MS = 10_000;

/** Every crawler with what it is doing. */
export function SitesPage() {
  const { query, set } = useQueryState();
  const { text, state } = query;
  const crawlers = usePages<ListedCrawler>('/crawlers', { query: { text, state }, everyMs: EVERY_MS });
  const isOperator = useMay('operator');
  const { engines = [] } = useEngines();
  const nameOf = (id: number) => engines.find((engine) => engine.id === id)?.name ?? `Engine ${id}`;
  const add = (
    <a class="button main" href="/admin/sites/add">
      <Icon name="plus" /> Add a site
    </a>
  );
  const isFiltered = text !== undefined || state !== undefined;
  return (
    <>
      <PageHead title="Sites" about="What is crawled, and how it gets on.">
        {isOperator && add}
      </PageHead>
      <div class="row">
        <FilterText
          label="Find a site"
          placeholder="Name, seed or number"
          value={text ?? ''}
          onChange={(value) => set({ text: value, after: undefined })}
        />
        <select
          class="narrow"
          aria-label="State"
          value={state ?? ''}
          onChange={(event) => set({ state: event.currentTarget.value, after: undefined })}
        >
          {STATES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <DataTable
        {...crawlers}
        label="Sites"
        columns={columns(nameOf)}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title="No site fits">
              Try fewer letters, or another state.
            </EmptyState>
          ) : (
            <section class="card">
              <EmptyState icon="sites" title="No site is crawled yet" actions={isOperator && add}>
                Name its address: ten of its pages are read to see what is there, and then all of them.
              </EmptyState>
            </section>
          )
        }
      />
    </>
  );
}

const STATES = [
  { value: '', label: 'All states' },
  { value: 'problem', label: 'With findings' },
  { value: 'running', label: 'Crawling' },
  { value: 'paused', label: 'Paused' },
  { value: 'waiting', label: 'About to run' },
  { value: 'idle', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

function columns(nameOf: (engineId: number) => string): readonly Column<ListedCrawler>[] {
  return [
    {
      title: 'Site',
      show: ({ id, name, engine, seeds = [] }) => (
        <>
          <a href={siteAddress(engine, id)}>
            <bdi>{nameOf(engine)}</bdi>
          </a>
          <br />
          <span class="small quiet any">
            <bdi>{name}</bdi>
            {seeds[0] !== undefined && (
              <>
                {' · '}
                <bdi>{seeds[0]}</bdi>
              </>
            )}
            {seeds.length > 1 && ` and ${formatCounted(seeds.length - 1, 'seed')} more`}
          </span>
        </>
      ),
    },
    { title: 'State', show: ({ state }) => <CrawlerPill state={state} /> },
    { title: 'Documents', isNumber: true, show: ({ state }) => formatCount(state.documents) },
    { title: 'Last run', isSecondary: true, show: ({ state }) => <RunText run={state.lastRun} /> },
    {
      title: 'Next run',
      isSecondary: true,
      show: ({ state }) => <TimeText at={state.nextRun?.at} never="not planned" />,
    },
    {
      title: 'Findings',
      show: ({ state: { findings, heldRemovals } }) => (
        <span class="row">
          {findings.length > 0 && (
            <StatusPill tone={findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'}>
              <span title={findings.map(({ sentence }) => sentence).join('\n')}>{findings.length}</span>
            </StatusPill>
          )}
          {heldRemovals > 0 && <StatusPill tone="warn">{formatCount(heldRemovals)} held</StatusPill>}
        </span>
      ),
    },
  ];
}
