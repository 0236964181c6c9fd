import type { NewDocument } from '../../src/core/document.ts';

const IDS = 50;
const PER_BATCH = 10;
export const FAULT_CRAWLER = 17;

/** A write of an endless history that parent and child know; repeating the last one changes nothing. */
export type Batch = { readonly documents: readonly NewDocument[]; readonly deletedIds: readonly string[] };

export function batchAt(number: number): Batch {
  const documents = Array.from({ length: PER_BATCH }, (_, i): NewDocument => {
    const id = `doc-${(number * 7 + i) % IDS}`;
    const fields = new Map([
      ['Title', [`solar ${number}`]],
      ['Stamp', [`${id}@${number}`]],
    ]);
    return { id, kind: 'PageContent', origin: 'pushed', language: 'en', fields };
  });
  return { documents, deletedIds: number % 3 === 0 ? [`doc-${(number * 11) % IDS}`] : [] };
}

/** `Stamp` of every live document after the batch, sorted. */
export function stampsAfter(number: number): string[] {
  const stamps = new Map<string, string>();
  for (let n = 1; n <= number; n++) {
    const { documents, deletedIds } = batchAt(n);
    for (const { id } of documents) stamps.set(id, `${id}@${n}`);
    for (const id of deletedIds) stamps.delete(id);
  }
  return [...stamps.values()].sort();
}
