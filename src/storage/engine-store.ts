import { AppError } from '../core/errors.ts';
import type { StoreIdentity } from '../core/store-identity.ts';
import type { DocumentStore } from './engine/documents.ts';
import type { DueRowStore } from './engine/due-rows.ts';
import type { DuplicateStore } from './engine/duplicates.ts';
import type { FrontierStore } from './engine/frontier.ts';
import type { HeadTitleStore } from './engine/head-titles.ts';
import type { HostContentStore } from './engine/host-content.ts';
import type { HostStore } from './engine/hosts.ts';
import type { LaneStore } from './engine/lanes.ts';
import type { LinkTextStore } from './engine/link-texts.ts';
import type { PassageVectorStore } from './engine/passage-vectors.ts';
import type { PatternStore } from './engine/patterns.ts';
import type { RemovalStore } from './engine/removals.ts';
import type { RunStore } from './engine/runs.ts';
import type { SitemapStore } from './engine/sitemaps.ts';
import type { TemplateStore } from './engine/templates.ts';
import type { UrlBrowser } from './engine/url-browser.ts';
import type { UrlLookUp } from './engine/url-look-up.ts';
import type { UrlStore } from './engine/urls.ts';
import type { VisitLogStore } from './engine/visit-log.ts';
import type { VisitStore } from './engine/visits.ts';

/**
 * Port: the documents, URLs and runs of one engine. System of record. Its parts list their promises.
 * What does not exist is `undefined` or an empty list, never an error. Its identity is its own from the day it is made.
 */
export interface EngineStore
  extends DocumentStore,
    FrontierStore,
    LaneStore,
    DueRowStore,
    VisitStore,
    VisitLogStore,
    RunStore,
    HostStore,
    UrlStore,
    PatternStore,
    DuplicateStore,
    UrlBrowser,
    UrlLookUp,
    SitemapStore,
    RemovalStore,
    HostContentStore,
    TemplateStore,
    HeadTitleStore,
    LinkTextStore,
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
