import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import type { StartedRun } from '../../generated-types.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { formatCount } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useSite } from './site-context.ts';

type Asking = 'stop' | 'deactivate' | undefined;

/** What an operator does with a crawler. What can be undone is done at once. */
export function SiteActions() {
  const { crawler, reload } = useSite();
  const client = useAdmin();
  const act = useAction(reload);
  const [asking, setAsking] = useState<Asking>();
  const post = (action: string, body: unknown = {}) => client.post(`/crawlers/${crawler.id}/${action}`, { body });
  const run = (kind: StartedRun['kind']) => act({ work: () => post('run', { kind }), done: 'A run begins' });
  const turn = (action: string, done: string, opposite: string) =>
    act({ work: () => post(action), done, undo: () => post(opposite) });
  const { state } = crawler.state;
  return (
    <>
      {state === 'inactive' && (
        <button type="button" class="main" onClick={() => void turn('activate', 'The crawler is active', 'deactivate')}>
          Activate
        </button>
      )}
      {state === 'paused' && (
        <button type="button" class="main" onClick={() => void turn('resume', 'The run goes on', 'pause')}>
          <Icon name="play" /> Resume
        </button>
      )}
      {state === 'running' && (
        <button type="button" onClick={() => void turn('pause', 'The run is paused', 'resume')}>
          <Icon name="pause" /> Pause
        </button>
      )}
      {(state === 'running' || state === 'paused' || state === 'waiting') && (
        <button type="button" onClick={() => setAsking('stop')}>
          <Icon name="stop" /> Stop
        </button>
      )}
      {state === 'idle' && (
        <>
          <button type="button" onClick={() => void run('incremental')}>
            Visit what is due
          </button>
          <button type="button" class="main" onClick={() => void run('full')}>
            <Icon name="play" /> Run now
          </button>
        </>
      )}
      {state !== 'inactive' && (
        <button type="button" class="plain" onClick={() => setAsking('deactivate')}>
          Deactivate
        </button>
      )}
      {asking === 'stop' && (
        <ConfirmDialog
          title="Stop the run?"
          action="Stop the run"
          onConfirm={() => post('stop').finally(reload)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            What it has read stays. {formatCount(crawler.state.run?.open ?? 0)} URLs that wait are visited by the next
            run. To go on later, pause it instead.
          </p>
        </ConfirmDialog>
      )}
      {asking === 'deactivate' && (
        <ConfirmDialog
          title="Deactivate the crawler?"
          action="Deactivate"
          onConfirm={() => post('deactivate').finally(reload)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Its runs stop, and nothing of the site is visited until it is activated again. Its{' '}
            {formatCount(crawler.state.documents)} documents stay searchable.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
