import type { StoredDocument } from '../../src/core/document.ts';

type Sketch = Partial<Omit<StoredDocument, 'fields'>> & {
  readonly rid: number;
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
};

/** A stored document from what a test says about it; `seq` is its rid, its id `doc-<rid>`, its language English. */
export function storedDocument({ fields = {}, ...given }: Sketch): StoredDocument {
  const seq = given.seq ?? given.rid;
  return {
    seq,
    writeSeq: seq,
    crawlerId: 17,
    id: `doc-${given.rid}`,
    kind: 'PageContent',
    origin: 'pushed',
    language: 'en',
    deleted: false,
    createdAt: 0,
    updatedAt: 0,
    structure: undefined,
    ...given,
    fields: new Map(Object.entries(fields).map(([name, values]) => [name, [values].flat()])),
  };
}

/** The state of a document after its deletion. */
export function deletedDocument(rid: number, seq: number): StoredDocument {
  return storedDocument({ rid, seq, deleted: true });
}
