import type { Clock } from '../core/clock.ts';
import { type DocumentKind, type Fields, type NewDocument, textBytes } from '../core/document.ts';
import type { Crawler, Engine } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { documentLanguage } from './document-language.ts';
import { storedFields, withUrl } from './stored-fields.ts';

/** A document as a request sends it: values are text, fields without a value are left out. */
export type SentDocument = { readonly id: string; readonly kind: DocumentKind; readonly fields: Fields };

/** `kind` = what is stored now. */
export type WrittenRow = {
  readonly id: string;
  readonly outcome: 'stored' | 'too-large' | 'missing';
  readonly kind: DocumentKind;
};

/** `seq` = what the index must have reached for all rows to be searchable. */
export type WriteResult = { readonly seq: number; readonly rows: readonly WrittenRow[] };

export type WriteDeps = {
  readonly engineStores: EngineStores;
  readonly clock: Clock;
  /** UTF-8 bytes of text of one document. */
  readonly maxDocumentBytes: number;
};

export type WriteTarget = { readonly engine: Engine; readonly crawler: Crawler };

/**
 * Creates or replaces documents; durable when it resolves. One over the text limit is reported in its row, keeps
 * its older version and does not hold up the others. Contract: 8.1.
 */
export async function putDocuments(
  deps: WriteDeps,
  { engine, crawler }: WriteTarget,
  sent: readonly SentDocument[],
): Promise<WriteResult> {
  const rows = sent.map(({ id, kind, fields }): WrittenRow => {
    return { id, kind, outcome: textBytes(fields) > deps.maxDocumentBytes ? 'too-large' : 'stored' };
  });
  const documents = sent
    .filter((_, index) => rows[index]?.outcome === 'stored')
    .map((document) => toNewDocument(document, engine.language));
  const store = await deps.engineStores.of(engine.id);
  if (documents.length === 0) return { seq: await store.lastSeq(), rows };
  const { seq } = await store.putDocuments(crawler.id, documents, deps.clock.now());
  return { seq, rows };
}

function toNewDocument({ id, kind, fields }: SentDocument, engineLanguage: string): NewDocument {
  const stored = withUrl(id, storedFields(fields));
  return { id, kind, origin: 'pushed', fields: stored, language: documentLanguage(stored, engineLanguage) };
}
