import type { StoreIdentity } from '../core/store-identity.ts';
import type { DocumentStore } from './document-store.ts';
import type { DuplicateStore } from './duplicate-store.ts';
import type { FrontierStore } from './frontier-store.ts';
import type { HostContentStore } from './host-content-store.ts';
import type { PassageVectorStore } from './passage-vector-store.ts';
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
