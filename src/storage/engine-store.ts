import type { DocumentVectors } from '../core/document-vectors.ts';
import { AppError } from '../core/errors.ts';
import type { StoreIdentity } from '../core/store-identity.ts';
import type { DocumentStore } from './document-store.ts';
import type { DuplicateStore } from './duplicate-store.ts';
import type { FrontierStore } from './frontier-store.ts';
import type { HostContentStore } from './host-store.ts';
import type { PatternStore } from './pattern-store.ts';
import type { RemovalStore } from './removal-store.ts';
import type { RunStore } from './run-store.ts';
import type { SitemapStore } from './sitemap-store.ts';
import type { TemplateStore } from './template-store.ts';
import type { UrlBrowser } from './url-browser.ts';

/**
 * Port: the documents, URLs and runs of one engine. System of record. Its parts list their promises.
 * What does not exist is `undefined` or an empty list, never an error. Its identity is its own from the day it is made.
 */
export interface EngineStore
  extends DocumentStore,
    FrontierStore,
    RunStore,
    PatternStore,
    DuplicateStore,
    UrlBrowser,
    SitemapStore,
    RemovalStore,
    HostContentStore,
    TemplateStore,
    PassageVectorStore {
  readonly engineId: number;
  identity(): Promise<StoreIdentity>;
  /** Gives the store a new epoch: whatever was made of it before does not belong to it any more. */
  startEpoch(): Promise<StoreIdentity>;
  /** Grows with every commit that is visible here; nearly free. */
  changeToken(): number;
}

/** Port: the stores of all engines. A store is opened on first use and kept; the owner of this closes all. */
export interface EngineStores extends AsyncDisposable {
  of(engineId: number): Promise<EngineStore>;
  /** Closes the engine's store and deletes its folder, index included. */
  remove(engineId: number): Promise<void>;
}

/**
 * Part of the port `EngineStore`: vectors of passages, in one set per model. Promises:
 * 1. `putVectors` keeps the vectors of each document that still is the version they were made of, in place of those
 *    before; together with the `seq` up to which the set knows the documents, which never falls;
 * 2. vectors without a passage are none;
 * 3. what was put comes back exactly; each time a document's vectors are put they take a higher `change`, and
 *    `vectorsAfter` returns them once, ascending by it;
 * 4. a document whose row is purged has no vectors left, in no set;
 * 5. a set is complete once `completeVectors` was called for it, until another one is; the others are dropped in steps.
 */
export interface PassageVectorStore {
  putVectors(set: string, input: { seq: number; documents: readonly DocumentVectors[] }): Promise<void>;
  /** `seq` up to which the set knows all documents; 0 when it was never written to. */
  vectorSeq(set: string): Promise<number>;
  /** Of the rows that have some, ascending by rid. */
  readVectors(set: string, rids: readonly number[]): Promise<readonly DocumentVectors[]>;
  vectorsAfter(set: string, of: { change: number; limit: number }): Promise<readonly ChangedVectors[]>;
  /** Rows that have vectors in the set, ascending. */
  vectorRids(set: string): Promise<readonly number[]>;
  completeVectorSet(): Promise<string | undefined>;
  completeVectors(set: string): Promise<void>;
  /** Drops up to `limit` documents' vectors of other sets; resolves with how many. */
  dropOtherVectors(set: string, limit: number): Promise<number>;
}

export type ChangedVectors = DocumentVectors & { readonly change: number };

/**
 * Whether a store cannot be used at all: it is damaged, or a newer program's. That is told once, when it is found, and
 * stays until an operator mends it: work over all engines goes on with the next one.
 */
export function isStoreFault(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'storage.damaged' || error.code === 'storage.version-mismatch');
}

/** The store of an engine; undefined when it cannot be used. */
export async function usableStore(
  engineStores: Pick<EngineStores, 'of'>,
  engineId: number,
): Promise<EngineStore | undefined> {
  try {
    return await engineStores.of(engineId);
  } catch (error) {
    if (isStoreFault(error)) return undefined;
    throw error;
  }
}
