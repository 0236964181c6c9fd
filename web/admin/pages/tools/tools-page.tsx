import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso/router';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { ToolCheck } from '../../generated-types.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { BannerList } from './banner-list.tsx';
import { BrokenList } from './broken-list.tsx';
import { HiddenPageList } from './hidden-page-list.tsx';
import { QuicklinkList } from './quicklink-list.tsx';
import { RankingList } from './ranking-list.tsx';
import { SynonymList } from './synonym-list.tsx';
import './tools.css';

type Part = {
  readonly kind: string;
  readonly label: string;
  readonly List: ComponentType<{ readonly engineId: string }>;
};

const PARTS: readonly Part[] = [
  { kind: 'rankings', label: 'Rankings', List: RankingList },
  { kind: 'banners', label: 'Banners', List: BannerList },
  { kind: 'quicklinks', label: 'Quicklinks', List: QuicklinkList },
  { kind: 'synonyms', label: 'Synonyms', List: SynonymList },
  { kind: 'hidden', label: 'Hidden pages', List: HiddenPageList },
];

/** All search tools of an engine; those whose target is gone come first. */
export function ToolsPage() {
  const { params } = useRoute();
  const { query } = useQueryState();
  const engineId = params['engineId'] ?? '';
  const broken = useAnswer<ToolCheck>(`/engines/${engineId}/tools/broken`);
  const count = broken.answer?.items.length ?? 0;
  const kind = query['kind'] ?? (count > 0 ? 'broken' : 'rankings');
  const tabs = [{ kind: 'broken', label: 'Broken targets', count }, ...PARTS].filter(
    (part) => part.kind !== 'broken' || count > 0 || kind === 'broken',
  );
  const { pathname } = location;
  const { List = undefined } = PARTS.find((part) => part.kind === kind) ?? {};
  return (
    <>
      <PageHead title="All tools" about="Rankings, banners, quicklinks, synonyms and hidden pages.">
        <a class="button" href={`/admin/engines/${engineId}/preview`}>
          Preview
        </a>
      </PageHead>
      <Tabs
        label="Kinds of tools"
        tabs={tabs.map((tab) => ({
          href: `${pathname}?kind=${tab.kind}`,
          label: tab.label,
          isCurrent: tab.kind === kind,
          ...('count' in tab && { count: tab.count }),
        }))}
      />
      {List === undefined ? <BrokenList engineId={engineId} checked={broken} /> : <List engineId={engineId} />}
    </>
  );
}
