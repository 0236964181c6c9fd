import type { StoredDocument } from '../core/document.ts';
import type { EngineStores } from '../storage/engine-store.ts';

type BrowseDeps = { readonly engineStores: Pick<EngineStores, 'of'> };

/** Live documents of an engine, or of one of its crawlers, ascending by row id after `after`. */
export async function browseDocuments(
  { engineStores }: BrowseDeps,
  engineId: number,
  input: { readonly crawlerId?: number; readonly after: number; readonly limit: number },
): Promise<readonly StoredDocument[]> {
  return (await engineStores.of(engineId)).listDocuments(input);
}

/** The live document of a row id, also a damaged one; undefined when there is none. */
export async function readDocument(
  { engineStores }: BrowseDeps,
  engineId: number,
  rid: number,
): Promise<StoredDocument | undefined> {
  const [document] = await (await engineStores.of(engineId)).listDocuments({ after: rid - 1, limit: 1 });
  return document?.rid === rid ? document : undefined;
}
