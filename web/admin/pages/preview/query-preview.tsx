import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useQueryState } from '../../client/query-state.ts';
import type { PreviewHit } from '../../client/tool-types.ts';
import type { ToolPreview } from '../../generated-types.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatCounted } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { BannerFrame } from '../tools/banner-frame.tsx';
import { PagePicker } from '../tools/page-picker.tsx';
import { HitRow } from './hit-row.tsx';
import { QueryToolCards } from './query-tool-cards.tsx';
import { SaveBar, useSaving } from './save-bar.tsx';
import { useHitKeys } from './use-hit-keys.ts';
import { type PreviewView, type QueryTools, useQueryTools } from './use-query-tools.ts';

type Props = { readonly view: PreviewView; readonly onKeys: () => void };

/** The results of a query with the tools in force, and everything that can be made of them. */
export function QueryPreview({ view, onKeys }: Props) {
  const tools = useQueryTools(view);
  const saving = useSaving(view, tools);
  const list = useRef<HTMLOListElement>(null);
  const state = useQueryState();
  const [isAdding, setAdding] = useState(state.query['add'] === 'page');
  const closePicker = () => {
    setAdding(false);
    if (state.query['add'] !== undefined) state.replace({ add: undefined });
  };
  const { route } = useLocation();
  const whyAddressOf = ({ url }: PreviewHit) =>
    `/admin/engines/${view.engineId}/why?${new URLSearchParams({ q: view.query, page: url })}`;
  useHitKeys({
    list,
    tools,
    onWhy: (hit) => route(whyAddressOf(hit)),
    onSave: () => void saving.save(),
    onAdd: () => setAdding(true),
    onHelp: onKeys,
  });
  const { answer, isLoading } = tools.preview;
  return (
    <div class="preview" aria-busy={isLoading}>
      <section class="preview-results" aria-label="What visitors see">
        {tools.error !== undefined && <ErrorNotice error={tools.error} onRetry={tools.reload} />}
        {answer === undefined && tools.error === undefined && <Skeleton lines={12} />}
        {answer !== undefined && (
          <>
            <Count answer={answer} onAdd={tools.canPin ? () => setAdding(true) : undefined} />
            {answer.banners.map(({ id, name, html }) => (
              <BannerFrame key={`${id} ${name}`} name={name} html={html} />
            ))}
            <ol class="hits" ref={list}>
              {answer.hits.map((hit) => (
                <HitRow
                  key={hit.documentId}
                  hit={hit}
                  isOwnPin={tools.pins.some(({ documentId, place }) => documentId === hit.documentId && place !== null)}
                  edit={tools.canPin ? tools.edit : undefined}
                  whyAddress={whyAddressOf(hit)}
                />
              ))}
            </ol>
            {answer.hits.length === 0 && <NothingFound view={view} onAdd={() => setAdding(true)} />}
            <Pages answer={answer} />
          </>
        )}
      </section>
      <QueryToolCards view={view} tools={tools} onAdd={() => setAdding(true)} />
      <SaveBar tools={tools} saving={saving} />
      {isAdding && (
        <PagePicker
          engineId={view.engineId}
          title={`Add a page to “${view.query}”`}
          onPick={(page) => {
            tools.edit.pin(page, firstFree(tools));
            closePicker();
          }}
          onClose={closePicker}
        />
      )}
    </div>
  );
}

/** Behind the pins that stand at the top without a gap. */
function firstFree({ pins }: QueryTools): number {
  const places = new Set(pins.map(({ place }) => place));
  let place = 1;
  while (places.has(place)) place += 1;
  return place;
}

function Count({ answer, onAdd }: { readonly answer: ToolPreview; readonly onAdd: (() => void) | undefined }) {
  const { total, before, fixedQuery } = answer;
  return (
    <div class="spread">
      <p role="status" class="quiet">
        <strong>{formatCounted(total, 'hit')}</strong>
        {before.total !== total && <>, {formatCounted(before.total, 'hit')} without tools</>}
        {fixedQuery !== '' && (
          <>
            {' '}
            for <bdi>“{fixedQuery}”</bdi>, as the query finds nothing as it is written
          </>
        )}
      </p>
      {onAdd !== undefined && (
        <button type="button" onClick={onAdd}>
          <Icon name="plus" /> Add a page
        </button>
      )}
    </div>
  );
}

function NothingFound({ view, onAdd }: { readonly view: PreviewView; readonly onAdd: () => void }) {
  const why = `/admin/engines/${view.engineId}/why?${new URLSearchParams({ q: view.query })}`;
  return (
    <EmptyState
      icon="search"
      title="Visitors find nothing"
      actions={
        <>
          <button type="button" class="main" onClick={onAdd}>
            Add a page
          </button>
          <a class="button" href={why}>
            Why?
          </a>
        </>
      }
    >
      Add a page that answers it, or say with a synonym what its words mean.
    </EmptyState>
  );
}

function Pages({ answer: { page, perPage, total } }: { readonly answer: ToolPreview }) {
  const { addressOf } = useQueryState();
  const last = Math.ceil(total / perPage);
  if (last <= 1) return null;
  return (
    <nav class="row" aria-label="Pages of hits">
      {page > 1 && (
        <a class="button" href={addressOf({ page: page === 2 ? undefined : String(page - 1) })}>
          <Icon name="previous" /> Previous
        </a>
      )}
      <span class="quiet">
        Page {page} of {last}
      </span>
      {page < last && (
        <a class="button" href={addressOf({ page: String(page + 1) })}>
          Next <Icon name="next" />
        </a>
      )}
    </nav>
  );
}
