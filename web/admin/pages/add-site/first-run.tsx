import { useAnswer } from '../../client/use-answer.ts';
import type { CrawlerWithStatus, Home, Run } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCounted } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { siteAddress } from '../findings/remedies.ts';
import { LiveRun } from '../site/live-run.tsx';

type Props = { readonly engineId: number; readonly crawlerId: number; readonly runId: number | undefined };

const EVERY_MS = 3_000;

/** The first run of a new site; what it has read can be searched at once. */
export function FirstRun({ engineId, crawlerId, runId }: Props) {
  const home = useAnswer<Home>('/home');
  const crawler = useAnswer<CrawlerWithStatus>(`/crawlers/${crawlerId}`, { everyMs: EVERY_MS });
  const run = useAnswer<Run>(runId === undefined ? undefined : `/crawlers/${crawlerId}/runs/${runId}`);
  const engine = home.answer?.engines.find(({ id }) => id === engineId);
  const isOver = run.answer !== undefined && run.answer.endedAt !== null;
  return (
    <>
      <ErrorNotice error={crawler.error} onRetry={crawler.reload} />
      <Card title={isOver ? 'The site is in' : 'The site is being read'}>
        <p>
          {crawler.answer === undefined ? '…' : formatCounted(crawler.answer.status.documents, 'page')} can be searched
          {isOver ? '.' : ' by now. You may leave this page: the run goes on.'}
        </p>
        <div class="row">
          {engine?.page !== null && engine?.page !== undefined && (
            <a class="button main" href={engine.page}>
              <Icon name="search" /> Search it now
            </a>
          )}
          <a class="button" href={siteAddress(engineId, crawlerId)}>
            Open the site
          </a>
          <a class="button plain" href={`/admin/engines/${engineId}/preview`}>
            Preview and tools
          </a>
        </div>
      </Card>
      {runId !== undefined && (
        <LiveRun
          crawlerId={crawlerId}
          runId={runId}
          onEnd={() => {
            run.reload();
            crawler.reload();
          }}
        />
      )}
    </>
  );
}
