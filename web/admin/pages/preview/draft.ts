import { pinBody } from '../../client/tool-records.ts';
import type { BannerBody, QuicklinkBody, SynonymBody } from '../../client/tool-types.ts';
import type { EditedRanking, RankedPage, ToolPage } from '../../generated-types.ts';

/** A page at a place of one query, or hidden for it (null). */
export type DraftPin = ToolPage & { readonly place: number | null };

/** The query's own ranking as it was when the first pin was changed. */
export type DraftBase = {
  readonly etag: string | undefined;
  readonly pins: readonly DraftPin[];
};

/** Tools of a query that are not saved yet. */
export type Draft = {
  readonly base?: DraftBase | undefined;
  /** All pins and hides of the query's own ranking as they are to be; undefined: as they are stored. */
  readonly pins?: readonly DraftPin[] | undefined;
  readonly banners: readonly BannerBody[];
  readonly quicklinks: readonly QuicklinkBody[];
  readonly synonyms: readonly SynonymBody[];
  /** For every query. */
  readonly hiddenPages: readonly ToolPage[];
  readonly removed: Readonly<Record<RemovableKind, readonly number[]>>;
};

export type RemovableKind = 'banners' | 'quicklinks' | 'hiddenPages';

export const NO_DRAFT: Draft = {
  banners: [],
  quicklinks: [],
  synonyms: [],
  hiddenPages: [],
  removed: { banners: [], quicklinks: [], hiddenPages: [] },
};

export function storedPins(ranking: EditedRanking | undefined): readonly DraftPin[] {
  return (ranking?.pins ?? []).map(draftPinOf);
}

function draftPinOf({ documentId, url, title, place, hidden }: RankedPage): DraftPin {
  return { documentId, url, title, place: hidden ? null : place };
}

/** Puts a page at a place; who is pinned there moves one down, and so on. */
export function pinAt(pins: readonly DraftPin[], page: ToolPage, place: number): readonly DraftPin[] {
  const others = without(pins, page);
  const { documentId, url, title } = page;
  return ordered([{ documentId, url, title, place }, ...madeRoom(others, place)]);
}

function madeRoom(pins: readonly DraftPin[], place: number): readonly DraftPin[] {
  if (!pins.some((pin) => pin.place === place)) return pins;
  const inWay = pins.filter((pin) => pin.place === place);
  const rest = madeRoom(
    pins.filter((pin) => pin.place !== place),
    place + 1,
  );
  return [...inWay.map((pin) => ({ ...pin, place: place + 1 })), ...rest];
}

/** One place up (-1) or down (1); who is pinned there takes its place. */
export function moveBy(
  pins: readonly DraftPin[],
  hit: ToolPage & { readonly place: number },
  step: 1 | -1,
): readonly DraftPin[] {
  const place = Math.max(1, hit.place + step);
  const others = without(pins, hit).map((pin) => (pin.place === place ? { ...pin, place: hit.place } : pin));
  return pinAt(others, hit, place);
}

export function hideFrom(pins: readonly DraftPin[], { documentId, url, title }: ToolPage): readonly DraftPin[] {
  return ordered([...without(pins, { documentId }), { documentId, url, title, place: null }]);
}

export function without(pins: readonly DraftPin[], { documentId }: Pick<ToolPage, 'documentId'>): readonly DraftPin[] {
  return pins.filter((pin) => pin.documentId !== documentId);
}

function ordered(pins: readonly DraftPin[]): readonly DraftPin[] {
  const rank = ({ place }: DraftPin) => place ?? Number.POSITIVE_INFINITY;
  return pins.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** What was made of `base` made of `theirs`: my changes win where both changed the same page. */
export function mergePins(
  base: readonly DraftPin[],
  theirs: readonly DraftPin[],
  mine: readonly DraftPin[],
): readonly DraftPin[] {
  const kept = mine.reduce((pins, pin) => {
    if (samePlace(find(base, pin), pin)) return pins;
    return pin.place === null ? hideFrom(pins, pin) : pinAt(pins, pin, pin.place);
  }, theirs);
  return base.filter((pin) => find(mine, pin) === undefined).reduce(without, kept);
}

function find(pins: readonly DraftPin[], { documentId }: ToolPage): DraftPin | undefined {
  return pins.find((pin) => pin.documentId === documentId);
}

function samePlace(a: DraftPin | undefined, b: DraftPin | undefined): boolean {
  return a?.place === b?.place && (a === undefined) === (b === undefined);
}

/** Pages whose place differs. */
export function changedPins(before: readonly DraftPin[], after: readonly DraftPin[]): readonly DraftPin[] {
  const moved = after.filter((pin) => !samePlace(find(before, pin), pin));
  return [...moved, ...before.filter((pin) => find(after, pin) === undefined)];
}

export function countChanges(draft: Draft): number {
  const { removed, base } = draft;
  const lists = [draft.banners, draft.quicklinks, draft.synonyms, draft.hiddenPages];
  const pins = draft.pins === undefined ? 0 : changedPins(base?.pins ?? [], draft.pins).length;
  const counts = [...lists, removed.banners, removed.quicklinks, removed.hiddenPages].map(({ length }) => length);
  return counts.reduce((sum, count) => sum + count, pins);
}

/** The query's own ranking as it is to be. */
export function rankingBody(query: string, own: EditedRanking | undefined, pins: readonly DraftPin[]) {
  return { name: own?.name ?? query, queries: own?.queries ?? [query], audiences: [], pins: pins.map(pinBody) };
}

/** What the dry run of a search takes as `tools`. */
export function draftTools(query: string, own: EditedRanking | undefined, draft: Draft) {
  const { pins, banners, quicklinks, synonyms, removed } = draft;
  const isChanged = pins !== undefined && pins.length > 0;
  const isEmptied = pins?.length === 0 && own !== undefined;
  return {
    ...(isChanged && { rankings: [{ ...(own && { id: own.id }), ...rankingBody(query, own, pins) }] }),
    banners,
    quicklinks,
    synonyms,
    hiddenPages: draft.hiddenPages.map(({ documentId }) => ({ documentId })),
    remove: { ...removed, ...(isEmptied && { rankings: [own.id] }) },
  };
}

/** The ranking that belongs to exactly this query and to everybody: where pins of the page go. */
export function ownRanking(rankings: readonly EditedRanking[], query: string): EditedRanking | undefined {
  const wanted = normalized(query);
  return rankings.find(
    ({ queries, audiences }) =>
      queries.length === 1 && audiences.length === 0 && normalized(queries[0] ?? '') === wanted,
  );
}

function normalized(query: string): string {
  return query.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
