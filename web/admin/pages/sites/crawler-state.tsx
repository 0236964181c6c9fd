import type { ListedCrawler, ListedRun } from '../../generated-types.ts';
import { formatCount, formatPercent } from '../../parts/format.ts';
import { StatusPill, type Tone } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';

type State = ListedCrawler['state'];

const STATES: Readonly<Record<State['state'], { readonly tone: Tone; readonly label: string }>> = {
  inactive: { tone: 'idle', label: 'Inactive' },
  idle: { tone: 'good', label: 'Active' },
  waiting: { tone: 'busy', label: 'About to run' },
  running: { tone: 'busy', label: 'Crawling' },
  paused: { tone: 'warn', label: 'Paused' },
};

/** What a crawler is doing, in a word. */
export function CrawlerPill({ state }: { readonly state: State }) {
  if (state.problem !== null) return <StatusPill tone="bad">Unusable</StatusPill>;
  const { tone, label } = STATES[state.state];
  const share = state.run !== null && state.state === 'running' ? ` ${formatPercent(state.run.progress)}` : '';
  return (
    <StatusPill tone={tone}>
      {label}
      {share}
    </StatusPill>
  );
}

const RUN_STATES: Readonly<Record<ListedRun['state'], { readonly tone: Tone; readonly label: string }>> = {
  planned: { tone: 'busy', label: 'Planned' },
  running: { tone: 'busy', label: 'Running' },
  paused: { tone: 'warn', label: 'Paused' },
  finishing: { tone: 'busy', label: 'Finishing' },
  finished: { tone: 'good', label: 'Finished' },
  stopped: { tone: 'idle', label: 'Stopped' },
  failed: { tone: 'bad', label: 'Failed' },
};

export function RunPill({ state }: { readonly state: ListedRun['state'] }) {
  const { tone, label } = RUN_STATES[state];
  return <StatusPill tone={tone}>{label}</StatusPill>;
}

export const RUN_KINDS: Readonly<Record<ListedRun['kind'], string>> = {
  full: 'Full',
  incremental: 'What is due',
  urls: 'Queued URLs',
};

/** When a run ended, and what it brought. */
export function RunText({ run }: { readonly run: ListedRun | null }) {
  if (run === null) return <span class="quiet">none yet</span>;
  const changes = run.added + run.changed + run.removed;
  return (
    <>
      <TimeText at={run.endedAt} />
      <span class="quiet">
        {', '}
        {formatCount(changes)} changed
        {run.failed > 0 && `, ${formatCount(run.failed)} failed`}
      </span>
    </>
  );
}
