import { SafeLink } from '../../../parts/safe-link.tsx';
import { useMay } from '../../client/client-context.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { UrlExplanation, UrlOwner } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatBytes, formatCounted, formatDuration } from '../../parts/format.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill, type Tone } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { OUTCOMES } from '../site/url-states.ts';
import { remedyOf } from './url-remedies.ts';
import { UrlSteps } from './url-steps.tsx';

type Verdict = { readonly label: string; readonly tone: Tone };

const VERDICTS: Readonly<Record<UrlExplanation['verdict'], Verdict>> = {
  searchable: { label: 'Visitors can find it', tone: 'good' },
  hidden: { label: 'Hidden from visitors', tone: 'warn' },
  stored: { label: 'Stored, not in the index yet', tone: 'warn' },
  waiting: { label: 'Waits to be visited', tone: 'busy' },
  'not-indexed': { label: 'Visited, but no document', tone: 'bad' },
  removed: { label: 'Taken out', tone: 'bad' },
  unknown: { label: 'Not known', tone: 'bad' },
};

/** What became of a URL: one cause, what mends it, and each step on its way into the index. */
export function UrlAnswer({ engineId, url }: { readonly engineId: string; readonly url: string }) {
  const path = `/engines/${engineId}/explain?${new URLSearchParams({ url })}`;
  const { answer, error, reload } = useAnswer<UrlOwner>(path);
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (answer === undefined) return <Skeleton lines={10} />;
  const { explanation, crawler, others } = answer;
  const [nearest] = others;
  return (
    <>
      {explanation === null ? (
        <section class="verdict" aria-label="Answer">
          <StatusPill tone="bad">No crawler may visit it</StatusPill>
          <p class="verdict-cause">{nearest?.cause ?? 'No crawler of this engine is for this host.'}</p>
          {nearest !== undefined && nearest.advice !== null && <p class="quiet">{nearest.advice}</p>}
        </section>
      ) : (
        <VerdictCard engineId={engineId} crawler={crawler} explanation={explanation} />
      )}
      {explanation !== null && (
        <div class="why-columns">
          <Card title="From the URL to the index">
            <UrlSteps steps={explanation.steps} engineId={engineId} crawler={crawler} />
          </Card>
          <div class="stack">
            <FoundBy engineId={engineId} explanation={explanation} />
            <Visits explanation={explanation} />
          </div>
        </div>
      )}
      {others.length > 0 && <OtherCrawlers engineId={engineId} others={others} />}
    </>
  );
}

type VerdictProps = {
  readonly engineId: string;
  readonly crawler: number | null;
  readonly explanation: UrlExplanation;
};

function VerdictCard({ engineId, crawler, explanation }: VerdictProps) {
  const mayCrawl = useMay('operator');
  const { verdict, cause, advice, steps, document, url, hidden } = explanation;
  const { label, tone } = VERDICTS[verdict];
  const stop = steps.find(({ result }) => result === 'stop');
  const remedy = stop && remedyOf(stop, engineId, crawler);
  return (
    <section class="verdict" aria-label="Answer">
      <StatusPill tone={tone}>{label}</StatusPill>
      <p class="verdict-cause any">{cause}</p>
      {advice !== null && <p class="quiet any">{advice}</p>}
      <div class="row">
        {remedy !== undefined && (!remedy.isOperators || mayCrawl) && (
          <a class="button main" href={remedy.address}>
            {remedy.label}
          </a>
        )}
        {hidden !== null && (
          <a class="button main" href={`/admin/engines/${engineId}/tools?kind=hidden`}>
            Hidden pages
          </a>
        )}
        {document !== null && (
          <a class="button" href={`/admin/engines/${engineId}/documents/${document.rid}`}>
            The document
          </a>
        )}
        <SafeLink address={url}>Open the page</SafeLink>
      </div>
    </section>
  );
}

const ORIGINS: Readonly<Record<UrlExplanation['foundBy']['origin'], string>> = {
  seed: 'It is a seed of the crawler',
  link: 'A page links to it',
  sitemap: 'A sitemap names it',
  feed: 'A feed names it',
  queued: 'Somebody queued it',
  redirect: 'Another address leads to it',
  canonical: 'A page names it as its own address',
  none: 'Nothing leads to it',
};

function FoundBy({ engineId, explanation }: Omit<VerdictProps, 'crawler'>) {
  const { foundBy, next, aliasOf, duplicateOf, pattern } = explanation;
  const why = (url: string) => `/admin/engines/${engineId}/why?${new URLSearchParams({ q: url })}`;
  return (
    <Card title="How it is known">
      <dl class="facts">
        <dt>Found</dt>
        <dd>
          {ORIGINS[foundBy.origin]}
          {foundBy.inlinks > 0 && `; ${formatCounted(foundBy.inlinks, 'page leads', 'pages lead')} to it`}
        </dd>
        {foundBy.path.length > 0 && (
          <>
            <dt>Way</dt>
            <dd>
              <ol class="way">
                {foundBy.path.map((page) => (
                  <li key={page} dir="ltr">
                    <a href={why(page)}>{page}</a>
                  </li>
                ))}
              </ol>
            </dd>
          </>
        )}
        {aliasOf !== null && (
          <>
            <dt>Other address of</dt>
            <dd dir="ltr">
              <a href={why(aliasOf)}>{aliasOf}</a>
            </dd>
          </>
        )}
        {duplicateOf !== null && (
          <>
            <dt>Duplicate of</dt>
            <dd dir="ltr">
              <a href={why(duplicateOf)}>{duplicateOf}</a>
            </dd>
          </>
        )}
        <dt>Pattern</dt>
        <dd dir="ltr">
          <code>{pattern.text}</code>
          {pattern.closedBy !== null && ` (closed: ${pattern.closedBy})`}
        </dd>
        <dt>Next visit</dt>
        <dd>
          <TimeText at={next.at} never="none is planned" /> <span class="quiet">{next.why}</span>
        </dd>
      </dl>
    </Card>
  );
}

function Visits({ explanation: { visits } }: Pick<VerdictProps, 'explanation'>) {
  return (
    <Card title="Last visits">
      {visits.length === 0 && <p class="quiet">It has not been visited.</p>}
      <ul class="visits">
        {visits.map(({ at, outcome, status, bytes, millis }) => (
          <li key={at} class="spread">
            <span class="row">
              <StatusPill tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</StatusPill>
              <TimeText at={at} />
            </span>
            <span class="quiet small">
              {status !== null && `${status} · `}
              {formatBytes(bytes)} · {formatDuration(millis)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OtherCrawlers({ engineId, others }: { readonly engineId: string; readonly others: UrlOwner['others'] }) {
  return (
    <Card title="Other crawlers leave it out">
      <ul class="stack">
        {others.map(({ crawler, name, cause, rule }) => (
          <li key={crawler}>
            <a href={`/admin/sites/${engineId}?crawler=${crawler}`}>
              <bdi>{name}</bdi>
            </a>
            : {cause} {rule !== null && <code dir="ltr">{rule}</code>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
