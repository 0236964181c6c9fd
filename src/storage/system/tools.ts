import { defineStore, fetchFirst } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { Actor } from './accounts.ts';
import { addTool, countBrokenTools, noteBrokenTools, readTools, removeTool, replaceTool } from './change-tools.ts';

/** A word or text that calls a tool up. */
type Term = { readonly id: number; readonly name: string };

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

/** What a check found broken: ids of documents that are gone, or links that lead to such. */
export type BrokenTargets = {
  /** Of the first of the checks in a row that found any. */
  readonly foundAt: number;
  readonly targets: readonly string[];
};

type ToolBase = {
  readonly id: number;
  readonly customerId: number;
  readonly engineId: number;
  /** Name of the provision file that owns the record. */
  readonly managedBy: string | undefined;
  /** As of the last check; undefined = nothing, or changed since. */
  readonly broken: BrokenTargets | undefined;
};
type Termed = { readonly terms: readonly Term[] };

export type Banner = ToolBase &
  Termed & {
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

export type Ranking = ToolBase &
  Termed & {
    readonly name: string;
    readonly audiences: readonly unknown[] | undefined;
    readonly pins: readonly Pin[];
  };

export type Quicklink = ToolBase & Termed & { readonly url: string };

/** A document that no visitor is shown, whatever the query. */
export type HiddenPage = ToolBase & {
  readonly documentId: string;
  readonly url: string;
  readonly title: string;
  /** Why, for other editors. */
  readonly note: string | undefined;
  readonly hiddenAt: number;
};

export type ToolRecords = {
  readonly banner: Banner;
  readonly ranking: Ranking;
  readonly quicklink: Quicklink;
  readonly 'hidden-page': HiddenPage;
};
export type ToolKind = keyof ToolRecords;

/** A record before it is stored: ids of parts are wishes, granted when the replaced record has that part. */
type Draft<Record extends ToolBase> = Omit<Record, Exclude<keyof ToolBase, 'engineId'> | 'terms' | 'pins'>;
type TermedDraft<Record extends ToolBase & Termed> = Draft<Record> & { readonly terms: readonly DraftPart<Term>[] };
type DraftPart<Part> = Omit<Part, 'id'> & { readonly id: number | undefined };

export type BannerDraft = TermedDraft<Banner>;
export type RankingDraft = TermedDraft<Ranking> & { readonly pins: readonly DraftPart<Pin>[] };
export type QuicklinkDraft = TermedDraft<Quicklink>;
export type HiddenPageDraft = Draft<HiddenPage>;
export type ToolDrafts = {
  readonly banner: BannerDraft;
  readonly ranking: RankingDraft;
  readonly quicklink: QuicklinkDraft;
  readonly 'hidden-page': HiddenPageDraft;
};

export type ToolKey = { readonly customerId: number; readonly id: number };

/** Who makes a change and from what; its audit row is stored in the same commit. */
export type ToolChange = {
  readonly actor: Actor;
  readonly at: number;
  /** Provision file that owns the record from now on. */
  readonly managedBy?: string | undefined;
  /** The record that the change was made from; absent: whatever there is gives way. */
  readonly seen?: object | undefined;
};

/** Ids of tools of an engine with what a check found broken of each. */
export type BrokenTool = { readonly kind: ToolKind; readonly id: number; readonly targets: readonly string[] };

/**
 * Part of the port `SystemStore`: banners, rankings, quicklinks, hidden pages. Promises:
 * - ids of records, terms and pins grow, one sequence per kind, and are never given again, also after removal;
 * - a record comes back exactly as it was stored, terms and pins in the order given;
 * - a replacement keeps the ids of the parts that repeat one of this record, gives the others new ones and drops
 *   the parts that are not named;
 * - a record of another customer is as one that does not exist: undefined, false, or left out;
 * - lists ascend by id and hold the records of one engine, or of all engines of the customer;
 * - a change and its audit row are one commit; a change that changes nothing leaves no audit row;
 * - a change that was made from a record (`seen`) which has been changed since is `record.changed`, and nothing is
 *   applied; what a check found is no part of that;
 * - `noteBrokenTools` is what is broken of an engine: a tool keeps the time at which it was first found so, one that is
 *   not named is whole again, and so is one that is replaced; it is in no audit log.
 */
export interface ToolStore {
  addTool<Kind extends ToolKind>(
    kind: Kind,
    draft: ToolDrafts[Kind],
    change: ToolChange & { readonly customerId: number },
  ): Promise<ToolRecords[Kind]>;
  replaceTool<Kind extends ToolKind>(
    kind: Kind,
    replaced: ToolKey & { readonly draft: ToolDrafts[Kind] },
    change: ToolChange,
  ): Promise<ToolRecords[Kind] | undefined>;
  /** True when there was one. */
  removeTool(kind: ToolKind, key: ToolKey, change: ToolChange): Promise<boolean>;
  noteBrokenTools(engineId: number, broken: readonly BrokenTool[], at: number): Promise<void>;
  findTool<Kind extends ToolKind>(kind: Kind, key: ToolKey): Promise<ToolRecords[Kind] | undefined>;
  listTools<Kind extends ToolKind>(
    kind: Kind,
    input: { readonly customerId: number; readonly engineId?: number },
  ): Promise<readonly ToolRecords[Kind][]>;
  /** How many tools of which engines the last checks found broken, by engine. */
  countBrokenTools(): Promise<readonly { readonly engineId: number; readonly tools: number }[]>;
  /** When the tools of the engine were last checked. */
  toolsCheckedAt(engineId: number): Promise<number | undefined>;
}

export const toolStore = defineStore<ToolStore>()(
  {
    *findTool(kind, key) {
      return (yield* readTools(kind, key))[0];
    },
    listTools: readTools,
    countBrokenTools,
    *toolsCheckedAt(engineId) {
      const checks = systemSql.selectFrom('tool_checks').select('checked_at').where('engine_id', '=', engineId);
      return (yield* fetchFirst(checks))?.checked_at;
    },
  },
  {
    addTool,
    replaceTool,
    removeTool,
    noteBrokenTools,
  },
);
