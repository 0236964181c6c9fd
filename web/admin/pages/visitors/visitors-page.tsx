import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso/router';
import { useQueryState } from '../../client/query-state.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { AnswersView } from './answers-view.tsx';
import { BannerClicksView } from './banner-clicks-view.tsx';
import { FeedbackView } from './feedback-view.tsx';
import { GapsView } from './gaps-view.tsx';
import { GoldenView } from './golden-view.tsx';
import { OverviewView } from './overview-view.tsx';
import { PagesView } from './pages-view.tsx';
import { QueriesView } from './queries-view.tsx';
import { RangeBar } from './range-bar.tsx';
import { rangeQuery, useVisitorRange } from './visitor-range.ts';
import './visitors-page.css';

export type ViewProps = { readonly engineId: string };

type View = {
  readonly id: string;
  readonly label: string;
  readonly View: ComponentType<ViewProps>;
  /** What is counted for single devices. */
  readonly hasDevice?: boolean;
  readonly isOfAllDays?: boolean;
};

const OVERVIEW: View = { id: 'overview', label: 'Overview', View: OverviewView, hasDevice: true };
const VIEWS: readonly View[] = [
  OVERVIEW,
  { id: 'queries', label: 'Queries', View: QueriesView, hasDevice: true },
  { id: 'pages', label: 'Pages', View: PagesView },
  { id: 'banners', label: 'Banners and links', View: BannerClicksView },
  { id: 'answers', label: 'Answers', View: AnswersView },
  { id: 'gaps', label: 'Gaps', View: GapsView },
  { id: 'golden', label: 'Golden questions', View: GoldenView, isOfAllDays: true },
  { id: 'feedback', label: 'Feedback', View: FeedbackView },
];

/** What visitors searched, clicked and asked, and what they did not find. */
export function VisitorsPage() {
  const { params } = useRoute();
  const { query } = useQueryState();
  const engineId = params['engineId'] ?? '';
  const shown = VIEWS.find(({ id }) => id === query['view']) ?? OVERVIEW;
  const { View } = shown;
  const range = rangeQuery(useVisitorRange());
  return (
    <>
      <PageHead
        title="Visitors"
        about="What they search, click and ask, and what they do not find. Days are those of UTC."
      />
      <Tabs
        label="Statistics"
        tabs={VIEWS.map(({ id, label }) => ({
          href: `/admin/engines/${engineId}/visitors?${new URLSearchParams({ view: id, ...range })}`,
          label,
          isCurrent: id === shown.id,
        }))}
      />
      {shown.isOfAllDays !== true && <RangeBar hasDevice={shown.hasDevice === true} />}
      <View engineId={engineId} />
    </>
  );
}
