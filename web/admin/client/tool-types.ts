/** A document, as tools name one. */
export type NamedPage = { readonly documentId: string; readonly url: string; readonly title: string };

export type Pin = NamedPage & {
  readonly id: number;
  /** From 1; null: hidden. */
  readonly place: number | null;
  readonly hidden: boolean;
  readonly broken: boolean;
};

type Managed = {
  /** The provision file that it comes of: nothing of it can be changed here. */
  readonly managedBy: string | null;
};

export type Ranking = Managed & {
  readonly id: number;
  readonly name: string;
  readonly queries: readonly string[];
  readonly audiences: readonly unknown[];
  readonly pins: readonly Pin[];
};

export type RankingBody = Pick<Ranking, 'name' | 'queries' | 'audiences'> & {
  readonly pins: readonly PinBody[];
};

export type PinBody = { readonly documentId: string; readonly place?: number; readonly hidden?: boolean };

export type BannerBody = {
  readonly name: string;
  readonly html: string;
  readonly queries: readonly string[];
  readonly disabled: boolean;
  readonly from: string | null;
  readonly to: string | null;
  readonly audiences: readonly unknown[];
};

export type Banner = BannerBody &
  Managed & {
    readonly id: number;
    readonly activeNow: boolean;
    readonly brokenLinks: readonly string[];
  };

export type QuicklinkBody = { readonly url: string; readonly queries: readonly string[] };

export type Quicklink = QuicklinkBody & Managed & { readonly id: number; readonly broken: boolean };

export type SynonymBody = { readonly language: string; readonly words: readonly string[] };

export type SynonymGroup = SynonymBody & Managed & { readonly id: number };

export type HiddenPage = NamedPage &
  Managed & {
    readonly id: number;
    readonly note: string | null;
    readonly hiddenAt: string;
    readonly broken: boolean;
  };

export type BrokenTool = {
  readonly tool: 'ranking' | 'banner' | 'quicklink' | 'hidden-page';
  readonly id: number;
  readonly name: string;
  readonly targets: readonly string[];
  readonly foundAt: string;
};

/** What a tool was taken of: null, it is not saved. */
type ToolName = { readonly id: number | null; readonly name: string };

export type PreviewHit = NamedPage & {
  /** From 1. */
  readonly place: number;
  readonly crawler: number;
  /** Safe HTML: matches in `<b>`. */
  readonly snippet: string;
  readonly score: number;
  readonly pinnedBy: ToolName | null;
  /** Without tools; null: it is not there, or behind the first 1,000. */
  readonly placeBefore: number | null;
  readonly matchedWithout: boolean;
};

export type RemovedHit = NamedPage & {
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
  readonly facets: readonly {
    readonly name: string;
    readonly items: readonly { readonly key: string; readonly count: number }[];
  }[];
};

export type List<Item> = { readonly items: readonly Item[]; readonly next: number | null };
