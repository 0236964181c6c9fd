import type { BannerDraft, RankingDraft } from './tools.ts';

/** Drafts of tools as editors and files write them. */

type PresentTerms = readonly { readonly id: number; readonly name: string }[];

/** Terms of queries; those that the record has keep their ids. */
export function draftTerms(queries: readonly string[], present: PresentTerms = []): RankingDraft['terms'] {
  return queries.map((name) => ({ id: present.find((term) => term.name === name)?.id, name }));
}

/** From 1, or out of the results. */
export type Place = number | 'hidden';

type DraftedPin = {
  readonly engineId: number;
  readonly page: { readonly documentId: string; readonly url: string; readonly title: string };
  readonly place: Place;
  /** Of the pin that it replaces. */
  readonly id: number | undefined;
};

/** The contract wants a place and a name of every page. */
export function draftPin({ engineId, page, place, id }: DraftedPin): RankingDraft['pins'][number] {
  const { documentId, url, title } = page;
  return {
    id,
    engineId,
    rank: place === 'hidden' ? 1 : place,
    shown: place !== 'hidden',
    page: { name: title || url, documentId, url, searchable: true, engineId },
  };
}

/** A banner as editors and files write it; what is absent or null takes its default. */
export type WrittenBanner = {
  readonly name: string;
  readonly html: string;
  readonly queries: readonly string[];
  readonly disabled: boolean;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly audiences: readonly unknown[];
  readonly engines?: readonly number[] | undefined;
  readonly frequency?: unknown;
  readonly daysOfWeek?: unknown;
  readonly cssCode?: string | null | undefined;
  readonly jsonOption?: string | null | undefined;
  readonly editorType?: string | null | undefined;
};

export function draftBanner(engineId: number, written: WrittenBanner, present?: PresentTerms): BannerDraft {
  return {
    engineId,
    name: written.name,
    html: written.html,
    terms: draftTerms(written.queries, present),
    disabled: written.disabled,
    from: written.from ?? undefined,
    to: written.to ?? undefined,
    audiences: written.audiences.length === 0 ? undefined : written.audiences,
    engineIds: written.engines ?? [engineId],
    frequency: written.frequency ?? null,
    daysOfWeek: written.daysOfWeek ?? null,
    cssCode: written.cssCode ?? undefined,
    jsonOption: written.jsonOption ?? undefined,
    editorType: written.editorType ?? undefined,
  };
}
