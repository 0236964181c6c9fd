import type { SynonymDraft } from '../storage/system/synonym-groups.ts';
import type { BannerDraft, HiddenPageDraft, QuicklinkDraft, RankingDraft } from '../storage/system/tools.ts';
import type { ToolRecordLists } from './tool-snapshot.ts';

/** A tool that is not stored: in place of the stored one of this id, or beside all. */
export type UnsavedTool<Draft> = { readonly id: number | undefined; readonly draft: Draft };

/** What an editor would like to see before it is stored. */
export type UnsavedTools = {
  readonly rankings: readonly UnsavedTool<RankingDraft>[];
  readonly banners: readonly UnsavedTool<BannerDraft>[];
  readonly quicklinks: readonly UnsavedTool<QuicklinkDraft>[];
  readonly hiddenPages: readonly UnsavedTool<HiddenPageDraft>[];
  readonly synonymGroups: readonly UnsavedTool<Omit<SynonymDraft, 'customerId'>>[];
  /** Ids of stored ones that are taken away. */
  readonly removed: Readonly<Record<keyof ToolRecordLists, readonly number[]>>;
};

export const NOTHING_UNSAVED: UnsavedTools = {
  rankings: [],
  banners: [],
  quicklinks: [],
  hiddenPages: [],
  synonymGroups: [],
  removed: { rankings: [], banners: [], quicklinks: [], hiddenPages: [], synonymGroups: [] },
};

/** Above every id that a store gives, so that new tools stand behind the stored ones, as they will. */
export const FIRST_UNSAVED_ID = 2 ** 40;

/** Pins come before other new rankings. */
const FIRST_NEW = 1_000;

export function isUnsaved(id: number): boolean {
  return id >= FIRST_UNSAVED_ID;
}

/** The tools of a customer as they would be. */
export function withUnsaved(stored: ToolRecordLists, customerId: number, unsaved: UnsavedTools): ToolRecordLists {
  const record = { customerId, managedBy: undefined, broken: undefined };
  return {
    rankings: merge(stored, unsaved, 'rankings', (id, { terms, pins, ...draft }) => {
      return { ...record, ...draft, id, terms: numbered(terms), pins: numbered(pins) };
    }),
    banners: merge(stored, unsaved, 'banners', (id, { terms, ...draft }) => {
      return { ...record, ...draft, id, terms: numbered(terms) };
    }),
    quicklinks: merge(stored, unsaved, 'quicklinks', (id, { terms, ...draft }) => {
      return { ...record, ...draft, id, terms: numbered(terms) };
    }),
    hiddenPages: merge(stored, unsaved, 'hiddenPages', (id, draft) => ({ ...record, ...draft, id })),
    synonymGroups: merge(stored, unsaved, 'synonymGroups', (id, draft) => {
      return { customerId, managedBy: undefined, ...draft, id };
    }),
  };
}

type DraftOf<Name extends keyof ToolRecordLists> = UnsavedTools[Name][number]['draft'];

function merge<Name extends keyof ToolRecordLists>(
  stored: ToolRecordLists,
  unsaved: UnsavedTools,
  name: Name,
  make: (id: number, draft: DraftOf<Name>) => ToolRecordLists[Name][number],
): readonly ToolRecordLists[Name][number][] {
  const drafts = unsaved[name].map(({ id, draft }, at) => make(id ?? FIRST_UNSAVED_ID + FIRST_NEW + at, draft));
  const replaced = new Set([...unsaved.removed[name], ...drafts.map(({ id }) => id)]);
  return [...stored[name].filter(({ id }) => !replaced.has(id)), ...drafts].toSorted((a, b) => a.id - b.id);
}

function numbered<Part extends object>(parts: readonly Part[]): readonly (Part & { readonly id: number })[] {
  return parts.map((part, at) => ({ ...part, id: at + 1 }));
}
