import { useMay } from '../../client/client-context.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { DayActivity, Home, HomeEngine } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCount, formatCounted, formatPercent } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { FindingList } from '../findings/finding-list.tsx';

const EVERY_MS = 15_000;

/** Is all well, and what mends it; what visitors do today; how fresh each site is. */
export function HomePage() {
  const { answer, error, reload } = useAnswer<Home>('/home', { everyMs: EVERY_MS });
  const isOperator = useMay('operator');
  const isFirst = answer?.engines.length === 0;
  return (
    <>
      <PageHead title="Home">{isOperator && !isFirst && <AddButton />}</PageHead>
      <ErrorNotice error={error} onRetry={reload} />
      {isFirst ? <FirstSite isOperator={isOperator} /> : <Overview answer={answer} reload={reload} />}
    </>
  );
}

function AddButton() {
  return (
    <a class="button main" href="/admin/sites/add">
      <Icon name="plus" /> Add a site
    </a>
  );
}

function FirstSite({ isOperator }: { readonly isOperator: boolean }) {
  return (
    <section class="card">
      <EmptyState icon="sites" title="No site is searched yet" actions={isOperator && <AddButton />}>
        {isOperator
          ? 'Name its address: ten of its pages are read to see what is there, and then all of them.'
          : 'The operator adds the first one.'}
      </EmptyState>
    </section>
  );
}

function Overview({ answer, reload }: { readonly answer: Home | undefined; readonly reload: () => void }) {
  const mayOpenSites = useMay('editor');
  return (
    <>
      {mayOpenSites && (
        <Card title="Needs attention">
          {answer === undefined ? <Skeleton lines={3} /> : <Findings answer={answer} reload={reload} />}
        </Card>
      )}
      <Card title="Visitors today">
        {answer === undefined ? <Skeleton lines={2} /> : <Today today={answer.today} />}
      </Card>
      <DataTable
        label="Sites"
        columns={mayOpenSites ? [SITE_LINK, ...COLUMNS] : [SITE_NAME, ...COLUMNS]}
        rows={answer?.engines}
        keyOf={({ id }) => id}
        empty={null}
      />
    </>
  );
}

function Findings({ answer, reload }: { readonly answer: Home; readonly reload: () => void }) {
  if (answer.findings.length > 0) return <FindingList findings={answer.findings} onDone={reload} />;
  return (
    <p class="row">
      <StatusPill tone="good">All is well</StatusPill>
      <span class="quiet">
        {formatCounted(answer.engines.length, 'engine')}, looked at <TimeText at={answer.at} />
      </span>
    </p>
  );
}

function Today({ today }: { readonly today: DayActivity }) {
  return (
    <dl class="figures">
      <Figure name="Searches" value={formatCount(today.searches)} />
      <Figure
        name="Without results"
        value={shareOf(today)}
        more={formatCounted(today.withoutResults, 'search', 'searches')}
      />
      <Figure name="Questions" value={formatCount(today.answers)} />
      <Figure name="Refused" value={formatCount(today.refused)} />
    </dl>
  );
}

function Figure({ name, value, more }: { readonly name: string; readonly value: string; readonly more?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} {more !== undefined && <small>{more}</small>}
      </dd>
    </div>
  );
}

function shareOf({ withoutResultsRatio }: DayActivity): string {
  return withoutResultsRatio === null ? '–' : formatPercent(withoutResultsRatio);
}

const SITE_NAME: Column<HomeEngine> = { title: 'Site', show: ({ name }) => <bdi>{name}</bdi> };
const SITE_LINK: Column<HomeEngine> = {
  title: 'Site',
  show: ({ id, name }) => (
    <a href={`/admin/sites/${id}`}>
      <bdi>{name}</bdi>
    </a>
  ),
};

const COLUMNS: readonly Column<HomeEngine>[] = [
  {
    title: 'Last good crawl',
    show: ({ lastGoodCrawl, running, crawlers }) => {
      if (running > 0) return <StatusPill tone="busy">Crawling</StatusPill>;
      return crawlers === 0 ? <span class="quiet">Pushed documents</span> : <TimeText at={lastGoodCrawl} />;
    },
  },
  { title: 'Documents', isNumber: true, show: ({ documents }) => formatCount(documents) },
  { title: 'Searches today', isNumber: true, show: ({ today }) => formatCount(today.searches) },
  { title: 'Yesterday', isNumber: true, isSecondary: true, show: ({ yesterday }) => formatCount(yesterday.searches) },
  { title: 'Without results', isNumber: true, isSecondary: true, show: ({ today }) => shareOf(today) },
  {
    title: 'Search page',
    isSecondary: true,
    show: ({ page }) => (page === null ? <span class="quiet">not published</span> : <a href={page}>{page}</a>),
  },
];
