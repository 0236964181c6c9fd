import type {
  EditedBanner,
  EditedQuicklink,
  EditedRanking,
  EditedSynonymGroup,
  ToolPreview,
} from '../generated-types.ts';

/** Bodies that the routes of search tools take. */
export type RankingBody = Pick<EditedRanking, 'name' | 'queries' | 'audiences'> & { readonly pins: readonly PinBody[] };

export type PinBody = { readonly documentId: string; readonly place?: number; readonly hidden?: boolean };

export type BannerBody = Pick<EditedBanner, 'name' | 'html' | 'queries' | 'disabled' | 'from' | 'to' | 'audiences'>;

export type QuicklinkBody = Pick<EditedQuicklink, 'url' | 'queries'>;

export type SynonymBody = Pick<EditedSynonymGroup, 'language' | 'words'>;

export type PreviewHit = ToolPreview['hits'][number];

export type RemovedHit = ToolPreview['removed'][number];

export type List<Item> = { readonly items: readonly Item[]; readonly next: number | null };
