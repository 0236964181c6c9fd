/** A word or text that calls a tool up. */
export type Term = { readonly id: number; readonly name: string };

/** A document's fixed place (`shown`) or its removal from the results. */
export type Pin = {
  readonly id: number;
  readonly engineId: number;
  /** Absolute position, from 1. */
  readonly rank: number;
  readonly shown: boolean;
  readonly page: {
    readonly name: string;
    readonly documentId: string;
    readonly url: string;
    readonly searchable: boolean;
    readonly engineId: number;
  };
};

type ToolBase = {
  readonly id: number;
  readonly customerId: number;
  readonly engineId: number;
  readonly terms: readonly Term[];
};

export type Banner = ToolBase & {
  readonly name: string;
  readonly html: string;
  readonly disabled: boolean;
  /** ISO 8601 with zone, both inclusive; undefined = open. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Undefined or empty = everybody. */
  readonly audiences: readonly unknown[] | undefined;
  /** Further engines of the customer that show it. */
  readonly engineIds: readonly number[];
  /** Kept for the editor's own tools; nothing here reads them. */
  readonly frequency: unknown;
  readonly daysOfWeek: unknown;
  readonly cssCode: string | undefined;
  readonly jsonOption: string | undefined;
  readonly editorType: string | undefined;
};

export type Ranking = ToolBase & {
  readonly name: string;
  readonly audiences: readonly unknown[] | undefined;
  readonly pins: readonly Pin[];
};

export type Quicklink = ToolBase & { readonly url: string };

export type ToolRecords = { readonly banner: Banner; readonly ranking: Ranking; readonly quicklink: Quicklink };
export type ToolKind = keyof ToolRecords;

/** A record before it is stored: ids of parts are wishes, granted when the replaced record has that part. */
type Draft<Record extends ToolBase> = Omit<Record, 'id' | 'customerId' | 'terms' | 'pins'> & {
  readonly terms: readonly DraftPart<Term>[];
};
type DraftPart<Part> = Omit<Part, 'id'> & { readonly id: number | undefined };

export type BannerDraft = Draft<Banner>;
export type RankingDraft = Draft<Ranking> & { readonly pins: readonly DraftPart<Pin>[] };
export type QuicklinkDraft = Draft<Quicklink>;
export type ToolDrafts = {
  readonly banner: BannerDraft;
  readonly ranking: RankingDraft;
  readonly quicklink: QuicklinkDraft;
};

export type ToolKey = { readonly customerId: number; readonly id: number };

/** Words that mean the same, for all engines of the customer in that language. */
export type SynonymGroup = {
  readonly id: number;
  readonly customerId: number;
  readonly language: string;
  readonly words: readonly string[];
};

/**
 * Part of the port `SystemStore`: banners, rankings, quicklinks, synonym groups. Promises:
 * - ids of records, terms and pins grow, one sequence per kind, and are never given again, also after removal;
 * - a record comes back exactly as it was stored, terms and pins in the order given;
 * - a replacement keeps the ids of the parts that repeat one of this record, gives the others new ones and drops
 *   the parts that are not named;
 * - a record of another customer is as one that does not exist: undefined, false, or left out;
 * - lists ascend by id and hold the records of one engine, or of all engines of the customer;
 * - groups of a language are found in any case of its letters;
 * - `removeSynonymGroups` removes what exists in one commit and resolves with the removed ids, ascending.
 */
export interface ToolStore {
  addTool<Kind extends ToolKind>(kind: Kind, customerId: number, draft: ToolDrafts[Kind]): Promise<ToolRecords[Kind]>;
  replaceTool<Kind extends ToolKind>(
    kind: Kind,
    key: ToolKey,
    draft: ToolDrafts[Kind],
  ): Promise<ToolRecords[Kind] | undefined>;
  /** True when there was one. */
  removeTool(kind: ToolKind, key: ToolKey): Promise<boolean>;
  findTool<Kind extends ToolKind>(kind: Kind, key: ToolKey): Promise<ToolRecords[Kind] | undefined>;
  listTools<Kind extends ToolKind>(
    kind: Kind,
    input: { readonly customerId: number; readonly engineId?: number },
  ): Promise<readonly ToolRecords[Kind][]>;
  addSynonymGroup(group: Omit<SynonymGroup, 'id'>): Promise<SynonymGroup>;
  replaceSynonymGroup(group: SynonymGroup): Promise<SynonymGroup | undefined>;
  findSynonymGroup(key: ToolKey): Promise<SynonymGroup | undefined>;
  listSynonymGroups(customerId: number, language?: string): Promise<readonly SynonymGroup[]>;
  removeSynonymGroups(customerId: number, ids: readonly number[]): Promise<readonly number[]>;
}
