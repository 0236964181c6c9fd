import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { usePages } from '../../client/use-pages.ts';
import type { CrawlerQueue, RetriedUrls } from '../../generated-types.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { StatusPill } from '../../parts/status-pill.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { siteAddress } from '../findings/remedies.ts';

const EVERY_MS = 5_000;

/** What waits and what failed, crawler by crawler. */
export function QueuesTab() {
  const client = useAdmin();
  const toast = useToast();
  const queues = usePages<CrawlerQueue>('/queues', { everyMs: EVERY_MS });
  const [asked, setAsked] = useState<CrawlerQueue>();
  const retry = async ({ crawler }: CrawlerQueue) => {
    const { body } = await client.post<RetriedUrls>(`/crawlers/${crawler}/retry`, { body: {} });
    toast({ text: `${formatCounted(body.urls, 'URL')} will be visited again` });
    queues.reload();
  };
  const actions: Column<CrawlerQueue> = {
    title: 'Actions',
    isActions: true,
    show: (queue) =>
      queue.failed > 0 &&
      queue.active && (
        <button type="button" onClick={() => setAsked(queue)}>
          Try again
        </button>
      ),
  };
  return (
    <>
      <DataTable
        {...queues}
        label="Queues of crawlers"
        columns={[...COLUMNS, actions]}
        keyOf={({ crawler }) => crawler}
        empty={
          <section class="card">
            <EmptyState icon="check" title="No crawler has a queue">
              Sites that are added stand here with what waits to be visited.
            </EmptyState>
          </section>
        }
      />
      {asked !== undefined && (
        <ConfirmDialog
          title={`Visit what failed at “${asked.name}” again?`}
          action="Visit again"
          onConfirm={() => retry(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {formatCounted(asked.failed, 'URL')} whose last visit failed are visited now, at the pace of their hosts.
            Those of a host that is down fail again: look at the hosts first.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const COLUMNS: readonly Column<CrawlerQueue>[] = [
  {
    title: 'Crawler',
    show: ({ crawler, engine, name, active }) => (
      <>
        <a href={siteAddress(engine, crawler)}>
          <bdi>{name}</bdi>
        </a>{' '}
        {!active && <StatusPill tone="idle">Inactive</StatusPill>}
      </>
    ),
  },
  { title: 'Waiting', isNumber: true, show: ({ waiting }) => formatCount(waiting) },
  {
    title: 'Failed',
    isNumber: true,
    show: ({ crawler, engine, failed }) =>
      failed === 0 ? 0 : <a href={`${siteAddress(engine, crawler, 'pages')}&state=failed`}>{formatCount(failed)}</a>,
  },
  {
    title: 'Hosts left alone',
    isNumber: true,
    isSecondary: true,
    show: ({ crawler, engine, heldHosts }) =>
      heldHosts === 0 ? 0 : <a href={siteAddress(engine, crawler, 'hosts')}>{formatCount(heldHosts)}</a>,
  },
  {
    title: 'Removals held',
    isNumber: true,
    isSecondary: true,
    show: ({ crawler, engine, heldRemovals }) =>
      heldRemovals === 0 ? 0 : <a href={siteAddress(engine, crawler, 'removals')}>{formatCount(heldRemovals)}</a>,
  },
];
