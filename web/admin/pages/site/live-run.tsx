import { useEffect, useRef, useState } from 'preact/hooks';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAdmin } from '../../client/client-context.ts';
import { readEvents } from '../../client/read-events.ts';
import type { Run, Visit } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { RUN_KINDS, RunPill } from '../sites/crawler-state.tsx';
import { OUTCOMES } from './url-states.ts';
import './site.css';

/** As the stream of a run sends it, once a second. */
export type RunProgress = Omit<Run, 'id'> & {
  readonly runId: number;
  readonly pagesPerSecond: number;
  readonly hosts: readonly { readonly origin: string; readonly waiting: number; readonly heldUntil: string | null }[];
  readonly lastVisits: readonly Pick<Visit, 'url' | 'outcome' | 'reason' | 'millis'>[];
};

type Props = { readonly crawlerId: number; readonly runId: number; readonly onEnd: () => void };

/** A run as it goes on. */
export function LiveRun(props: Props) {
  const progress = useRunProgress(props);
  return (
    <Card
      title={progress?.endedAt ? 'The run' : 'Run under way'}
      actions={progress !== undefined && <RunPill state={progress.state} />}
    >
      {progress === undefined ? <Skeleton lines={3} /> : <Progress progress={progress} />}
    </Card>
  );
}

const RETRY_MS = 3_000;

/** The newest state of a run; a connection that breaks is made anew. */
export function useRunProgress({ crawlerId, runId, onEnd }: Props): RunProgress | undefined {
  const client = useAdmin();
  const [progress, setProgress] = useState<RunProgress>();
  const tellEnd = useRef(onEnd);
  tellEnd.current = onEnd;
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async () => {
      try {
        for await (const { event, data } of readEvents(client, `/crawlers/${crawlerId}/runs/${runId}/events`, {
          signal: leave.signal,
        })) {
          setProgress(JSON.parse(data));
          if (event === 'end') return tellEnd.current();
        }
      } catch {
        // Tried again below.
      }
      if (!leave.signal.aborted) timer = setTimeout(() => void follow(), RETRY_MS);
    };
    void follow();
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [client, crawlerId, runId]);
  return progress;
}

function Progress({ progress }: { readonly progress: RunProgress }) {
  const { kind, visited, open, found, planDone, added, changed, failed, removed, pagesPerSecond, startedAt } = progress;
  return (
    <div class="stack">
      <ProgressBar
        label="Visited URLs of the run"
        value={visited}
        max={planDone || open > 0 ? Math.max(visited + open, 1) : undefined}
        text={`${formatCount(visited)} of ${formatCounted(visited + open, 'known URL')}, ${pagesPerSecond} a second`}
      />
      <dl class="figures">
        <Figure name="Found" value={found} />
        <Figure name="Added" value={added} />
        <Figure name="Changed" value={changed} />
        <Figure name="Removed" value={removed} />
        <Figure name="Failed" value={failed} />
      </dl>
      <p class="small quiet">
        {RUN_KINDS[kind]} run {progress.runId}, begun <TimeText at={startedAt} never="soon" />
      </p>
      <LastVisits visits={progress.lastVisits} />
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatCount(value)}</dd>
    </div>
  );
}

export function LastVisits({ visits }: { readonly visits: RunProgress['lastVisits'] }) {
  if (visits.length === 0) return null;
  return (
    <ul class="visits" aria-label="Last visits">
      {visits.map(({ url, outcome, millis }, place) => (
        <li key={`${url} ${place}`}>
          <StatusPill tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</StatusPill>
          <bdi class="cut">
            <SafeLink address={url}>{url}</SafeLink>
          </bdi>
          <span class="quiet">{millis !== null && `${formatCount(millis)} ms`}</span>
        </li>
      ))}
    </ul>
  );
}
