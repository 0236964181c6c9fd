import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredDocument } from '../../src/core/document.ts';
import type { IndexSource } from '../../src/search-index/index-writer.ts';
import { identityOfTests } from './index-source.ts';
import { deletedDocument, storedDocument } from './stored-documents.ts';

const ROWS = 3_000;
/** Spreads the changes over the rows, so that each is replaced and deleted many times. */
const STRIDE = 7_919;

/** The change with this `seq` of an endless history that every process knows. */
export function changeAt(seq: number): StoredDocument {
  const rid = ((seq * STRIDE) % ROWS) + 1;
  if (seq % 7 === 0) return deletedDocument(rid, seq);
  return storedDocument({ rid, seq, fields: { Title: `title ${seq}`, Stamp: String(seq) } });
}

/** `Stamp` of every document that is live at `seq`, sorted. */
export function stampsAt(seq: number): string[] {
  const rows = new Map<number, StoredDocument>();
  for (let s = 1; s <= seq; s++) rows.set(changeAt(s).rid, changeAt(s));
  return [...rows.values()]
    .filter(({ deleted }) => !deleted)
    .map((row) => String(row.seq))
    .sort();
}

/** The history as a store whose generation survives the process. */
export function historySource(folder: string): IndexSource {
  const file = join(folder, 'generation');
  const indexGeneration = async () => Number(await readFile(file, 'utf8').catch(() => '0'));
  return {
    ...identityOfTests,
    // It has no end that could be caught up with.
    lastSeq: async () => 0,
    countDocuments: () => Promise.reject(new Error('the history has no state to be compared with')),
    liveRids: () => Promise.reject(new Error('the history has no state to be compared with')),
    readDocuments: () => Promise.reject(new Error('the history has no state to be compared with')),
    changesAfter: async (seq, { rows }) => Array.from({ length: rows }, (_, i) => changeAt(seq + 1 + i)),
    indexGeneration,
    async claimGeneration(expected, next, publish) {
      if ((await indexGeneration()) !== expected) return false;
      await publish();
      await writeFile(`${file}.tmp`, String(next));
      await rename(`${file}.tmp`, file);
      return true;
    },
  };
}
