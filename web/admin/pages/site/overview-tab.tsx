import { useAnswer } from '../../client/use-answer.ts';
import type { CrawlerWithStatus, Home, PlannedRuns, UrlGroups } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCount, formatDuration } from '../../parts/format.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { FindingList } from '../findings/finding-list.tsx';
import { RUN_KINDS, RunPill } from '../sites/crawler-state.tsx';
import { CountList } from './count-list.tsx';
import { LiveRun } from './live-run.tsx';
import { sectionsOf } from './sections.ts';
import { tabAddress, useSite } from './site-context.ts';
import { isUrlState, URL_STATES } from './url-states.ts';

const EVERY_MS = 10_000;

/** What happens now, what is wrong, and what is there. */
export function OverviewTab() {
  const site = useSite();
  const { crawler, reload } = site;
  const path = `/crawlers/${crawler.id}`;
  const { answer, error, reload: reloadStatus } = useAnswer<CrawlerWithStatus>(path, { everyMs: EVERY_MS });
  const reloadAll = () => {
    reload();
    reloadStatus();
  };
  const { run } = crawler.state;
  return (
    <>
      <ErrorNotice error={error} onRetry={reloadStatus} />
      <Findings onDone={reloadAll} />
      {run !== null && <LiveRun key={run.id} crawlerId={crawler.id} runId={run.id} onEnd={reloadAll} />}
      <div class="cards">
        <Card title="Pages by state">{answer === undefined ? <Skeleton /> : <States urls={answer.status.urls} />}</Card>
        <Card title="Sections">
          <Sections />
        </Card>
        <Card title="Runs" actions={<a href={tabAddress(site, 'runs')}>All runs</a>}>
          <Runs answer={answer} />
        </Card>
      </div>
    </>
  );
}

function Findings({ onDone }: { readonly onDone: () => void }) {
  const { crawler } = useSite();
  const { answer, reload } = useAnswer<Home>('/home', { everyMs: 3 * EVERY_MS });
  const findings = answer?.findings.filter((finding) => finding.crawler === crawler.id) ?? [];
  if (findings.length === 0) return null;
  return (
    <Card title="Needs attention">
      <FindingList
        findings={findings}
        onDone={() => {
          reload();
          onDone();
        }}
      />
    </Card>
  );
}

function States({ urls }: Pick<CrawlerWithStatus['status'], 'urls'>) {
  const site = useSite();
  const counts = Object.entries(urls)
    .sort(([, a], [, b]) => b - a)
    .map(([state, count]) => ({
      label: isUrlState(state) ? URL_STATES[state].label : state,
      count,
      href: tabAddress(site, 'pages', { state }),
    }));
  if (counts.length === 0) return <EmptyState title="No page is known yet">A run finds them.</EmptyState>;
  return <CountList counts={counts} />;
}

/** Folders of the site, by the patterns of its URLs. */
function Sections() {
  const { crawler } = useSite();
  const { answer, error, reload } = useAnswer<UrlGroups>(`/crawlers/${crawler.id}/urls?group=pattern&state=live`);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (answer === undefined) return <Skeleton />;
  const sections = sectionsOf(answer);
  if (sections.length === 0) return <EmptyState title="No page is searchable yet" />;
  return <CountList counts={sections} />;
}

function Runs({ answer }: { readonly answer: CrawlerWithStatus | undefined }) {
  if (answer === undefined) return <Skeleton />;
  const { lastRun } = answer.status;
  return (
    <div class="stack">
      {lastRun === null ? (
        <p class="quiet">None yet.</p>
      ) : (
        <dl class="facts">
          <dt>Last</dt>
          <dd class="row">
            {RUN_KINDS[lastRun.kind]} <RunPill state={lastRun.state} />
            <TimeText at={lastRun.endedAt ?? lastRun.startedAt} never="" />
          </dd>
          <dt>Visited</dt>
          <dd>
            {formatCount(lastRun.visited)}
            {lastRun.summary?.millis !== undefined && ` in ${formatDuration(lastRun.summary.millis)}`}
          </dd>
          <dt>Brought</dt>
          <dd>
            {formatCount(lastRun.added)} added, {formatCount(lastRun.changed)} changed, {formatCount(lastRun.removed)}{' '}
            removed
          </dd>
          <dt>Failed</dt>
          <dd>{formatCount(lastRun.failed)}</dd>
        </dl>
      )}
      <NextRuns />
    </div>
  );
}

const SHOWN_RUNS = 5;

function NextRuns() {
  const { crawler } = useSite();
  const { answer } = useAnswer<PlannedRuns>(`/crawlers/${crawler.id}/schedule?count=${SHOWN_RUNS}`);
  return (
    <>
      <h3>Next</h3>
      {answer?.runs.length === 0 && <p class="quiet">No run is planned.</p>}
      {answer?.active === false && <p class="quiet">Nothing begins before the crawler is activated.</p>}
      <dl class="facts">
        {answer?.runs.map(({ kind, at }) => (
          <div class="contents" key={`${kind} ${at}`}>
            <dt>
              <TimeText at={at} />
            </dt>
            <dd>
              {RUN_KINDS[kind]}
              <span class="quiet">
                , <TimeText at={at} isAbsolute />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
