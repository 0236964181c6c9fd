import { useRoute } from 'preact-iso/router';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { Engine, Widget } from '../../generated-types.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { CodePart } from './code-part.tsx';
import { LooksPart } from './looks-part.tsx';
import { OriginsPart } from './origins-part.tsx';
import { TagPart } from './tag-part.tsx';
import './embed-page.css';

const PARTS = [
  { id: 'tag', label: 'Tag' },
  { id: 'page', label: 'Search page and looks' },
  { id: 'origins', label: 'Allowed origins' },
  { id: 'code', label: 'Client and API' },
] as const;

/** The search in the own pages: a tag, a page of its own, or code. */
export function EmbedPage() {
  const { params } = useRoute();
  const { query } = useQueryState();
  const engineId = params['engineId'] ?? '';
  const engine = useAnswer<Engine>(`/engines/${engineId}`);
  const widget = useAnswer<Widget>(`/engines/${engineId}/widget`);
  const part = PARTS.find(({ id }) => id === query['part'])?.id ?? 'tag';
  const needsWidget = part === 'tag' || part === 'code';
  return (
    <>
      <PageHead title="Embed" about="Bring the search to your visitors: in your own pages, or as a page of its own." />
      <Tabs
        label="Ways to embed"
        tabs={PARTS.map(({ id, label }) => ({
          href: `/admin/engines/${engineId}/embed?${new URLSearchParams({ part: id })}`,
          label,
          isCurrent: id === part,
        }))}
      />
      <ErrorNotice error={engine.error} onRetry={engine.reload} />
      {needsWidget && <ErrorNotice error={widget.error} onRetry={widget.reload} />}
      {engine.answer === undefined && engine.error === undefined && <Skeleton lines={8} />}
      {engine.answer !== undefined && (
        <Part part={part} engine={engine.answer} etag={engine.etag} widget={widget.answer} reload={engine.reload} />
      )}
    </>
  );
}

export type EngineProps = {
  readonly engine: Engine;
  /** Of the settings as they were read. */
  readonly etag: string | undefined;
  readonly reload: () => void;
};

type PartProps = EngineProps & { readonly part: (typeof PARTS)[number]['id']; readonly widget: Widget | undefined };

function Part({ part, widget, ...props }: PartProps) {
  switch (part) {
    case 'tag':
      return widget === undefined ? null : <TagPart widget={widget} />;
    case 'page':
      return <LooksPart {...props} />;
    case 'origins':
      return <OriginsPart {...props} />;
    case 'code':
      return widget === undefined ? null : <CodePart engine={props.engine} widget={widget} />;
  }
}
