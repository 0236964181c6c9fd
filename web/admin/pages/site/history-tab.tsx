import { useMay } from '../../client/client-context.ts';
import { HistoryList } from '../settings/history-list.tsx';
import { useSite } from './site-context.ts';

/** What was set before, and by whom: of the crawler and of its engine. */
export function HistoryTab() {
  const { crawler, engine, reload } = useSite();
  const isOperator = useMay('operator');
  return (
    <>
      <h2>Crawler</h2>
      <HistoryList
        title="Crawler"
        recordPath={`/crawlers/${crawler.id}`}
        hasPreview
        mayRestore={isOperator && crawler.managedBy === null}
        onRestored={reload}
      />
      <h2>Engine</h2>
      <HistoryList
        title="Engine"
        recordPath={`/engines/${engine.id}`}
        hasPreview={false}
        mayRestore={isOperator && engine.managedBy === null}
        onRestored={reload}
      />
    </>
  );
}
