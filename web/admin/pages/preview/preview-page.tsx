import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { QueryStatistics } from '../../generated-types.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { QueryForm } from '../../parts/query-form.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import '../tools/tools.css';
import './preview-page.css';
import { QueryPreview } from './query-preview.tsx';
import { ViewOptions, viewOf } from './view-options.tsx';

/** Changes what people see for a query. */
export function PreviewPage() {
  const { params } = useRoute();
  const { query } = useQueryState();
  const engineId = params['engineId'] ?? '';
  const [hasKeys, setKeys] = useState(false);
  const view = viewOf(engineId, query);
  return (
    <>
      <PageHead title="Preview and tools" about="What visitors find for a query, and what you make of it.">
        <button type="button" onClick={() => setKeys(true)}>
          <Icon name="keyboard" /> Keys
        </button>
        <a class="button" href={`/admin/engines/${engineId}/tools`}>
          All tools
        </a>
      </PageHead>
      <QueryForm
        key={`${engineId} ${view.query}`}
        query={view.query}
        icon="search"
        label="Query of a visitor"
        placeholder="What do visitors search?"
        action="Preview"
      />
      {view.query === '' ? (
        <Start engineId={engineId} />
      ) : (
        <>
          <ViewOptions />
          <QueryPreview key={`${engineId} ${view.query}`} view={view} onKeys={() => setKeys(true)} />
        </>
      )}
      {hasKeys && <KeysDialog onClose={() => setKeys(false)} />}
    </>
  );
}

const SHOWN_QUERIES = 10;

/** Nothing is searched yet: what visitors search is a good beginning. */
function Start({ engineId }: { readonly engineId: string }) {
  const { addressOf } = useQueryState();
  const path = `/engines/${engineId}/statistics/queries?limit=${SHOWN_QUERIES}`;
  const top = useAnswer<QueryStatistics>(path).answer?.items ?? [];
  return (
    <EmptyState icon="search" title="Type a query to see what visitors find">
      {top.length === 0
        ? 'Then pin, move or hide pages, and put up banners, quicklinks and synonyms for it.'
        : 'Or begin with what they search most:'}
      {top.length > 0 && (
        <span class="row query-chips">
          {top.map(({ query }) => (
            <a key={query} class="chip" href={addressOf({ q: query })} dir="auto">
              {query}
            </a>
          ))}
        </span>
      )}
    </EmptyState>
  );
}
