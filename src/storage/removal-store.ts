import type { Reason, RemovalClass, RemovalState } from '../core/crawl-words.ts';
import type { DocumentKind, DocumentOrigin } from '../core/document.ts';

/**
 * Part of the port `EngineStore`: documents that left, and documents that wait for an operator. Promises:
 * 1. a visit that removes a document keeps it for an undo, in the same transaction;
 * 2. once the guard's number of documents has left, a document stays and is held, whoever records at the same time;
 * 3. a held removal leaves the list when a visit finds the page well, or its document is deleted;
 * 4. `askRemovals` marks held (approve) or held and removed (undo) ones at once and durably; `applyRemovals` does
 *    what is asked in steps, each document once, whatever dies between them;
 * 5. an undo brings kind, language, fields, structure, origin and times back as they were, under a new `seq`; a newer
 *    document of the same id stays as it is;
 * 6. an explicit deletion of a document is final: nothing of it is kept for an undo;
 * 7. `expireRemovals` drops what was removed or undone before a time.
 */
export interface RemovalStore {
  /** Documents that left without an operator since then. */
  countRemoved(crawlerId: number, since: number): Promise<number>;
  findHeldRemoval(crawlerId: number, documentId: string): Promise<HeldRemoval | undefined>;
  findDocumentHead(crawlerId: number, documentId: string): Promise<DocumentHead | undefined>;
  countRemovals(crawlerId: number): Promise<ReadonlyMap<RemovalState, number>>;
  /** Ascending by rid. */
  listRemovals(of: ListRemovals): Promise<readonly Removal[]>;
  /** Removals of a state by class, cause, host and pattern; the largest groups first. */
  groupRemovals(of: { crawlerId: number; state: RemovalState; limit: number }): Promise<readonly RemovalGroup[]>;
  /** Resolves with how many were marked. */
  askRemovals(input: AskRemovals): Promise<number>;
  /** Whether something is asked that is not done. */
  hasAskedRemovals(crawlerId: number): Promise<boolean>;
  /** Does at most `limit` of what is asked. */
  applyRemovals(input: ApplyRemovals): Promise<AppliedRemovals>;
  /** Resolves with how many were dropped. */
  expireRemovals(crawlerId: number, before: number, limit: number): Promise<number>;
}

export type HeldRemoval = {
  readonly class: RemovalClass;
  readonly cause: Reason;
  /** When it was held, and in how many full runs of a healthy host its page was seen missing since. */
  readonly heldAt: number;
  readonly sightings: number;
};

export type DocumentHead = { readonly kind: DocumentKind; readonly origin: DocumentOrigin };

export type Removal = {
  readonly rid: number;
  readonly url: string;
  readonly class: RemovalClass;
  readonly cause: Reason;
  readonly state: RemovalState;
  readonly runId: number | undefined;
  /** First sighting, and the last change of state. */
  readonly firstAt: number;
  readonly at: number;
  /** What an operator asked for and is not done yet. */
  readonly asked: RemovalAction | undefined;
  /** An operator agreed to it. */
  readonly approved: boolean;
  readonly origin: string;
  /** `/blog/{date}/{s}.html` */
  readonly pattern: string;
};

export type ListRemovals = {
  readonly crawlerId: number;
  readonly state: RemovalState;
  readonly after: number;
  readonly limit: number;
};

export type RemovalGroup = Pick<Removal, 'class' | 'cause' | 'origin' | 'pattern'> & {
  readonly count: number;
  /** URLs, at most three. */
  readonly samples: readonly string[];
};

export const REMOVAL_ACTIONS = ['approve', 'undo'] as const;
export type RemovalAction = (typeof REMOVAL_ACTIONS)[number];

/** Members that are there narrow the choice; none of them: all. */
export type RemovalChoice = {
  readonly rids?: readonly number[] | undefined;
  readonly runId?: number | undefined;
  readonly class?: RemovalClass | undefined;
  readonly cause?: Reason | undefined;
  readonly origin?: string | undefined;
  readonly pattern?: string | undefined;
};

export type AskRemovals = {
  readonly crawlerId: number;
  readonly action: RemovalAction;
  readonly choice: RemovalChoice;
};

export type ApplyRemovals = {
  readonly crawlerId: number;
  readonly now: number;
  readonly limit: number;
  /** When the pages of approved removals are looked at again. */
  readonly lookAgainAt: number;
};

export type AppliedRemovals = { readonly approved: number; readonly undone: number };
