import type { IndexWriter } from '../../src/search-index/index-writer.ts';
import type { Connection } from '../../src/search-index/opensearch/connection.ts';
import { generateCorpus } from './generate-corpus.ts';
import { storedDocument } from './search/stored-document.ts';

const DOCUMENTS_PER_REFRESH = 2_000;
const MERGE_WITHIN_MS = 600_000;

/** Writes generated documents of 156 words, visible when it resolves. */
export async function writeCorpus(writer: IndexWriter, documents: number): Promise<void> {
  let rid = 0;
  for (const document of generateCorpus(documents)) {
    writer.apply([storedDocument(document, ++rid)]);
    if (writer.pending === DOCUMENTS_PER_REFRESH) await writer.refresh();
  }
  await writer.refresh();
}

/** Merges the index that an alias stands for to one segment, which searches see when it resolves. */
export async function mergeSegments(connection: Connection, alias: string): Promise<void> {
  await connection.call({
    method: 'POST',
    path: `/${alias}/_forcemerge`,
    query: { max_num_segments: 1 },
    deadlineMs: MERGE_WITHIN_MS,
  });
  // The merged segments are searched, and those before them gone, with the next refresh.
  await connection.call({ method: 'POST', path: `/${alias}/_refresh`, deadlineMs: MERGE_WITHIN_MS });
}
