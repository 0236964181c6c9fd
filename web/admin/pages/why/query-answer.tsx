import { useState } from 'preact/hooks';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { HitExplanation, QueryExplanation, ScorePart } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCounted } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { PagePicker } from '../tools/page-picker.tsx';
import '../tools/tools.css';
import { ScoreBar, ScoreTree } from './score-parts.tsx';

type Props = { readonly engineId: string; readonly query: string; readonly url: string | undefined };

/** Why the hits of a query stand where they stand, and why a page is not among them. */
export function QueryAnswer({ engineId, query, url }: Props) {
  const body = { search: { query }, ...(url !== undefined && { url }) };
  const { answer, error, reload } = useAnswer<QueryExplanation>(`/engines/${engineId}/explain-query`, { body });
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (answer === undefined) return <Skeleton lines={10} />;
  const { hits, total, fixedQuery, document: page } = answer;
  const most = Math.max(0, ...hits.map(({ score }) => score?.value ?? 0), page?.score?.value ?? 0);
  return (
    <>
      <NotAmongThem engineId={engineId} url={url} page={page} most={most} />
      <Card
        title={formatCounted(total, 'hit')}
        actions={
          <a class="button" href={`/admin/engines/${engineId}/preview?${new URLSearchParams({ q: query })}`}>
            Preview and tools
          </a>
        }
      >
        {fixedQuery !== '' && (
          <p class="quiet">
            Nothing has the words as they are written: <bdi>“{fixedQuery}”</bdi> was searched.
          </p>
        )}
        {hits.length === 0 && <EmptyState icon="search" title="Nothing is found for this query" />}
        <ol class="explained-hits">
          {hits.map((hit) => (
            <li key={`${hit.crawler} ${hit.id}`} class="explained-hit">
              <span class="explained-rank">{hit.rank}</span>
              <div>
                <p class="any">
                  <a dir="auto" href={`/admin/engines/${engineId}/why?${new URLSearchParams({ q: hit.url })}`}>
                    {hit.title === '' ? hit.url : hit.title}
                  </a>{' '}
                  {hit.pin !== null && <StatusPill tone="busy">Pinned at {hit.pin}</StatusPill>}
                </p>
                <p class="quiet small any" dir="ltr">
                  <SafeLink address={hit.url}>{hit.url}</SafeLink>
                </p>
                <Score score={hit.score} most={most} />
              </div>
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}

function Score({ score, most }: { readonly score: ScorePart | null; readonly most: number }) {
  if (score === null) return <p class="quiet small">Only a ranking puts it here: it has no score for this query.</p>;
  return (
    <details class="score">
      <summary>
        <ScoreBar score={score} most={most} />
      </summary>
      <ScoreTree score={score} />
    </details>
  );
}

type PageProps = {
  readonly engineId: string;
  readonly url: string | undefined;
  readonly page: HitExplanation | null;
  readonly most: number;
};

function NotAmongThem({ engineId, url, page, most }: PageProps) {
  const { set } = useQueryState();
  const [isPicking, setPicking] = useState(false);
  return (
    <Card
      title={url === undefined ? 'Is a page missing?' : 'This page'}
      actions={
        <>
          <button type="button" onClick={() => setPicking(true)}>
            {url === undefined ? 'Choose the page' : 'Another page'}
          </button>
          {url !== undefined && (
            <button type="button" class="plain" aria-label="Leave this page" onClick={() => set({ page: undefined })}>
              <Icon name="close" />
            </button>
          )}
        </>
      }
    >
      {url === undefined ? (
        <p class="quiet">Choose a page to see its place, or why it is not among the hits.</p>
      ) : (
        <AboutPage engineId={engineId} url={url} page={page} most={most} />
      )}
      {isPicking && (
        <PagePicker
          engineId={engineId}
          title="Which page?"
          onPick={(picked) => {
            setPicking(false);
            set({ page: picked.url });
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </Card>
  );
}

function AboutPage({ engineId, url, page, most }: PageProps & { readonly url: string }) {
  const why = `/admin/engines/${engineId}/why?${new URLSearchParams({ q: url })}`;
  return (
    <div class="stack">
      <p class="any" dir="ltr">
        <a href={why}>{url}</a>
      </p>
      {page === null ? (
        <p>It is no document of this engine: the URL tells why.</p>
      ) : (
        <>
          <p>
            <StatusPill tone={page.isHit ? 'good' : 'bad'}>{page.isHit ? placeText(page) : 'Not found'}</StatusPill>{' '}
            {page.reason?.message}
          </p>
          {page.reason !== null && 'clause' in page.reason && <Clause clause={page.reason.clause} />}
          {page.score !== null && <Score score={page.score} most={most} />}
        </>
      )}
    </div>
  );
}

function placeText({ rank, pin }: HitExplanation): string {
  if (pin !== null) return `Pinned at place ${pin}`;
  return rank === null ? 'Behind the first 10,000' : `Place ${rank}`;
}

/** The form of a clause follows the engine; its words are what people want to know. */
function Clause({ clause }: { readonly clause: Readonly<Record<string, unknown>> }) {
  return (
    <p class="quiet small any">
      <code dir="ltr">{JSON.stringify(clause)}</code>
    </p>
  );
}
