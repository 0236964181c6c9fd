import { useAdmin, useMay } from '../../client/client-context.ts';
import { usePages } from '../../client/use-pages.ts';
import type { Host } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useSite } from './site-context.ts';

const EVERY_MS = 10_000;

/** Hosts of the site: what they answer, and why they are left alone. */
export function HostsTab() {
  const { crawler, reload } = useSite();
  const client = useAdmin();
  const isOperator = useMay('operator');
  const hosts = usePages<Host>(`/crawlers/${crawler.id}/hosts`, { everyMs: EVERY_MS });
  const act = useAction(() => {
    hosts.reload();
    reload();
  });
  const post = (action: string, { origin }: Host, done: string) =>
    act({ work: () => client.post(`/crawlers/${crawler.id}/hosts/${action}`, { body: { origin } }), done });
  const actions: Column<Host> = {
    title: 'Actions',
    isActions: true,
    show: (host) => (
      <span class="row">
        {host.heldUntil !== null && (
          <button type="button" onClick={() => void post('release', host, 'The host is visited again')}>
            Release
          </button>
        )}
        <button
          type="button"
          class="plain"
          onClick={() => void post('refresh-robots', host, 'robots.txt is read anew before the next visit')}
        >
          Read robots.txt anew
        </button>
      </span>
    ),
  };
  return (
    <DataTable
      {...hosts}
      label="Hosts"
      columns={isOperator ? [...COLUMNS, actions] : COLUMNS}
      keyOf={({ id }) => id}
      empty={
        <section class="card">
          <EmptyState icon="sites" title="No host is known yet">
            The first run finds them.
          </EmptyState>
        </section>
      }
    />
  );
}

const COLUMNS: readonly Column<Host>[] = [
  { title: 'Host', show: ({ origin }) => <bdi>{origin}</bdi> },
  {
    title: 'State',
    show: ({ concern, cause, advice, heldUntil }) =>
      concern === null && heldUntil === null ? (
        <StatusPill tone="good">Well</StatusPill>
      ) : (
        <>
          <StatusPill tone="warn">{heldUntil === null ? 'Look' : 'Left alone'}</StatusPill>
          {heldUntil !== null && (
            <>
              {' '}
              until <TimeText at={heldUntil} isAbsolute />
            </>
          )}
          <p class="small">{cause}</p>
          <p class="small quiet">{advice}</p>
        </>
      ),
  },
  { title: 'Waiting', isNumber: true, show: ({ waiting }) => formatCount(waiting) },
  {
    title: 'Last answers',
    isSecondary: true,
    show: ({ lastAnswers: { count, good, missing, failed } }) =>
      count === 0 ? '–' : `${formatCount(good)} good, ${formatCount(missing)} missing, ${formatCount(failed)} failed`,
  },
  {
    title: 'robots.txt',
    isSecondary: true,
    show: ({ robots }) => (
      <>
        {robots.status ?? '–'}{' '}
        <span class="quiet">
          <TimeText at={robots.at} never="not read" />
        </span>
      </>
    ),
  },
];
