import { useEffect, useRef } from 'preact/hooks';
import type { List } from '../../client/tool-types.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { EditedRanking, ToolPage, ToolPreview } from '../../generated-types.ts';
import {
  countChanges,
  type Draft,
  type DraftPin,
  draftTools,
  hideFrom,
  moveBy,
  ownRanking,
  pinAt,
  storedPins,
  without,
} from './draft.ts';
import { useDraft } from './use-draft.ts';

/** How the search is looked at. */
export type PreviewView = {
  readonly engineId: string;
  readonly query: string;
  readonly language: string | undefined;
  readonly traits: readonly string[];
  /** Of timed banners; undefined: now. */
  readonly at: string | undefined;
  readonly page: number;
  /** As if there were no tools. */
  readonly isBare: boolean;
};

/** A search as visitors see it, the tools that are stored for it, and those that are not saved yet. */
export function useQueryTools(view: PreviewView) {
  const { engineId, query } = view;
  const base = `/engines/${engineId}`;
  const drafts = useDraft(engineId, query);
  const rankings = useAnswer<List<EditedRanking>>(`${base}/rankings?${new URLSearchParams({ query, limit: '100' })}`);
  const own = ownRanking(rankings.answer?.items ?? [], query);
  const tagged = useAnswer<EditedRanking>(own && `${base}/rankings/${own.id}`);
  useReloadWith(rankings.answer, own?.id, tagged.reload);
  const stored = tagged.answer ?? own;
  const isReady = rankings.answer !== undefined || rankings.error !== undefined;
  const preview = useAnswer<ToolPreview>(isReady ? `${base}/preview` : undefined, {
    body: previewBody(view, stored, drafts.draft),
  });
  return {
    drafts,
    own: stored,
    preview,
    error: preview.error ?? rankings.error,
    changes: countChanges(drafts.draft),
    pins: drafts.draft.pins ?? storedPins(stored),
    /** A ranking of a provision file is changed there. */
    managedBy: stored?.managedBy ?? null,
    canPin: !view.isBare && isReady && (own === undefined || (tagged.answer !== undefined && own.managedBy === null)),
    edit: editing(drafts, { etag: tagged.etag, pins: storedPins(stored) }),
    reload: () => {
      rankings.reload();
      preview.reload();
    },
  };
}

/** Loads anew when the list is another one and still names the record; one that came or went has another address. */
function useReloadWith(list: unknown, id: number | undefined, reload: () => void): void {
  const last = useRef({ list, id });
  useEffect(() => {
    const isSame = last.current.list !== list && last.current.id === id;
    last.current = { list, id };
    if (isSame && id !== undefined) reload();
  }, [list, id]);
}

export type QueryTools = ReturnType<typeof useQueryTools>;

function previewBody(view: PreviewView, own: EditedRanking | undefined, draft: Draft) {
  const { query, language, traits, at, page, isBare } = view;
  return {
    query,
    page,
    ...(language !== undefined && { language }),
    ...(traits.length > 0 && { traits }),
    ...(at !== undefined && { at }),
    ...(isBare ? { withoutTools: true } : { tools: draftTools(query, own, draft) }),
  };
}

type PlacedPage = ToolPage & { readonly place: number };

/** What can be done with a page that is found. */
function editing({ draft, change }: ReturnType<typeof useDraft>, stored: NonNullable<Draft['base']>) {
  const base = draft.base ?? stored;
  const pins = draft.pins ?? stored.pins;
  const keep = (next: readonly DraftPin[]) => change({ base, pins: next });
  return {
    pin: (page: ToolPage, place: number) => keep(pinAt(pins, page, place)),
    release: (page: ToolPage) => keep(without(pins, page)),
    move: (hit: PlacedPage, step: 1 | -1) => keep(moveBy(pins, hit, step)),
    hide: (page: ToolPage) => keep(hideFrom(pins, page)),
    hideEverywhere: ({ documentId, url, title }: ToolPage) =>
      change({ hiddenPages: [...draft.hiddenPages, { documentId, url, title }] }),
    showEverywhere: (page: ToolPage, hiddenPageId: number | null) =>
      change(
        hiddenPageId === null
          ? { hiddenPages: draft.hiddenPages.filter(({ documentId }) => documentId !== page.documentId) }
          : { removed: { ...draft.removed, hiddenPages: [...draft.removed.hiddenPages, hiddenPageId] } },
      ),
  };
}

export type Editing = ReturnType<typeof editing>;
