import { useRoute } from 'preact-iso/router';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { usePages } from '../../client/use-pages.ts';
import type { ListedCrawler, StoredDocument } from '../../generated-types.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { languageName } from '../../parts/language-name.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { KINDS } from './document-kinds.ts';
import './documents-page.css';

type ListedDocument = StoredDocument & { readonly url: string };

const FILTERS = ['text', 'url', 'title', 'language', 'type', 'crawler'] as const;

/** The documents of an engine: what was read, pushed and can be found. */
export function DocumentsPage() {
  const { params } = useRoute();
  const state = useQueryState();
  const engineId = params['engineId'] ?? '';
  const asked = Object.fromEntries(FILTERS.map((name) => [name, state.query[name]]));
  const pages = usePages<ListedDocument>(`/engines/${engineId}/documents`, { query: asked });
  const isFiltered = FILTERS.some((name) => state.query[name] !== undefined);
  return (
    <>
      <PageHead title="Documents" about="What was read or pushed, and what of it can be found." />
      <Filters engineId={engineId} />
      <DataTable
        {...pages}
        label="Documents"
        keyOf={({ rid }) => rid}
        empty={
          isFiltered ? (
            <EmptyState
              icon="documents"
              title="No document is like that"
              actions={
                <a class="button" href={`/admin/engines/${engineId}/documents`}>
                  All documents
                </a>
              }
            />
          ) : (
            <EmptyState icon="documents" title="There is no document yet">
              Documents come when the crawler has read its first pages.
            </EmptyState>
          )
        }
        columns={[
          {
            title: 'Document',
            show: ({ rid, title, url, damaged }) => (
              <>
                <a dir="auto" href={`/admin/engines/${engineId}/documents/${rid}`}>
                  {title === '' ? url : title}
                </a>{' '}
                {damaged && <StatusPill tone="bad">Damaged</StatusPill>}
                <div class="small" dir="ltr">
                  <SafeLink address={url}>{url}</SafeLink>
                </div>
              </>
            ),
          },
          { title: 'Language', isSecondary: true, show: ({ language }) => languageName(language) },
          { title: 'Type', isSecondary: true, show: ({ type }) => KINDS[type] },
          { title: 'Came', isSecondary: true, show: ({ origin }) => origin },
          { title: 'Changed', show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
        ]}
      />
    </>
  );
}

const MAX_CRAWLERS = 100;

function Filters({ engineId }: { readonly engineId: string }) {
  const { query, replace, set } = useQueryState();
  const path = `/crawlers?${new URLSearchParams({ engine: engineId, limit: String(MAX_CRAWLERS) })}`;
  const crawlers = useAnswer<{ readonly items: readonly ListedCrawler[] }>(path).answer?.items ?? [];
  const text = (name: (typeof FILTERS)[number]) => ({
    value: query[name] ?? '',
    onChange: (value: string) => replace({ [name]: value, after: undefined }),
  });
  return (
    <search class="document-filters">
      <FilterText label="Words of the text" {...text('text')} />
      <FilterText label="Part of the URL" {...text('url')} />
      <FilterText label="Part of the title" {...text('title')} />
      <FilterText label="Language" placeholder="Language: de" {...text('language')} />
      <select
        aria-label="Type"
        value={query['type'] ?? ''}
        onChange={(event) => set({ type: event.currentTarget.value, after: undefined })}
      >
        <option value="">Pages and files</option>
        {Object.entries(KINDS).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}s
          </option>
        ))}
      </select>
      {crawlers.length > 1 && (
        <select
          aria-label="Crawler"
          value={query['crawler'] ?? ''}
          onChange={(event) => set({ crawler: event.currentTarget.value, after: undefined })}
        >
          <option value="">All crawlers</option>
          {crawlers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </search>
  );
}
