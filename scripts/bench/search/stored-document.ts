import type { StoredDocument } from '../../../src/core/document.ts';
import type { IndexSource } from '../../../src/search-index/index-writer.ts';
import type { GeneratedDocument } from '../generate-corpus.ts';

/** A source with nothing to read: documents are handed to the writer. */
export const emptySource: IndexSource = {
  changesAfter: async () => [],
  liveRids: async () => [],
  readDocuments: async () => [],
  claimGeneration: async (_expected, _next, publish) => {
    await publish();
    return true;
  },
  indexGeneration: async () => 0,
  identity: async () => ({ storeId: 'bench', epoch: 'bench' }),
  startEpoch: async () => undefined,
  markOf: async (seq) => seq,
  lastSeq: async () => 0,
  countDocuments: async () => 0,
};

/** Fields of a generated document under the names and types that the product gives them. */
export function fieldsOf(document: GeneratedDocument): Readonly<Record<string, string>> {
  return {
    Title: document.title,
    Description: document.description,
    Content: document.content,
    Category: document.category,
    Language: document.language,
    Author: document.author,
    Published_date: new Date(document.published).toISOString().slice(0, 10),
    Price_number: String(document.price),
    Place_geo_point: `${document.latitude},${document.longitude}`,
  };
}

/** A generated document as the store hands it to the index: one language, as the peers have one stemmer. */
export function storedDocument(document: GeneratedDocument, rid: number): StoredDocument {
  const fields = Object.entries(fieldsOf(document)).map(([name, value]) => [name, [value]] as const);
  return {
    rid,
    seq: rid,
    writeSeq: rid,
    crawlerId: 1,
    id: document.id,
    kind: 'PageContent',
    origin: 'pushed',
    language: 'en',
    deleted: false,
    createdAt: 0,
    updatedAt: 0,
    structure: undefined,
    fields: new Map(fields),
  };
}
