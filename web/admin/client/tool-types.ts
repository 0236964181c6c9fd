import type { EditedBanner, EditedQuicklink, EditedRanking, EditedSynonymGroup, ToolPage } from '../generated-types.ts';

/** Bodies that the routes of search tools take. */
export type RankingBody = Pick<EditedRanking, 'name' | 'queries' | 'audiences'> & { readonly pins: readonly PinBody[] };

export type PinBody = { readonly documentId: string; readonly place?: number; readonly hidden?: boolean };

export type BannerBody = Pick<EditedBanner, 'name' | 'html' | 'queries' | 'disabled' | 'from' | 'to' | 'audiences'>;

export type QuicklinkBody = Pick<EditedQuicklink, 'url' | 'queries'>;

export type SynonymBody = Pick<EditedSynonymGroup, 'language' | 'words'>;

/** What a tool was taken of: null, it is not saved. */
type ToolName = { readonly id: number | null; readonly name: string };

export type PreviewHit = ToolPage & {
  /** From 1. */
  readonly place: number;
  readonly crawler: number;
  /** Safe HTML: matches in `<b>`. */
  readonly snippet: string;
  readonly score: number;
  readonly pinnedBy: ToolName | null;
  /** Without tools; null: it is not there, or behind the first 1,000. */
  readonly placeBefore: number | null;
};

export type RemovedHit = ToolPage & {
  readonly placeBefore: number | null;
  readonly hiddenBy: ToolName & { readonly tool: 'ranking' | 'hidden-page' };
};

export type Preview = {
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
  readonly fixedQuery: string;
  readonly hits: readonly PreviewHit[];
  readonly removed: readonly RemovedHit[];
  readonly banners: readonly (ToolName & { readonly html: string })[];
  readonly quicklinks: readonly { readonly id: number | null; readonly url: string; readonly term: string }[];
  readonly synonyms: readonly string[];
  readonly suggestions: readonly string[];
  readonly rankings: readonly ToolName[];
  readonly before: { readonly total: number; readonly fixedQuery: string };
};

export type List<Item> = { readonly items: readonly Item[]; readonly next: number | null };
